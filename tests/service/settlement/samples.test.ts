// Samples of a token's holders in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { abandonSettlement } from '#app/settlement/repository.js';
import {
  addToSample,
  beginSample,
  finishSample,
  samplesOf,
  sumSamples,
} from '#app/settlement/periods/samples-repository.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';

describe(`samples of the holders (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  let mints = 0;
  const begin = () => beginPeriod(database, `mint ${(mints += 1)}`);
  const holdings = [{ owner: 'wallet', balance: 5n }];
  const weights = async (id: number) => (await database.transaction((tx) => sumSamples(tx, id, []))).held;
  const chunks = async (id: number) => {
    const [row] = await rowsOf<{ chunks: string }>(
      database.queries,
      sql`select count(*)::text as chunks from settlement_sample_chunks c join settlement_samples s on s.id = c.sample_id
        where s.settlement_id = ${id}`,
    );
    return Number(row?.chunks);
  };

  it('count once, whatever the number of settlers that take them', async () => {
    const id = await begin();
    const taken = await Promise.all([0, 0, 0].map((index) => addSample(database, id, index, [holdings])));
    expect(taken.filter(Boolean)).to.have.length(1);
    expect(await addSample(database, id, 0, [holdings])).to.equal(false);
    expect(await weights(id)).to.equal(5n);
    expect(await addSample(database, id, 1, [holdings])).to.equal(true);
    expect(await weights(id)).to.equal(10n);
  });

  it('count only after they are complete; the next settler replaces an incomplete one', async () => {
    const id = await begin();
    const half = await database.transaction((tx) => beginSample(tx, id, 0, new Date()));
    await database.transaction((tx) => addToSample(tx, half!, 0, holdings));
    expect(await weights(id)).to.equal(0n);
    expect(await addSample(database, id, 0, [holdings, []])).to.equal(true);
    // The first settler returns late.
    expect(await database.transaction((tx) => addToSample(tx, half!, 1, holdings))).to.equal(false);
    expect(
      await database.transaction((tx) => finishSample(tx, { id: half!, settlementId: id, slot: 9 })),
    ).to.equal(false);
    expect(await weights(id)).to.equal(5n);
    expect((await samplesOf(database.queries, [id])).get(id)!.map(({ index }) => index)).to.deep.equal([0]);
  });

  it('take no more holders after the period has ended, and leave no chunk behind', async () => {
    const id = await begin();
    const sample = await database.transaction((tx) => beginSample(tx, id, 0, new Date()));
    await database.transaction((tx) => addToSample(tx, sample!, 0, holdings));
    // Another process ends the period while this one still reads.
    let adding: Promise<boolean> | undefined;
    await database.transaction(async (tx) => {
      await abandonSettlement(tx, id);
      adding = database.transaction((other) => addToSample(other, sample!, 1, holdings));
      await sleep(200);
    });
    expect(await adding).to.equal(false);
    expect(await chunks(id)).to.equal(0);
    expect(await addSample(database, id, 1, [holdings])).to.equal(false);
  });
});
