// How long a booking pauses, by what others do in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';
import { BookingPace } from '#app/graduation/settlement/credits/booking.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { eventually } from '#tests/service/service.js';

const BATCH_MS = 50;
/** Batches without a pause. */
const FREE = 9;

describe(`the pauses of a booking (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  async function begun(): Promise<BookingPace> {
    const pace = new BookingPace(database, 2_000);
    for (let batch = 0; batch < FREE; batch += 1) expect(await pace.after(BATCH_MS)).to.equal(0);
    expect(await pace.after(BATCH_MS)).to.equal(2 * BATCH_MS);
    return pace;
  }

  it('begin after the first batches, are twice as long as a batch, and at most a fifth of a second', async () => {
    expect(await (await begun()).after(10_000)).to.equal(200);
  });

  if (DATABASE_KIND === 'pglite') {
    it('stay so in the embedded database', async () => {
      const pace = await begun();
      await sleep(2_500);
      expect(await pace.after(BATCH_MS)).to.equal(2 * BATCH_MS);
    });
    return;
  }

  it('become short while nobody else uses the database, and long again while many do', async () => {
    const pace = await begun();
    expect(pace.wallets).to.equal(100);
    const pause = () => sleep(200).then(() => pace.after(BATCH_MS));
    await eventually(async () => (await pause()) < BATCH_MS / 2, 'short pauses', 20_000);
    expect(pace.wallets).to.be.within(400, 500);
    let others = true;
    const busy = (async () => {
      while (others) await Promise.all([1, 2, 3, 4].map(() => database.queries.execute(sql`select 1`)));
    })();
    try {
      await eventually(async () => (await pause()) === 2 * BATCH_MS, 'long pauses', 20_000);
      expect(pace.wallets).to.equal(100);
    } finally {
      others = false;
      await busy;
    }
  });
});
