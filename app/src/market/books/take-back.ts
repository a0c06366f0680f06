// Undoes trades that a reorg removed: recomputes candles, tokens and positions without them.
import { sql, type SQL } from 'drizzle-orm';
import { unnestable } from '../../db/arrays.js';
import { rowsOf, type Transaction } from '../../db/database.js';
import type { Dropped } from '../../indexer/hooks.js';
import { COLUMNS, idOf, type Trade } from '../../trades/trade.js';
import { POSITION_CHANGE, progressOf } from './book-trades.js';
import { lapsedTo } from './lapsed.js';
import { CAP, mergedCandles, MINUTE_OF_TRADE, TRADE_CANDLE } from './sql.js';

/** Recomputes the tokens that lost records or trades. Call it after these are deleted. */
export async function takeBack(
  tx: Transaction,
  { mints, trades }: Pick<Dropped, 'mints' | 'trades'>,
): Promise<void> {
  await takeBackCandles(tx, trades);
  await takeBackTokens(tx, mints, trades);
  await takeBackPositions(tx, trades);
}

/**
 * Recomputes the candles of these trades' minutes from the remaining trades. The remaining trades are not older than the candle's
 * first trade.
 */
async function takeBackCandles(tx: Transaction, lost: readonly Trade[]): Promise<void> {
  const { mint, timestamp } = COLUMNS;
  const old = await rowsOf<{ mint: string; minute: string; first: string }>(
    tx,
    sql`delete from candles c using unnest(${unnestable(lost, { mint, timestamp })}) as lost (mint, timestamp)
        where c.mint = lost.mint and c.minute = ${MINUTE_OF_TRADE}
        returning c.mint, c.minute::text as minute, c.first_id::text as first`,
  );
  const deleted = unnestable(old, {
    mint: ['text', ({ mint }) => mint],
    minute: ['bigint', ({ minute }) => minute],
    first: ['bigint', ({ first }) => first],
  });
  await tx.execute(sql`
    insert into candles (mint, minute, first_id, open, high, low, close, volume, trades)
    ${mergedCandles(
      'mint, minute',
      sql`select mint, minute, ${TRADE_CANDLE} from (
            select t.*, coalesce(lag(cap) over (partition by mint, minute order by id), (
                select price from ${priceBefore(sql`t.mint`, sql`t.id`)} p
              )) as before
            from (
              select k.mint, k.minute, all_trades.id, ${CAP} as cap, all_trades.sol_amount
              from (
                  select ${idOf(sql`d.mint`)} as mint_id, d.* from unnest(${deleted}) as d (mint, minute, first)
                ) k join trades all_trades
                on all_trades.mint_id = k.mint_id and all_trades.id >= k.first and ${MINUTE_OF_TRADE} = k.minute
            ) t
          ) remaining`,
    )}
  `);
}

/** SQL subquery: a token's newest price before an id, and its time. Without a trade, the price at its creation. */
function priceBefore(mint: SQL, id: SQL): SQL {
  return sql`(
    select id, virtual_sol, virtual_token, ${CAP} as price from (
      (select id, virtual_sol, virtual_token from trades where trades.mint_id = ${idOf(mint)} and trades.id < ${id}
        order by trades.id desc limit 1)
      union all select record_id, pool_sol, pool_token from graduations g where g.mint = ${mint} and record_id < ${id}
      union all select record_id, initial_virtual_sol, initial_virtual_token from tokens where tokens.mint = ${mint}
    ) prices order by id desc limit 1)`;
}

const AFTER_ALL = sql.raw('9223372036854775807');

async function takeBackTokens(
  tx: Transaction,
  mints: readonly string[],
  trades: readonly Trade[],
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
      last_trade_at = coalesce(l.timestamp, 0), last_id = greatest(p.id, s.last_record_id)
    from unnest(${lost}) as lost (mint, trades)
      join curve_states s on s.mint = lost.mint
      join lateral ${priceBefore(sql`lost.mint`, AFTER_ALL)} p on true
      join lateral (
        select coalesce(sum(volume), 0) as volume from candles where mint = lost.mint and minute >= ${lapsed}::bigint
      ) d on true
      left join lateral (
        select close as price from candles where mint = lost.mint and minute < ${lapsed}::bigint order by minute desc limit 1
      ) o on true
      left join lateral (
        select timestamp from trades where trades.mint_id = ${idOf(sql`lost.mint`)} order by trades.id desc limit 1
      ) l on true
      join lateral ${priceBefore(sql`lost.mint`, sql.raw('0'))} c on true
    where m.mint = lost.mint
  `);
}

/** The key of a position, from a row `lost`. */
const KEYS = sql`${idOf(sql`lost.trader`)} as wallet_id, ${idOf(sql`lost.mint`)} as mint_id`;

async function takeBackPositions(tx: Transaction, lost: readonly Trade[]): Promise<void> {
  const { mint, trader, is_buy, sol_amount, token_amount } = COLUMNS;
  const trades = unnestable(lost, { mint, trader, is_buy, sol_amount, token_amount });
  await tx.execute(sql`
    update position_rows p set amount = p.amount - f.amount, paid = p.paid - f.paid, received = p.received - f.received,
      trades = p.trades - f.trades
    from (
      select ${KEYS}, ${POSITION_CHANGE}
      from unnest(${trades}) as lost (mint, trader, is_buy, sol_amount, token_amount) group by trader, mint
    ) f where p.wallet_id = f.wallet_id and p.mint_id = f.mint_id
  `);
  await tx.execute(sql`
    delete from position_rows p using (
      select ${KEYS} from unnest(${unnestable(lost, { trader, mint })}) as lost (trader, mint)
    ) f where p.wallet_id = f.wallet_id and p.mint_id = f.mint_id and p.trades = 0
  `);
}
