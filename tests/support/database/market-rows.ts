// Compares the market's tables with the sums of a chain's records, computed without shortcuts.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { CurveStatus, graduationProgress, marketCap, type CurveRecord } from '@curvekit/sdk';
import { statement, type Queries } from '#app/db/database.js';
import { tokenDetail } from '#app/market/reads/token.js';
import { candlesOf as chartOf } from '#app/market/reads/candles.js';

/** A pool trade, with the fields of the tables. */
export interface ExpectedPoolTrade {
  readonly mint: string;
  readonly trader: string;
  readonly isBuy: boolean;
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly timestamp: number;
}

interface ExpectedTrade extends ExpectedPoolTrade {
  /** The market caps after and before the trade. */
  readonly cap: bigint;
  readonly capBefore: bigint;
}

interface ExpectedToken {
  status: number;
  readonly creator: string;
  readonly slot: number;
  readonly initialToken: bigint;
  readonly firstCap: bigint;
  cap: bigint;
  virtualSol: bigint;
  virtualToken: bigint;
  readonly trades: ExpectedTrade[];
  /** Token units bought on the curve in the slot of the creation. */
  launchSlotBought: bigint;
}

/**
 * Compares every row. Pool trades come after all records.
 *
 * @throws AssertionError on a difference
 */
export async function expectMarketOf(
  queries: Queries,
  records: readonly CurveRecord[],
  poolTrades: readonly ExpectedPoolTrade[] = [],
): Promise<void> {
  const [state] = await statement<{ lapsed: string }>(queries)`
    select lapsed_to::text as lapsed from market_state`;
  const tokens = tokensOf(records, poolTrades);
  expect(await tokenRows(queries)).to.deep.equal(
    sorted([...tokens].map(([mint, token]) => tokenRow(mint, token, Number(state!.lapsed)))),
  );
  expect(await candleRows(queries)).to.deep.equal(
    sorted([...tokens].flatMap(([mint, { trades }]) => candlesOf(mint, trades))),
  );
  expect(await positionRows(queries)).to.deep.equal(
    sorted([...tokens].flatMap(([mint, { trades }]) => positionsOf(mint, trades))),
  );
  for (const [mint, { creator, trades, launchSlotBought }] of tokens) {
    const { creatorBought, creatorSold, ...detail } = (await tokenDetail(queries, mint))!;
    const own = trades.filter(({ trader }) => trader === creator);
    expect([creatorBought, creatorSold, detail.launchSlotBought]).to.deep.equal(
      [sumOf(own, true, 'tokenAmount'), sumOf(own, false, 'tokenAmount'), launchSlotBought].map(String),
    );
  }
}

/** Compares the charts of every token with its trades. @throws AssertionError on a difference */
export async function expectChartsOf(
  queries: Queries,
  records: readonly CurveRecord[],
  poolTrades: readonly ExpectedPoolTrade[] = [],
): Promise<void> {
  for (const [mint, { trades }] of tokensOf(records, poolTrades))
    for (const interval of [300, 3_600, 86_400] as const) {
      const chart = await chartOf(queries, { mint, interval, limit: 1_000 });
      const rows = chart.map((candle) => [mint, ...candle].join(' '));
      expect(rows, `candles of ${interval} s`).to.deep.equal(candlesOf(mint, trades, interval));
    }
}

function tokensOf(records: readonly CurveRecord[], poolTrades: readonly ExpectedPoolTrade[]) {
  const tokens = new Map<string, ExpectedToken>();
  const trade = (token: ExpectedToken, { ...fields }: ExpectedPoolTrade) => {
    const cap = marketCap(fields);
    token.trades.push({ ...fields, cap, capBefore: token.cap });
    Object.assign(token, { cap, virtualSol: fields.virtualSol, virtualToken: fields.virtualToken });
  };
  for (const { kind, slot, data } of records) {
    const mint = data.mint.toBase58();
    if (kind === 'create') {
      const { virtualSol, virtualToken } = data;
      const cap = marketCap({ virtualSol, virtualToken });
      const status: number = CurveStatus.Trading;
      const fresh = { status, initialToken: virtualToken, firstCap: cap, cap, virtualSol, virtualToken };
      const creator = data.creator.toBase58();
      tokens.set(mint, { ...fresh, creator, slot, trades: [], launchSlotBought: 0n });
      continue;
    }
    const token = tokens.get(mint)!;
    if (kind === 'trade') {
      const { trader, isBuy, solAmount, tokenAmount, virtualSol, virtualToken, timestamp } = data;
      const amounts = { solAmount, tokenAmount, virtualSol, virtualToken };
      trade(token, { mint, trader: trader.toBase58(), isBuy, ...amounts, timestamp: Number(timestamp) });
      if (isBuy && slot === token.slot) token.launchSlotBought += tokenAmount;
      if (data.finalized) token.status = CurveStatus.Finalized;
      continue;
    }
    token.status = CurveStatus.Migrated;
    if (kind !== 'graduate') continue;
    const pool = { virtualSol: data.poolSol, virtualToken: data.poolToken };
    Object.assign(token, { ...pool, cap: marketCap(pool) });
  }
  for (const each of poolTrades) trade(tokens.get(each.mint)!, each);
  return tokens;
}

function tokenRow(mint: string, token: ExpectedToken, lapsedTo: number): string {
  const { status, cap, virtualSol, virtualToken, trades, firstCap, initialToken } = token;
  const [ofDay, before] = [
    trades.filter((trade) => minuteOf(trade) >= lapsedTo),
    trades.filter((trade) => minuteOf(trade) < lapsedTo),
  ];
  const volume = ofDay.reduce((sum, { solAmount }) => sum + solAmount, 0n);
  const progress =
    status === CurveStatus.Trading ? graduationProgress(virtualToken, initialToken).progressBps : 10_000;
  const open = before.at(-1)?.cap ?? firstCap;
  const last = trades.at(-1)?.timestamp ?? 0;
  return [mint, status, virtualSol, virtualToken, cap, progress, volume, open, trades.length, last].join(' ');
}

function candlesOf(mint: string, trades: readonly ExpectedTrade[], seconds = 60): string[] {
  const startOf = ({ timestamp }: ExpectedTrade) => timestamp - (timestamp % seconds);
  return [...groupBy(trades, startOf)].map(([start, all]) => {
    const [first, last] = [all[0]!, all.at(-1)!];
    // A longer candle has the prices of its minutes, and each of them opens at the price before.
    const caps = [...groupBy(all, minuteOf).values()]
      .flatMap((minute) => [minute[0]!.capBefore, ...minute.map(({ cap }) => cap)])
      .sort((a, b) => (a < b ? -1 : 1));
    const volume = all.reduce((sum, { solAmount }) => sum + solAmount, 0n);
    return [mint, start, first.capBefore, caps.at(-1), caps[0], last.cap, volume, all.length].join(' ');
  });
}

function positionsOf(mint: string, trades: readonly ExpectedTrade[]): string[] {
  return [...groupBy(trades, ({ trader }) => trader)].map(([wallet, all]) => {
    const sold = sumOf(all, false, 'tokenAmount');
    const amount = sumOf(all, true, 'tokenAmount') - sold;
    const [paid, received] = [sumOf(all, true, 'solAmount'), sumOf(all, false, 'solAmount')];
    return [mint, wallet, amount, paid, received, all.length, sold].join(' ');
  });
}

const sumOf = (trades: readonly ExpectedTrade[], buys: boolean, field: 'solAmount' | 'tokenAmount') =>
  trades.filter(({ isBuy }) => isBuy === buys).reduce((total, trade) => total + trade[field], 0n);

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

const minuteOf = ({ timestamp }: { readonly timestamp: number }) => timestamp - (timestamp % 60);
const sorted = (rows: readonly string[]) => [...rows].sort();

async function rowTexts(queries: Queries, table: string, columns: string): Promise<string[]> {
  const rows = await statement<{ row: string }>(queries)`
    select concat_ws(' ', ${sql.raw(columns)}) as row from ${sql.identifier(table)}`;
  return sorted(rows.map(({ row }) => row));
}

const tokenRows = (queries: Queries) =>
  rowTexts(
    queries,
    'market_tokens',
    'mint, status, virtual_sol, virtual_token, market_cap, progress_bps, day_volume, day_open, trades, last_trade_at',
  );
const candleRows = (queries: Queries) =>
  rowTexts(queries, 'candles', 'mint, minute, open, high, low, close, volume, trades');
const positionRows = (queries: Queries) =>
  rowTexts(
    queries,
    'positions',
    `mint, wallet, amount, paid, received, trades,
      (select sold from position_rows r where (r.wallet_id, r.mint_id) = (positions.wallet_id, positions.mint_id))`,
  );
