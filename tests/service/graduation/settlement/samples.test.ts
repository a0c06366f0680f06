// Samples of a token's holders in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { abandonSettlement } from '#app/graduation/settlement/repository.js';
import {
  addToSample,
  beginSample,
  dropBalances,
  finishSample,
  samplesOf,
  sumSamples,
} from '#app/graduation/settlement/periods/samples-repository.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { balancesOf } from '#tests/database/settlement-rows.js';

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
    expect((await balancesOf(database.queries, id)).chunks).to.equal(0);
    expect(await addSample(database, id, 1, [holdings])).to.equal(false);
  });

  it('are listed by settlement, in order, with slot and time', async () => {
    const [first, second, none] = [await begin(), await begin(), await begin()];
    const from = Date.now();
    for (const index of [2, 0]) await addSample(database, first, index, [holdings]);
    await addSample(database, second, 1, []);
    await database.transaction((tx) => beginSample(tx, second, 2, new Date()));
    const listed = await samplesOf(database.queries, [first, second, none]);
    expect([...listed.keys()]).to.deep.equal([first, second]);
    const slots = (id: number) => listed.get(id)!.map(({ index, slot }) => [index, slot]);
    expect(slots(first)).to.deep.equal([
      [0, 1],
      [2, 3],
    ]);
    expect(slots(second)).to.deep.equal([[1, 2]]);
    for (const { takenAt } of [...listed.values()].flat())
      expect(takenAt.getTime()).to.be.within(from, Date.now());
    expect([...(await samplesOf(database.queries, [second])).keys()]).to.deep.equal([second]);
    expect((await samplesOf(database.queries, [])).size).to.equal(0);
  });

  it('sum up to the weight of each wallet that is not excluded, again each time', async () => {
    const id = await begin();
    const all = [
      { owner: 'a', balance: 1n },
      { owner: 'b', balance: 20n },
      { owner: 'pool', balance: 300n },
    ];
    await addSample(database, id, 0, [all, [{ owner: 'a', balance: 4n }]]);
    await addSample(database, id, 4, [all.slice(1)]);
    const sum = (excluded: string[]) => database.transaction((tx) => sumSamples(tx, id, excluded));
    expect(await sum([])).to.deep.equal({ holders: 3, held: 645n, slot: 5 });
    expect(await sum(['pool', 'nobody'])).to.deep.equal({ holders: 2, held: 45n, slot: 5 });
    const rows = await rowsOf<{ row: string }>(
      database.queries,
      sql`select wallet || ' ' || balance as row from settlement_holders where settlement_id = ${id} order by wallet`,
    );
    expect(rows.map(({ row }) => row)).to.deep.equal(['a 5', 'b 40']);
    const empty = await begin();
    expect(await database.transaction((tx) => sumSamples(tx, empty, []))).to.deep.equal({
      ...{ holders: 0, held: 0n, slot: 0 },
    });
  });

  it('lose their balances, but not their slots', async () => {
    const [id, other] = [await begin(), await begin()];
    for (const each of [id, other]) {
      await addSample(database, each, 0, [holdings]);
      await database.transaction((tx) => beginSample(tx, each, 1, new Date()));
      await weights(each);
    }
    await database.transaction((tx) => dropBalances(tx, id));
    expect((await samplesOf(database.queries, [id])).get(id)).to.have.lengthOf(1);
    expect(await balancesOf(database.queries, id)).to.deep.equal({ samples: 1, chunks: 0, holders: 0 });
    expect(await balancesOf(database.queries, other)).to.deep.equal({ samples: 2, chunks: 1, holders: 1 });
  });

  it('are finished only while the period runs, and only once', async () => {
    const id = await begin();
    const finish = (sample: number) =>
      database.transaction((tx) => finishSample(tx, { id: sample, settlementId: id, slot: 9 }));
    const sample = await database.transaction((tx) => beginSample(tx, id, 0, new Date()));
    expect(await finish(sample!)).to.equal(true);
    expect(await finish(sample!)).to.equal(false);
    const late = await database.transaction((tx) => beginSample(tx, id, 1, new Date()));
    await database.queries.execute(sql`update settlements set state = 'planned' where id = ${id}`);
    expect(await finish(late!)).to.equal(false);
    expect((await samplesOf(database.queries, [id])).get(id)).to.have.lengthOf(1);
    expect(await database.transaction((tx) => beginSample(tx, id, 2, new Date()))).to.equal(undefined);
  });
});
