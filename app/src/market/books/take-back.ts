// Undoes trades that a reorg removed: recomputes candles, tokens and positions without them.
import { sql } from 'drizzle-orm';
import { column, unnestable } from '../../db/arrays.js';
import { rowsOf, type Transaction } from '../../db/database.js';
import { progressOf, unnestPositions } from './book-trades.js';
import { foldTrades } from './fold-trades.js';
import { lapsedTo } from './lapsed.js';
import { ALL_TRADES, CAP, MINUTE_OF_TRADE } from './sql.js';
import { minuteOf, type BookedTrade } from './trade.js';

/** What a reorg removes, from an id on: unfinalized records, or unfinalized trades of one pool. */
export type Lost =
  | { readonly of: 'records'; readonly firstId: bigint }
  | { readonly of: 'pool_trades'; readonly mint: string; readonly firstId: bigint };

/**
 * Reads the rows that are about to be deleted.
 *
 * @returns a function that undoes them; call it in the same transaction, after the rows are deleted
 */
export async function takeBack(tx: Transaction, lost: Lost): Promise<() => Promise<void>> {
  const mints = await lostMints(tx, lost);
  const trades = await lostTrades(tx, lost);
  return async () => {
    if (mints.length === 0) return;
    await takeBackCandles(tx, trades);
    await takeBackTokens(tx, mints, trades);
    await takeBackPositions(tx, trades);
  };
}

/** Tokens with rows that are about to be deleted. */
export async function lostMints(tx: Transaction, lost: Lost): Promise<string[]> {
  if (lost.of === 'pool_trades') return [lost.mint];
  const rows = await rowsOf<{ mint: string }>(
    tx,
    sql`select distinct mint from records where id >= ${String(lost.firstId)}::bigint and not finalized
          and mint is not null`,
  );
  return rows.map(({ mint }) => mint);
}

async function lostTrades(tx: Transaction, lost: Lost): Promise<BookedTrade[]> {
  const first = sql`${String(lost.firstId)}::bigint`;
  const [mint, rowsLost] =
    lost.of === 'records'
      ? [
          sql`trades.mint`,
          sql`trades join records on records.id = trades.record_id where record_id >= ${first} and not finalized`,
        ]
      : [sql`mint`, sql`pool_trades where mint = ${lost.mint} and id >= ${first} and not finalized`];
  const rows = await rowsOf<{
    id: string;
    mint: string;
    trader: string;
    is_buy: boolean;
    sol: string;
    token: string;
    timestamp: string;
  }>(
    tx,
    sql`select id::text as id, ${mint} as mint, trader, is_buy, sol_amount::text as sol, token_amount::text as token,
          timestamp::text as timestamp
        from ${rowsLost}`,
  );
  return rows.map((row) => ({
    id: BigInt(row.id),
    mint: row.mint,
    trader: row.trader,
    isBuy: row.is_buy,
    solAmount: BigInt(row.sol),
    tokenAmount: BigInt(row.token),
    timestamp: Number(row.timestamp),
    // Unused: the state after a removed trade is never read.
    virtualSol: 0n,
    virtualToken: 0n,
    graduated: false,
  }));
}

/**
 * Recomputes the candles of these minutes from the remaining trades. The remaining trades are not older than the candle's
 * first trade.
 */
async function takeBackCandles(tx: Transaction, trades: readonly BookedTrade[]): Promise<void> {
  const minutes = new Map(
    trades.map(({ mint, timestamp }) => {
      const minute = minuteOf(timestamp);
      return [`${mint}${minute}`, { mint, minute }];
    }),
  );
  const keys = unnestable([...minutes.values()], {
    mint: ['text', ({ mint }) => mint],
    minute: ['bigint', ({ minute }) => minute],
  });
  const old = await rowsOf<{ mint: string; minute: string; first: string }>(
    tx,
    sql`delete from candles c using unnest(${keys}) as k (mint, minute) where c.mint = k.mint and c.minute = k.minute
        returning c.mint, c.minute::text as minute, c.first_id::text as first`,
  );
  const deleted = unnestable(old, {
    mint: ['text', ({ mint }) => mint],
    minute: ['bigint', ({ minute }) => minute],
    first: ['bigint', ({ first }) => first],
  });
  await tx.execute(sql`
    insert into candles (mint, minute, first_id, open, high, low, close, volume, trades)
    select c.mint, c.minute, c.first_id, p.price, greatest(c.high, p.price), least(c.low, p.price), c.close, c.volume, c.trades
    from (
      select k.mint, k.minute, min(t.id) as first_id, max(t.cap) as high, min(t.cap) as low,
        (array_agg(t.cap order by t.id desc))[1] as close, sum(t.sol_amount) as volume, count(*)::integer as trades
      from unnest(${deleted}) as k (mint, minute, first) join lateral (
        select id, ${CAP} as cap, sol_amount from ${ALL_TRADES} all_trades
        where all_trades.mint = k.mint and id >= k.first and ${MINUTE_OF_TRADE} = k.minute
      ) t on true
      group by k.mint, k.minute
    ) c join lateral ${priceBefore(sql`c.mint`, sql`c.first_id`)} p on true
  `);
}

/** SQL subquery: a token's newest price before an id, and its time. Without a trade, the price at its creation. */
function priceBefore(mint: ReturnType<typeof sql>, id: ReturnType<typeof sql>) {
  return sql`(
    select id, virtual_sol, virtual_token, ${CAP} as price from (
      (select id, virtual_sol, virtual_token from ${ALL_TRADES} all_trades where mint = ${mint} and id < ${id}
        order by id desc limit 1)
      union all select record_id, pool_sol, pool_token from graduations where mint = ${mint} and record_id < ${id}
      union all select record_id, initial_virtual_sol, initial_virtual_token from tokens where mint = ${mint}
    ) prices order by id desc limit 1)`;
}

const AFTER_ALL = sql.raw('9223372036854775807');

async function takeBackTokens(
  tx: Transaction,
  mints: readonly string[],
  trades: readonly BookedTrade[],
): Promise<void> {
  const counts = new Map(mints.map((mint) => [mint, 0]));
  for (const { mint } of trades) counts.set(mint, (counts.get(mint) ?? 0) + 1);
  const lapsed = await lapsedTo(tx, 'share');
  const lost = unnestable([...counts], {
    mint: ['text', ([mint]) => mint],
    trades: ['bigint', ([, n]) => n],
  });
  await tx.execute(sql`
    update market_tokens m set status = s.status, virtual_sol = p.virtual_sol, virtual_token = p.virtual_token,
      market_cap = p.price, progress_bps = ${progressOf(sql`s.status`, sql`p.virtual_token`)},
      day_volume = d.volume, day_open = coalesce(o.price, c.price), trades = m.trades - lost.trades,
      last_trade_at = coalesce(l.timestamp, 0), last_id = greatest(p.id, s.id)
    from unnest(${lost}) as lost (mint, trades)
      join lateral ${priceBefore(sql`lost.mint`, AFTER_ALL)} p on true
      join lateral (
        select coalesce(max(status), 1) as status, max(id) as id from (
          select 3 as status, record_id as id from curve_migrations where mint = lost.mint
          union all select 3, record_id from graduations where mint = lost.mint
          union all (select case when graduated then 2 else 1 end, record_id from trades where mint = lost.mint
            order by record_id desc limit 1)
        ) states
      ) s on true
      join lateral (
        select coalesce(sum(volume), 0) as volume from candles where mint = lost.mint and minute >= ${lapsed}::bigint
      ) d on true
      left join lateral (
        select close as price from candles where mint = lost.mint and minute < ${lapsed}::bigint order by minute desc limit 1
      ) o on true
      left join lateral (
        select timestamp from ${ALL_TRADES} all_trades where mint = lost.mint order by id desc limit 1
      ) l on true
      join lateral ${priceBefore(sql`lost.mint`, sql.raw('0'))} c on true
    where m.mint = lost.mint
  `);
}

async function takeBackPositions(tx: Transaction, trades: readonly BookedTrade[]): Promise<void> {
  const { positions } = foldTrades(trades);
  await tx.execute(sql`
    update positions p set amount = p.amount - f.amount, paid = p.paid - f.paid, received = p.received - f.received,
      trades = p.trades - f.trades
    from ${unnestPositions(positions)} where p.wallet = f.wallet and p.mint = f.mint
  `);
  const wallets = positions.map(({ wallet }) => wallet);
  await tx.execute(sql`delete from positions where wallet = any(${column(wallets, 'text')}) and trades = 0`);
}
