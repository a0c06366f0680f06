// Adds stored trades to the market's tables, with one statement for any number of trades. See docs/decisions/market.md.
import { BASIS_POINTS, CurveStatus, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';
import { column, rangeOf, within } from '../../db/statements.js';
import type { Transaction } from '../../db/database.js';
import type { Trade } from '../../index/trades/trade.js';
import { recomputeCandles } from './recompute-candles.js';
import { CAP, mergeInto, MINUTE_OF_TRADE, MINUTES, ROLLED, TRADE_CANDLE } from './sql.js';
import { marketState } from './state.js';

/** Graduation progress of a row `m` of `market_tokens`, in basis points. */
export function progressOf(status: SQL, virtualToken: SQL): SQL {
  const whole = sql.raw(`${BASIS_POINTS}`);
  const reserve = sql.raw(`${GRADUATION_VIRTUAL_TOKEN}`);
  return sql`case when ${status} <> ${sql.raw(`${CurveStatus.Trading}`)} then ${whole} else coalesce(greatest(0,
    div((m.initial_virtual_token - ${virtualToken}) * ${whole}, nullif(m.initial_virtual_token - ${reserve}, 0))), 0) end`;
}

/** Changes of positions by trades, as columns of a query that is grouped by wallet and mint. */
export const POSITION_CHANGE =
  sql.raw(`sum(case when is_buy then token_amount else -token_amount end) as amount,
  coalesce(sum(sol_amount) filter (where is_buy), 0) as paid,
  coalesce(sum(sol_amount) filter (where not is_buy), 0) as received, count(*) as trades,
  coalesce(sum(token_amount) filter (where not is_buy), 0) as sold`);

/** Whether a row of trades bought on the curve in the slot of its token's creation. */
export function inLaunchSlot(launchSlot: string): SQL {
  return sql.raw(`is_buy and not in_pool and slot = ${launchSlot}`);
}

/** What is needed of a row `t` of trades. */
const FRESH = sql.raw(
  't.id, t.mint_id, t.trader_id, t.in_pool, t.is_buy, t.slot, t.sol_amount, t.token_amount, t.virtual_sol, t.virtual_token, t.graduated, t.timestamp',
);

/**
 * Books stored trades of curves or pools: all of those whose ids are between the first and the last one. They must be larger than those
 * of all booked trades of the same tokens. Trades of unknown tokens change nothing. A token's first candle opens at the price before the
 * update of its row. The range comes first: by the token, the planner would read all trades of a busy one.
 */
export async function bookTrades(tx: Transaction, trades: readonly Trade[]): Promise<void> {
  if (trades.length === 0) return;
  const { lapsedTo: lapsed, rolledTo } = await marketState(tx, 'share');
  const status = sql`case when f.graduated then ${sql.raw(`${CurveStatus.Finalized}`)} else m.status end`;
  await tx.execute(sql`
    with traded as materialized (
      select m.mint, a.id as mint_id, m.market_cap, launched.slot as launch_slot
      from unnest(${column([...new Set(trades.map(({ mint }) => mint))], 'text')}) as of_trades (mint)
        join market_tokens m on m.mint = of_trades.mint join addresses a on a.address = m.mint
        left join other_records launched on launched.id = m.created_id
    ), fresh as materialized (
      select p.*, coalesce(lag(p.cap) over (partition by p.mint_id order by p.id), p.market_cap) as before
      from (
        select k.mint, k.market_cap, k.launch_slot, ${FRESH}, ${CAP} as cap, ${MINUTE_OF_TRADE} as minute
        from (
            select * from trade_rows where ${within('id', rangeOf(trades))} offset 0
          ) t join traded k on k.mint_id = t.mint_id offset 0
      ) p
    ), new_candles as (
      ${mergeInto(MINUTES, sql`select mint, minute, ${TRADE_CANDLE} from fresh`)}
    ), new_positions as (
      insert into position_rows as p (wallet_id, mint_id, amount, paid, received, trades, sold)
      select trader_id, mint_id, ${POSITION_CHANGE} from fresh group by trader_id, mint_id
      on conflict (wallet_id, mint_id) do update set amount = p.amount + excluded.amount, paid = p.paid + excluded.paid,
        received = p.received + excluded.received, trades = p.trades + excluded.trades, sold = p.sold + excluded.sold
    ), sums as (
      select mint, max(id) as last_id, bool_or(graduated) as graduated, count(*) as trades,
        coalesce(sum(token_amount) filter (where ${inLaunchSlot('launch_slot')}), 0) as launch_slot_bought,
        coalesce(sum(sol_amount) filter (where minute >= ${lapsed}::bigint), 0) as day_volume,
        (array_agg(cap order by minute desc, id desc) filter (where minute < ${lapsed}::bigint))[1] as day_open
      from fresh group by mint
    )
    update market_tokens m set status = ${status}, virtual_sol = last.virtual_sol, virtual_token = last.virtual_token,
      market_cap = last.cap, progress_bps = ${progressOf(status, sql`last.virtual_token`)},
      day_volume = m.day_volume + f.day_volume, day_open = coalesce(f.day_open, m.day_open), trades = m.trades + f.trades,
      launch_slot_bought = m.launch_slot_bought + f.launch_slot_bought,
      last_trade_at = last.timestamp, last_id = last.id
    from sums f join fresh last on last.id = f.last_id where m.mint = f.mint
  `);
  // Trades that are stored late. Others are added to hours and days when their minutes are rolled up.
  const late = trades.filter(({ timestamp }) => timestamp < rolledTo);
  for (const table of late.length > 0 ? ROLLED : [])
    await recomputeCandles(tx, table, late, { areStored: true, until: rolledTo });
}
