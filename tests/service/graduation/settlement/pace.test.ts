// The pauses of a booking by the numbers of others' transactions, made-up ones and those of PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';
import { BookingPace } from '#app/graduation/settlement/credits/booking.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { useStandingClock } from '#tests/mocha/standing-clock.js';
import { eventually } from '#tests/service/service.js';

const LOOK_EVERY_MS = 1_000;
const BATCH_MS = 50;

describe(`the pace of a booking (${DATABASE_KIND})`, function () {
  this.timeout(90_000);
  const clock = useStandingClock();
  let transactions: number | undefined;
  let looks: number;
  beforeEach(() => {
    [transactions, looks] = [5_000, 0];
  });

  function paceOn(kind: Database['kind']): BookingPace {
    const execute = () => {
      looks += 1;
      return Promise.resolve({
        rows: transactions === undefined ? [] : [{ transactions: `${transactions}` }],
      });
    };
    return new BookingPace({ kind, queries: { execute } as unknown as Database['queries'] }, LOOK_EVERY_MS);
  }

  /** After the batches that have no pause, and the first look. */
  async function begun(kind: Database['kind'] = 'postgres'): Promise<BookingPace> {
    const pace = paceOn(kind);
    for (let batch = 1; batch < 10; batch += 1) expect(await pace.after(BATCH_MS)).to.equal(0);
    expect(looks).to.equal(0);
    expect(await pace.after(BATCH_MS)).to.equal(100);
    return pace;
  }

  it('is slowest at first, and always in the embedded database', async () => {
    expect(paceOn('postgres').wallets).to.equal(100);
    const pace = await begun('pglite');
    clock.ms += 10 * LOOK_EVERY_MS;
    expect(await pace.after(BATCH_MS)).to.equal(100);
    expect(await pace.after(101)).to.equal(200);
    expect([looks, pace.wallets]).to.deep.equal([0, 100]);
  });

  /** Transactions of others in a second, the pause after a batch of 50 ms, and the wallets of the next. */
  const cases = [
    [0, 0, 500],
    [100, 50, 300],
    [200, 100, 100],
    [1_000, 100, 100],
  ] as const;
  for (const [perSecond, pause, wallets] of cases)
    it(`follows ${perSecond} transactions a second of others`, async () => {
      const pace = await begun();
      expect(looks).to.equal(1);
      // In two seconds, beside one of its own.
      clock.ms += 2_000;
      transactions! += 2 * perSecond + 1;
      expect(await pace.after(BATCH_MS)).to.equal(pause);
      expect([looks, pace.wallets]).to.deep.equal([2, wallets]);
    });

  it('looks at most so often, counts its own transactions since the last look, and bears a counter that is reset or missing', async () => {
    const pace = await begun();
    transactions! += 1_000_000;
    clock.ms += LOOK_EVERY_MS - 1;
    for (let batch = 0; batch < 4; batch += 1) expect(await pace.after(BATCH_MS)).to.equal(100);
    expect(looks).to.equal(1);
    clock.ms -= LOOK_EVERY_MS - 1;
    // 5 of its own and 100 of others; then only its own; then a counter that was reset, and none.
    for (const [now, pause] of [
      [5_105, 50],
      [5_106, 0],
      [0, 0],
      [undefined, 0],
    ] as const) {
      clock.ms += LOOK_EVERY_MS;
      transactions = now;
      expect(await pace.after(BATCH_MS), String(now)).to.equal(pause);
    }
  });

  if (DATABASE_KIND === 'postgres')
    it('becomes quick while nobody else uses PostgreSQL, and slow again while many do', async () => {
      const database = await openTestDatabase();
      let [others, busy] = [true, Promise.resolve()];
      try {
        const pace = new BookingPace(database, 2_000);
        const pause = async () => {
          await sleep(200);
          clock.ms += 200;
          return pace.after(BATCH_MS);
        };
        await eventually(async () => (await pause()) > 0, 'the first pause', 20_000);
        await eventually(async () => (await pause()) < BATCH_MS / 2, 'short pauses', 20_000);
        busy = (async () => {
          while (others) await Promise.all([1, 2, 3, 4].map(() => database.queries.execute(sql`select 1`)));
        })();
        await eventually(async () => (await pause()) === 2 * BATCH_MS, 'long pauses', 20_000);
      } finally {
        others = false;
        await busy;
        await database.close();
      }
    });
});
