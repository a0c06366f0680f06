// The market's tables after a graduation: trades in the pool, reorgs of such trades, the end of the 24-hour window, and rolled up candles.
// threat: reorg-chart
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '#app/db/database.js';
import { MIGRATIONS_FOLDER } from '#app/db/sql-version.js';
import { finalizePoolTrades, insertTrades, takeIds } from '#app/index/trades/store.js';
import { fromRow, ROW, type PoolTrade, type Trade, type TradeRow } from '#app/index/trades/trade.js';
import { dropPoolTrades, storePoolTrades } from '#app/market/books/pool-trades.js';
import { takeBack } from '#app/market/books/take-back.js';
import { deleteMinutes, rollUp } from '#app/market/books/roll-up.js';
import { expireDay } from '#app/market/day-job.js';
import { candlesOf, INTERVALS, type Candle, type Interval } from '#app/market/reads/candles.js';
import { tokenDetail, versionOfToken } from '#app/market/reads/token.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import {
  BEGIN,
  CLOSING_SOL,
  DAY,
  GRADUATION_TOKEN,
  indexGraduated,
  MINT,
  nextTrade,
  POOL,
} from '#tests/database/graduated-token.js';
import { namedBy } from '#tests/arbitraries/named-by.js';
import { expectChartsOf, expectMarketOf } from '#tests/database/market-rows.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const weighed = namedBy('do');
const step = fc.oneof(
  weighed(6, 'trade', {
    amounts: fc.array(fc.bigInt({ min: -SOL, max: 3n * SOL }), { minLength: 1, maxLength: 4 }),
    seconds: fc.nat(100),
  }),
  weighed(2, 'drop', { share }),
  weighed(1, 'finalize', { share }),
  weighed(1, 'expireDay', { seconds: fc.nat(300) }),
  weighed(1, 'roll up', { seconds: fc.nat(5_000) }),
);

interface Stored extends PoolTrade {
  readonly id: bigint;
  finalized: boolean;
}

describe(`the market tables of pool trades (${DATABASE_KIND})`, () => {
  const database = useDatabase();

  async function storeOther(tx: Transaction, trade: PoolTrade): Promise<void> {
    const id = await takeIds(tx, 1);
    await insertTrades(tx, [{ ...trade, id, venue: 'pool', graduated: false, finalized: true }]);
  }

  const candlesOfVersion = new Map<string, string>();
  /** Answers are cached by this version, so two different charts must never share one. */
  async function expectVersion(): Promise<void> {
    const mint = MINT.toBase58();
    const version = await versionOfToken(database.queries, mint);
    const candles = JSON.stringify(await candlesOf(database.queries, { mint, interval: 60, limit: 1_000 }));
    expect(candlesOfVersion.get(version!) ?? candles).to.equal(candles);
    candlesOfVersion.set(version!, candles);
  }

  it('equal the sum of all trades, whatever trades a reorg removes', async () => {
    let dropped = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
        const records = await indexGraduated(database);
        const opened = records.at(-1)!;
        if (opened.kind !== 'graduate') throw new Error('the last record is no graduation');
        const pool = { virtualSol: opened.data.poolSol, virtualToken: opened.data.poolToken };
        let stored: Stored[] = [];
        let now = BEGIN + 50;
        for (const each of steps) {
          const open = stored.filter(({ finalized }) => !finalized);
          if (each.do === 'trade') {
            now += each.seconds;
            const fresh: PoolTrade[] = [];
            for (const lamports of each.amounts)
              fresh.push(nextTrade(fresh.at(-1) ?? stored.at(-1) ?? pool, lamports, now));
            const first = await database.transaction((tx) => storePoolTrades(tx, fresh, false));
            stored.push(...fresh.map((trade, i) => ({ ...trade, id: first! + BigInt(i), finalized: false })));
          } else if (each.do === 'expireDay') {
            await expireDay(database, now - each.seconds + DAY);
          } else if (each.do === 'roll up') {
            // After a trade of another token, what follows here can be late.
            const other = {
              ...nextTrade(stored.at(-1) ?? pool, SOL, now + each.seconds),
              mint: 'another mint',
            };
            await database.transaction((tx) => storeOther(tx, other));
            await rollUp(database, NEVER_ABORTED);
          } else if (open.length > 0) {
            const { id, slot } = open[Math.floor(each.share * (open.length - 1))]!;
            if (each.do === 'finalize') {
              await database.transaction((tx) => finalizePoolTrades(tx, MINT.toBase58(), slot));
              for (const trade of open) if (trade.slot <= slot) trade.finalized = true;
            } else {
              const lost = stored.filter((trade) => trade.id >= id).length;
              expect(await database.transaction((tx) => dropPoolTrades(tx, MINT.toBase58(), id))).to.equal(
                lost,
              );
              stored = stored.filter((trade) => trade.id < id);
              dropped += lost;
            }
          }
          await expectMarketOf(database.queries, records, stored);
          await expectChartsOf(database.queries, records, stored);
          await expectVersion();
        }
      }),
      { numRuns: 20 },
    );
    expect(dropped).to.be.above(0);
  });

  /** The launch's slot is that of the only buy on the curve. */
  async function indexBoughtAtLaunch(): Promise<Trade> {
    await indexGraduated(database);
    const { queries } = database;
    await statement(queries)`
      update other_records set slot = (select slot from trade_rows) where kind = 'create'`;
    await statement(queries)`
      update market_tokens set launch_slot_bought = (select token_amount from trade_rows)`;
    const [row] = await statement<TradeRow>(queries)`select ${ROW} from trades t`;
    return fromRow(row!, false);
  }

  it('lose what a reorg removes of the slot of the launch', async () => {
    const trade = await indexBoughtAtLaunch();
    const mint = MINT.toBase58();
    const bought = async () => (await tokenDetail(database.queries, mint))?.launchSlotBought;
    expect(await bought()).to.equal(String(trade.tokenAmount));
    await database.transaction(async (tx) => {
      await takeBack(tx, {
        mints: [mint],
        trades: [
          { ...trade, venue: 'pool' },
          { ...trade, slot: trade.slot + 1 },
        ],
      });
    });
    expect(await bought(), 'of another venue or slot').to.equal(String(trade.tokenAmount));
    await database.transaction((tx) => takeBack(tx, { mints: [mint], trades: [trade] }));
    expect(await bought()).to.equal('0');
  });

  it('are the same when the migration that added a column sums the trades of before', async () => {
    await indexBoughtAtLaunch();
    const { queries } = database;
    const pool = { virtualSol: CLOSING_SOL, virtualToken: GRADUATION_TOKEN };
    const first = nextTrade(pool, SOL, BEGIN + 45);
    const sales = [nextTrade(first, -SOL / 2n, BEGIN + 46), nextTrade(first, -SOL / 3n, BEGIN + 47)];
    const trades = [first, ...sales].map((trade) => ({ ...trade, trader: first.trader }));
    await database.transaction((tx) => storePoolTrades(tx, trades, true));
    const sums = () =>
      statement<{ bought: string; sold: string }>(queries)`
        select launch_slot_bought::text as bought, sold::text as sold from market_tokens, position_rows order by wallet_id`;
    const before = await sums();
    const sold = sales[0]!.tokenAmount + sales[1]!.tokenAmount;
    expect(before.map((row) => row.sold)).to.include(String(sold));
    expect(before[0]!.bought).not.to.equal('0');
    await queries.execute(sql`alter table market_tokens drop column launch_slot_bought`);
    await queries.execute(sql`alter table position_rows drop column sold`);
    const migration = await readFile(join(MIGRATIONS_FOLDER, '0001_launch_and_sales.sql'), 'utf8');
    await database.transaction(async (tx) => {
      for (const statement of migration.split('--> statement-breakpoint'))
        await tx.execute(sql.raw(statement));
    });
    expect(await sums()).to.deep.equal(before);
  });

  it('remove trades from the 24-hour volume minute by minute', async () => {
    await indexGraduated(database);
    const mint = MINT.toBase58();
    const volume = async () => (await tokenDetail(database.queries, mint))?.volume24h;
    // The curve's trade is in the first minute.
    const minute = BEGIN - (BEGIN % 60);
    await expireDay(database, minute + DAY + 59);
    expect(await volume()).to.equal(String(86n * SOL));
    const before = await tokenDetail(database.queries, mint);
    expect(before?.change24hBps).to.be.above(0);
    await expireDay(database, minute + DAY + 60);
    expect(await volume()).to.equal('0');
    // The remaining change comes only from the opening of the pool.
    const after = await tokenDetail(database.queries, mint);
    expect(after?.change24hBps).to.be.within(0, 50);
    // A trade of that minute that is stored later does not count in the 24 hours either.
    const late = nextTrade({ virtualSol: CLOSING_SOL, virtualToken: GRADUATION_TOKEN }, SOL, BEGIN + 45);
    await database.transaction((tx) => storePoolTrades(tx, [late], true));
    expect(await volume()).to.equal('0');
    await expireDay(database, minute);
    const [state] = await statement<{ lapsed: string }>(database.queries)`
      select lapsed_to::text as lapsed from market_state`;
    expect(Number(state?.lapsed), 'a clock that goes back changes nothing').to.equal(minute + 60);
  });

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
      const [row] = await statement<{ count: number }>(database.queries)`
        select count(*)::integer as count from ${sql.identifier(table)}`;
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
