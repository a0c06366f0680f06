// Turns booked changes into events for pages.
import { column } from '../../db/statements.js';
import { statement, type Transaction } from '../../db/database.js';
import { graduationProgress, InvalidArgumentError, marketCap } from '@curvekit/sdk';
import type { Reserves } from '../../index/feed/newest-prices.js';
import type { NewestOf, Stored } from '../../index/hooks.js';
import type { NumberedRecord } from '../../index/records.js';
import { textOf } from '../../index/trades/key-text.js';
import type { Trade } from '../../index/trades/trade.js';
import { tokenDetail } from '../reads/token.js';
import { summaryOf, TOKEN_COLUMNS, type TokenRow } from '../reads/token-rows.js';
import { appendEvents, appendLocked, appendReset, type MarketEvent } from './outbox.js';

/** A token that has left its curve. */
interface MoveJson {
  readonly mint: string;
  readonly signature: string;
  /** Null when the chain does not contain it. */
  readonly pool: string | null;
}

interface Happened {
  /** Mints of new tokens. */
  readonly created: readonly string[];
  /** Trades of curves and pools, in the order of their ids. */
  readonly trades: readonly Trade[];
  readonly moved: readonly MoveJson[];
  /** Tokens with a newer price alone. */
  readonly repriced?: readonly string[];
  readonly newest?: NewestOf | undefined;
}

/** Publishes stored records. Pages get one event for all older ones. */
export async function publishRecords(tx: Transaction, { records, trades, newest }: Stored): Promise<void> {
  const live = records.filter((record) => record.kind === 'unknown' || isLive(record.data.timestamp));
  if (live.length < records.length) await appendReset(tx);
  await publish(tx, {
    created: live.flatMap((record) => (record.kind === 'create' ? [textOf(record.data.mint)] : [])),
    trades: trades.filter(({ timestamp }) => isLive(timestamp)),
    moved: movesAmong(live),
    newest,
  });
}

export async function publishTrades(tx: Transaction, trades: readonly Trade[]): Promise<void> {
  const live = trades.filter(({ timestamp }) => isLive(timestamp));
  if (live.length < trades.length) await appendReset(tx);
  await publish(tx, { created: [], trades: live, moved: [] });
}

/** Publishes prices whose trades are not stored yet. */
export function publishNewest(tx: Transaction, mints: readonly string[], newest: NewestOf): Promise<void> {
  return publish(tx, { created: [], trades: [], moved: [], repriced: mints, newest });
}

function movesAmong(records: readonly NumberedRecord[]): MoveJson[] {
  const moved = new Map<string, MoveJson>();
  for (const record of records) {
    if (record.kind !== 'migrate' && record.kind !== 'graduate') continue;
    const mint = textOf(record.data.mint);
    const pool = record.kind === 'graduate' ? textOf(record.data.pool) : (moved.get(mint)?.pool ?? null);
    moved.set(mint, { mint, signature: record.signature, pool });
  }
  return [...moved.values()];
}

/** Publishes the changes that a transaction has booked. Unknown tokens are ignored. */
async function publish(
  tx: Transaction,
  { created, trades, moved, repriced = [], newest }: Happened,
): Promise<void> {
  const changed = [...new Set([...[...trades, ...moved].map(({ mint }) => mint), ...repriced])];
  if (created.length + changed.length === 0) return;
  // Newest prices are asked for when they are locked: those of a later event are then newer.
  await appendLocked(tx, async () => {
    const summaries = await summariesOf(tx, [...new Set([...created, ...changed])]);
    const isKnown = ({ mint }: { readonly mint: string }) => summaries.has(mint);
    return [
      ...created.flatMap((mint) => {
        const summary = summaries.get(mint);
        return summary === undefined ? [] : event('token', summary, summary.creator);
      }),
      ...trades.filter(isKnown).flatMap(({ id, mint, signature, trader, graduated }) => [
        // Its number: the reader of events makes the rest from its row.
        { type: 'trade' as const, mint, wallet: trader, data: Number(id) },
        ...(graduated ? [event('graduated', { mint, signature })] : []),
      ]),
      ...moved.filter(isKnown).map((move) => event('migrated', move)),
      ...updates(changed, summaries, newest),
    ];
  });
}

/** Publishes that a reorg removed trades from an id on. */
export async function publishDropped(
  tx: Transaction,
  mints: readonly string[],
  firstId: bigint,
): Promise<void> {
  const summaries = await summariesOf(tx, mints);
  await appendEvents(tx, [
    ...mints.map((mint) => event('dropped', { mint, fromId: String(firstId) })),
    ...updates(mints, summaries),
  ]);
}

export async function publishMetadata(tx: Transaction, mint: string): Promise<void> {
  const found = await tokenDetail(tx, mint);
  if (found === undefined) return;
  const { image, description, links } = found;
  await appendEvents(tx, [event('metadata', { mint, image, description, links })]);
}

type Summary = ReturnType<typeof summaryOf>;

function event<Data extends { readonly mint: string }>(
  type: MarketEvent['type'],
  data: Data,
  wallet?: string,
): MarketEvent {
  return { type, mint: data.mint, data, ...(wallet === undefined ? {} : { wallet }) };
}

function updates(
  mints: readonly string[],
  summaries: ReadonlyMap<string, Summary>,
  newest?: NewestOf,
): MarketEvent[] {
  return mints.flatMap((mint) => {
    const booked = summaries.get(mint);
    if (booked === undefined) return [];
    const reserves = newest?.(mint);
    const summary = { ...booked, ...(reserves && pricesOf(booked, reserves)) };
    const { status, venue, virtualSol, virtualToken, marketCap, progressBps } = summary;
    const { volume24h, change24hBps, trades, lastTradeAt } = summary;
    const place = { mint, status, venue, virtualSol, virtualToken, marketCap, progressBps };
    const { aheadSlot } = summary;
    return event('update', { ...place, volume24h, change24hBps, trades, lastTradeAt, aheadSlot });
  });
}

/** What reserves say about a token's price; nothing for those that no curve of it can have, which only a false feed tells. */
function pricesOf(
  { initialVirtualToken }: Summary,
  { virtualSol, virtualToken, slot }: Reserves,
): Partial<Summary> & { readonly aheadSlot?: number } {
  try {
    return {
      virtualSol: String(virtualSol),
      virtualToken: String(virtualToken),
      marketCap: String(marketCap({ virtualSol, virtualToken })),
      progressBps: graduationProgress(virtualToken, BigInt(initialVirtualToken)).progressBps,
      aheadSlot: slot,
    };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return {};
  }
}

async function summariesOf(tx: Transaction, mints: readonly string[]): Promise<Map<string, Summary>> {
  if (mints.length === 0) return new Map();
  const rows = await statement<TokenRow>(tx)`
    select ${TOKEN_COLUMNS} from market_tokens m join tokens t on t.mint = m.mint
    where m.mint = any(${column(mints, 'text')})`;
  return new Map(rows.map((row) => [row.mint, summaryOf(row)]));
}

/** Older trades come from a backfill. Pages do not get one event for each of them. */
const LIVE_SECONDS = 600;

/** Whether something is recent enough for an event of its own. @param timestamp Unix seconds */
function isLive(timestamp: bigint | number): boolean {
  return Number(timestamp) >= Date.now() / 1_000 - LIVE_SECONDS;
}
