// Candles of hours and days: the charts stay the same when minutes are rolled up, and when old minutes are deleted.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';
import { dropPoolTrades, storePoolTrades } from '#app/market/books/pool-trades.js';
import { deleteMinutes, rollUp } from '#app/market/books/roll-up.js';
import { expireDay } from '#app/market/day-job.js';
import { candlesOf, INTERVALS, type Candle, type Interval } from '#app/market/reads/candles.js';
import { tokenDetail } from '#app/market/reads/token.js';
import type { PoolTrade } from '#app/index/trades/trade.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { BEGIN, DAY, indexGraduated, MINT, nextTrade, POOL } from '#tests/database/graduated-token.js';

describe(`rolled up candles (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('give the same charts of hours and days after minutes are rolled up and deleted', async () => {
    await indexGraduated(database);
    const mint = MINT.toBase58();
    const trades: PoolTrade[] = [];
    // Two trades after the last one of a minute, in most hours of a month and a half.
    for (let at = BEGIN + 50; at < BEGIN + 45 * DAY; at += 9_000 + (at % 7_001))
      for (const [index, sol] of [SOL, -SOL / 3n, SOL / 7n].entries())
        trades.push(nextTrade(trades.at(-1) ?? POOL, sol, at + 40 * index));
    await database.transaction((tx) => storePoolTrades(tx, trades, true));
    const charts = async (intervals: readonly Interval[]) => {
      const found: Candle[][] = [];
      for (const interval of intervals)
        for (const to of [undefined, BEGIN + 20 * DAY + 1_234, BEGIN + 2 * DAY])
          for (const limit of [1, 7, 1_000])
            found.push(await candlesOf(database.queries, { mint, interval, limit, to }));
      return found;
    };
    const rows = async (table: string) => {
      const [row] = await rowsOf<{ count: number }>(
        database.queries,
        sql`select count(*)::integer as count from ${sql.identifier(table)}`,
      );
      return row!.count;
    };
    const hours = INTERVALS.filter((interval) => interval >= 3_600);
    const [before, beforeOfHours] = [await charts(INTERVALS), await charts(hours)];
    await rollUp(database, NEVER_ABORTED);
    expect(await charts(INTERVALS)).to.deep.equal(before);
    expect(await rows('candle_days')).to.equal(46);
    const minutes = await rows('candles');
    await deleteMinutes(database, 30, NEVER_ABORTED);
    expect(await rows('candles'), 'minutes of the last 24 hours stay').to.equal(minutes);
    await expireDay(database, BEGIN + 45 * DAY);
    await deleteMinutes(database, 30, NEVER_ABORTED);
    expect(await charts(hours)).to.deep.equal(beforeOfHours);
    expect(await rows('candles')).to.be.within(0.6 * minutes, 0.7 * minutes);
    // A minute that is deleted has no candle, also after a late trade.
    const old = { mint, interval: 60, limit: 10, to: BEGIN + 2 * DAY } as const;
    expect(await candlesOf(database.queries, old)).to.deep.equal([]);
    const detail = await tokenDetail(database.queries, mint);
    const late = nextTrade(trades.at(-1)!, SOL, BEGIN + 46 * DAY);
    const first = await database.transaction((tx) => storePoolTrades(tx, [late], false));
    await database.transaction((tx) => dropPoolTrades(tx, mint, first!));
    expect(await tokenDetail(database.queries, mint)).to.deep.equal(detail);
  });
});
