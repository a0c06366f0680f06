// What tokens were worth in the last 24 hours, for lists. A token costs at most some hundred rows: the hours of the day and the
// minutes of the last hour, or the minutes of a token that is younger than a few hours.
import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { column, preparedRows } from '../../db/statements.js';
import { DAYS, HOURS, MINUTE } from '../books/sql.js';

export const POINTS = 24;
const YOUNG = 2 * HOURS.seconds;
const FIVE_MINUTES = 5 * MINUTE;

/** Start in Unix seconds, open, close, volume. Of an hour, its last minute counts as the start. */
type Part = readonly [at: number, open: string, close: string, volume: string];
type Row = Readonly<Record<'mint' | 'market_cap' | 'day_open' | 'began', string>> & {
  readonly parts: readonly Part[] | null;
};

/** Of these tokens, in this order. @param now Unix seconds of the cluster's clock */
export async function pricesOf(db: Executor, mints: readonly string[], now: number) {
  const lastHour = startOf(now, HOURS.seconds);
  const rows = await preparedRows<Row>(
    db,
    sql`select m.mint, m.market_cap::text as market_cap, m.day_open::text as day_open, s.began::text as began, (
          select json_agg(json_build_array(at, open::text, close::text, volume::text) order by at) from (
            select least(hour + ${HOURS.seconds - MINUTE}::bigint, s.minutes - ${MINUTE}::bigint) as at, open, close, volume from candle_hours c
              where c.mint = m.mint and c.hour >= s.began - ${HOURS.seconds}::bigint and c.hour < s.minutes
            union all select minute, open, close, volume from candles c where c.mint = m.mint and c.minute >= s.minutes
          ) parts
        ) as parts
        from unnest(${column(mints, 'text')}) with ordinality as named (mint, place)
          cross join market_state
          cross join lateral (select * from market_tokens where market_tokens.mint = named.mint limit 1) m
          cross join lateral (select * from tokens where tokens.mint = named.mint limit 1) t
          cross join lateral (
            select greatest(t.created_at, ${now - DAYS.seconds}::bigint) as began, case
              when t.created_at > ${now - YOUNG}::bigint then t.created_at - ${MINUTE}::bigint
              else greatest(least(rolled_to, ${lastHour}::bigint), ${now - DAYS.seconds}::bigint) end as minutes
          ) s
        where not exists (select 1 from hidden_tokens h where h.mint = m.mint) order by named.place`,
  );
  return { items: rows.map((row) => pricesIn(row, now)) };
}

/** The minute in which a window ends that began so many seconds ago. */
const startOf = (now: number, seconds: number) => now - seconds - (now % MINUTE);

function pricesIn({ mint, market_cap: cap, day_open: open, began, parts }: Row, now: number) {
  const since = (seconds: number) => (parts ?? []).filter(([at]) => at >= startOf(now, seconds));
  /** A candle opens at the price before it. Without one since then, the price was that of now. */
  const capBefore = (seconds: number) => since(seconds)[0]?.[1] ?? cap;
  const volumeSince = (seconds: number) =>
    String(since(seconds).reduce((sum, [, , , volume]) => sum + BigInt(volume), 0n));
  const length = Math.max(0, now - Number(began)) / (POINTS - 1);
  const spark = Array.from({ length: POINTS - 1 }, (_, index) => {
    const time = Number(began) + index * length;
    return (parts ?? []).findLast(([at]) => at + MINUTE <= time)?.[2] ?? open;
  });
  return {
    mint,
    marketCap5m: capBefore(FIVE_MINUTES),
    marketCap1h: capBefore(HOURS.seconds),
    volume5m: volumeSince(FIVE_MINUTES),
    volume1h: volumeSince(HOURS.seconds),
    spark: [...spark, cap],
  };
}
