// Adds trades to the market's tables, with a few statements for any number of trades. See docs/decisions/market-api.md.
import { BASIS_POINTS, CurveStatus, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { unnestable } from '../../db/arrays.js';
import type { Transaction } from '../../db/database.js';
import { foldTrades, type CandleChange, type PositionChange, type TokenChange } from './fold-trades.js';
import { lapsedTo } from './lapsed.js';
import type { BookedTrade } from './trade.js';

/**
 * Books trades of curves or pools, in the order of their ids. The ids must be larger than those of all booked trades of the
 * same tokens. Trades of unknown tokens change nothing.
 */
export async function bookTrades(tx: Transaction, trades: readonly BookedTrade[]): Promise<void> {
  if (trades.length === 0) return;
  const { candles, tokens, positions } = foldTrades(trades);
  await addToCandles(tx, candles, tokens, await lapsedTo(tx, 'share'));
  await addToPositions(tx, positions);
}

/** Graduation progress of a row `m` of `market_tokens`, in basis points. */
export function progressOf(status: ReturnType<typeof sql>, virtualToken: ReturnType<typeof sql>) {
  const whole = sql.raw(`${BASIS_POINTS}`);
  const reserve = sql.raw(`${GRADUATION_VIRTUAL_TOKEN}`);
  return sql`case when ${status} <> ${sql.raw(`${CurveStatus.Trading}`)} then ${whole} else coalesce(greatest(0,
    div((m.initial_virtual_token - ${virtualToken}) * ${whole}, nullif(m.initial_virtual_token - ${reserve}, 0))), 0) end`;
}

/** Writes candles and tokens in one statement, because a token's first candle opens at the price before the update. */
async function addToCandles(
  tx: Transaction,
  candles: readonly CandleChange[],
  tokens: readonly TokenChange[],
  lapsed: number,
): Promise<void> {
  const freshCandles = unnestable(candles, {
    mint: ['text', ({ mint }) => mint],
    minute: ['bigint', ({ minute }) => minute],
    first_id: ['bigint', ({ firstId }) => firstId],
    open: ['numeric', ({ open }) => open],
    high: ['numeric', ({ high }) => high],
    low: ['numeric', ({ low }) => low],
    close: ['numeric', ({ close }) => close],
    volume: ['numeric', ({ volume }) => volume],
    trades: ['integer', ({ trades }) => trades],
  });
  const freshTokens = unnestable(tokens, {
    mint: ['text', ({ last }) => last.mint],
    graduated: ['boolean', ({ graduated }) => graduated],
    virtual_sol: ['numeric', ({ last }) => last.virtualSol],
    virtual_token: ['numeric', ({ last }) => last.virtualToken],
    market_cap: ['numeric', ({ cap }) => cap],
    trades: ['bigint', ({ trades }) => trades],
    last_trade_at: ['bigint', ({ last }) => last.timestamp],
    last_id: ['bigint', ({ last }) => last.id],
  });
  const status = sql`case when f.graduated then ${sql.raw(`${CurveStatus.Finalized}`)} else m.status end`;
  await tx.execute(sql`
    with fresh as (
      select * from unnest(${freshCandles}) as c (mint, minute, first_id, open, high, low, close, volume, trades)
    ), booked as (
      insert into candles (mint, minute, first_id, open, high, low, close, volume, trades)
      select f.mint, f.minute, f.first_id, o.open, greatest(f.high, o.open), least(f.low, o.open), f.close, f.volume, f.trades
      from fresh f join market_tokens m on m.mint = f.mint
        left join candles c on c.mint = f.mint and c.minute = f.minute,
        lateral (select coalesce(f.open, c.open, m.market_cap) as open) o
      on conflict (mint, minute) do update set high = greatest(candles.high, excluded.high),
        low = least(candles.low, excluded.low), close = excluded.close, volume = candles.volume + excluded.volume,
        trades = candles.trades + excluded.trades
    ), days as (
      select mint, coalesce(sum(volume) filter (where minute >= ${lapsed}::bigint), 0) as volume,
        (array_agg(close order by minute desc) filter (where minute < ${lapsed}::bigint))[1] as open
      from fresh group by mint
    )
    update market_tokens m set status = ${status}, virtual_sol = f.virtual_sol, virtual_token = f.virtual_token,
      market_cap = f.market_cap, progress_bps = ${progressOf(status, sql`f.virtual_token`)},
      day_volume = m.day_volume + days.volume, day_open = coalesce(days.open, m.day_open), trades = m.trades + f.trades,
      last_trade_at = f.last_trade_at, last_id = f.last_id
    from unnest(${freshTokens}) as f (mint, graduated, virtual_sol, virtual_token, market_cap, trades, last_trade_at, last_id)
      join days on days.mint = f.mint
    where m.mint = f.mint
  `);
}

/** Position changes as rows `f`. */
export function unnestPositions(positions: readonly PositionChange[]) {
  const columns = unnestable(positions, {
    wallet: ['text', ({ wallet }) => wallet],
    mint: ['text', ({ mint }) => mint],
    amount: ['numeric', ({ amount }) => amount],
    paid: ['numeric', ({ paid }) => paid],
    received: ['numeric', ({ received }) => received],
    trades: ['bigint', ({ trades }) => trades],
  });
  return sql`unnest(${columns}) as f (wallet, mint, amount, paid, received, trades)`;
}

async function addToPositions(tx: Transaction, positions: readonly PositionChange[]): Promise<void> {
  await tx.execute(sql`
    insert into positions (wallet, mint, amount, paid, received, trades)
    select f.wallet, f.mint, f.amount, f.paid, f.received, f.trades
    from ${unnestPositions(positions)} join market_tokens m on m.mint = f.mint
    on conflict (wallet, mint) do update set amount = positions.amount + excluded.amount,
      paid = positions.paid + excluded.paid, received = positions.received + excluded.received,
      trades = positions.trades + excluded.trades
  `);
}
