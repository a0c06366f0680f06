// The pauses of a booking by made-up numbers of transactions, on a clock of the test.
import { expect } from 'chai';
import type { Database } from '#app/db/database.js';
import { BookingPace } from '#app/graduation/settlement/credits/booking.js';
import { useStandingClock } from '#tests/mocha/standing-clock.js';

const LOOK_EVERY_MS = 1_000;
const BATCH_MS = 50;

describe('the pace of a booking', () => {
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
    [50, 25, 400],
    [100, 50, 300],
    [150, 75, 200],
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

  it('looks at most so often, and counts its own transactions since the last look', async () => {
    const pace = await begun();
    transactions! += 1_000_000;
    clock.ms += LOOK_EVERY_MS - 1;
    for (let batch = 0; batch < 4; batch += 1) expect(await pace.after(BATCH_MS)).to.equal(100);
    expect(looks).to.equal(1);
    clock.ms += 1;
    // 5 are its own, and 100 of others.
    transactions! -= 1_000_000 - 105;
    expect(await pace.after(BATCH_MS)).to.equal(50);
    expect(looks).to.equal(2);
    clock.ms += LOOK_EVERY_MS;
    transactions! += 1;
    expect(await pace.after(BATCH_MS)).to.equal(0);
    // A counter that was reset.
    clock.ms += LOOK_EVERY_MS;
    transactions = 0;
    expect(await pace.after(BATCH_MS)).to.equal(0);
  });

  it('stays as it is when the database counts nothing', async () => {
    const pace = await begun();
    clock.ms += LOOK_EVERY_MS;
    transactions! += 101;
    expect(await pace.after(BATCH_MS)).to.equal(50);
    transactions = undefined;
    clock.ms += LOOK_EVERY_MS;
    expect(await pace.after(BATCH_MS)).to.equal(50);
    transactions = 9_000;
    clock.ms += LOOK_EVERY_MS;
    expect(await pace.after(BATCH_MS)).to.equal(50);
    transactions = 9_000 + 51;
    clock.ms += LOOK_EVERY_MS;
    expect(await pace.after(BATCH_MS)).to.equal(25);
  });
});
