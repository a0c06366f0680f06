// Undoes trades that a reorg removed: recomputes candles, tokens and positions without them.
import { sql } from 'drizzle-orm';
import { unnestable } from '../../db/statements.js';
import type { Transaction } from '../../db/database.js';
import type { Dropped } from '../../index/hooks.js';
import { COLUMNS, idOf, type Trade } from '../../index/trades/trade.js';
import { inLaunchSlot, POSITION_CHANGE, progressOf } from './book-trades.js';
import { priceBefore, recomputeCandles } from './recompute-candles.js';
import { MINUTES, ROLLED } from './sql.js';
import { marketState, type MarketState } from './state.js';

/** Recomputes the tokens that lost records or trades. Call it after these are deleted. */
export async function takeBack(
  tx: Transaction,
  { mints, trades }: Pick<Dropped, 'mints' | 'trades'>,
): Promise<void> {
  const state = await marketState(tx, 'share');
  await recomputeCandles(tx, MINUTES, trades, { areStored: false });
  const until = state.rolledTo;
  const rolled = trades.filter(({ timestamp }) => timestamp < until);
  for (const table of rolled.length > 0 ? ROLLED : [])
    await recomputeCandles(tx, table, rolled, { areStored: false, until });
  await takeBackTokens(tx, mints, trades, state);
  await takeBackPositions(tx, trades);
}

const AFTER_ALL = sql.raw('9223372036854775807');

async function takeBackTokens(
  tx: Transaction,
  mints: readonly string[],
  trades: readonly Trade[],
  { lapsedTo: lapsed, minutesFrom }: MarketState,
): Promise<void> {
  const counts = new Map(mints.map((mint) => [mint, 0]));
  for (const { mint } of trades) counts.set(mint, (counts.get(mint) ?? 0) + 1);
  const lost = unnestable([...counts], {
    mint: ['text', ([mint]) => mint],
    trades: ['bigint', ([, n]) => n],
  });
  const { mint, slot, is_buy, token_amount } = COLUMNS;
  const bought = unnestable(trades, {
    mint,
    slot,
    is_buy,
    token_amount,
    in_pool: ['boolean', ({ venue }) => venue === 'pool'],
  });
  await tx.execute(sql`
    update market_tokens m set status = s.status, virtual_sol = p.virtual_sol, virtual_token = p.virtual_token,
      market_cap = p.price, progress_bps = ${progressOf(sql`s.status`, sql`p.virtual_token`)},
      day_volume = d.volume, day_open = coalesce(o.price, c.price), trades = m.trades - lost.trades,
      launch_slot_bought = m.launch_slot_bought - coalesce((
        select sum(token_amount) from unnest(${bought}) as bought (mint, slot, is_buy, token_amount, in_pool)
        where bought.mint = m.mint and ${inLaunchSlot('(select launched.slot from other_records launched where launched.id = created_id)')}
      ), 0),
      last_trade_at = coalesce(l.timestamp, 0), last_id = greatest(p.id, s.last_record_id)
    from unnest(${lost}) as lost (mint, trades)
      join curve_states s on s.mint = lost.mint
      join lateral ${priceBefore(sql`lost.mint`, AFTER_ALL)} p on true
      join lateral (
        select coalesce(sum(volume), 0) as volume from candles where mint = lost.mint and minute >= ${lapsed}::bigint
      ) d on true
      left join lateral (
        select close as price from (
          (select close, minute as start from candles where mint = lost.mint and minute < ${lapsed}::bigint
            order by minute desc limit 1)
          union all (select close, hour from candle_hours where mint = lost.mint and hour < ${minutesFrom}::bigint
            order by hour desc limit 1)
        ) earlier order by start desc limit 1
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
      trades = p.trades - f.trades, sold = p.sold - f.sold
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
