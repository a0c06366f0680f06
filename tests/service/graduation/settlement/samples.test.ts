// Samples of a token's holders: each counts once and only when it is complete, also when two settlers take it, or its period ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { takeSample } from '#app/graduation/settlement/periods/sample.js';
import {
  addToSample,
  beginSample,
  finishSample,
  samplesOf,
  sumSamples,
} from '#app/graduation/settlement/periods/samples-repository.js';
import { abandonSettlement } from '#app/graduation/settlement/repository.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { contextFrom } from '#tests/service/service-context.js';

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
  const sum = (id: number, excluded: string[] = []) =>
    database.transaction((tx) => sumSamples(tx, id, excluded));
  const beginOf = (id: number, index: number) =>
    database.transaction((tx) => beginSample(tx, id, index, new Date()));
  const finish = (sample: number, settlementId: number) =>
    database.transaction((tx) => finishSample(tx, { id: sample, settlementId, slot: 9 }));
  const indexesOf = async (id: number) =>
    ((await samplesOf(database.queries, [id])).get(id) ?? []).map(({ index }) => index);
  const chunksOf = (id: number) =>
    rowsOf(
      database.queries,
      sql`select 1 from settlement_sample_chunks c join settlement_samples s on s.id = c.sample_id where settlement_id = ${id}`,
    );

  it('each sample counts once, also when several settlers take it', async () => {
    const id = await begin();
    const taken = await Promise.all([0, 0, 0].map((index) => addSample(database, id, index, [holdings])));
    expect(taken.filter(Boolean)).to.have.length(1);
    expect(await addSample(database, id, 0, [holdings])).to.equal(false);
    expect((await sum(id)).held).to.equal(5n);
    expect(await addSample(database, id, 1, [holdings])).to.equal(true);
    expect((await sum(id)).held).to.equal(10n);
  });

  it('samples count only after they are complete; the next settler replaces an incomplete one', async () => {
    const id = await begin();
    const half = (await beginOf(id, 0))!;
    await database.transaction((tx) => addToSample(tx, half, 0, holdings));
    expect((await sum(id)).held).to.equal(0n);
    expect(await addSample(database, id, 0, [holdings, []])).to.equal(true);
    // The first settler returns late.
    expect(await database.transaction((tx) => addToSample(tx, half, 1, holdings))).to.equal(false);
    expect(await finish(half, id)).to.equal(false);
    expect((await sum(id)).held).to.equal(5n);
    expect(await indexesOf(id)).to.deep.equal([0]);
  });

  it('samples take no more holders after the period has ended, and leave no balances behind', async () => {
    const id = await begin();
    await addSample(database, id, 0, [holdings]);
    const sample = (await beginOf(id, 1))!;
    await database.transaction((tx) => addToSample(tx, sample, 0, holdings));
    // Another process ends the period while this one still reads.
    let adding: Promise<boolean> | undefined;
    await database.transaction(async (tx) => {
      await abandonSettlement(tx, id);
      adding = database.transaction((other) => addToSample(other, sample, 1, holdings));
      await sleep(200);
    });
    expect(await adding).to.equal(false);
    expect(await chunksOf(id)).to.have.lengthOf(0);
    expect([await finish(sample, id), await beginOf(id, 2)]).to.deep.equal([false, undefined]);
    expect(await indexesOf(id), 'those that were complete can be verified').to.deep.equal([0]);
  });

  it('samples are not finished after the settlement was planned', async () => {
    const id = await begin();
    const late = (await beginOf(id, 1))!;
    await database.queries.execute(sql`update settlements set state = 'planned' where id = ${id}`);
    expect([await finish(late, id), await indexesOf(id)]).to.deep.equal([false, []]);
  });

  it('samples sum up to the weight of each wallet that is not excluded, again each time', async () => {
    const id = await begin();
    const [a, b, pool] = ['a', 'b', 'pool'].map((owner, index) => ({
      owner,
      balance: [1n, 20n, 300n][index]!,
    }));
    await addSample(database, id, 0, [[a!, b!, pool!], [{ owner: 'a', balance: 4n }]]);
    await addSample(database, id, 4, [[b!, pool!]]);
    expect(await sum(id)).to.deep.equal({ holders: 3, held: 645n, slot: 5 });
    expect(await sum(id, ['pool', 'nobody'])).to.deep.equal({ holders: 2, held: 45n, slot: 5 });
    const rows = await rowsOf<{ row: string }>(
      database.queries,
      sql`select wallet || ' ' || balance as row from settlement_holders where settlement_id = ${id} order by wallet`,
    );
    expect(rows.map(({ row }) => row)).to.deep.equal(['a 5', 'b 40']);
    expect(await sum(await begin())).to.deep.equal({ holders: 0, held: 0n, slot: 0 });
  });

  describe('samples that are read from a node', () => {
    let node: FakeNode;
    let context: Context;
    let beforeAnswer: () => Promise<unknown>;
    before(async () => {
      node = await startFakeNode(async () => {
        await beforeAnswer();
        return { context: { slot: 77 }, value: [3, 4].map((amount) => slicedAccount(newAddress(), amount)) };
      });
      context = await contextFrom({ RPC_URL: node.url }, database);
    });
    after(() => node.stop());
    beforeEach(() => {
      beforeAnswer = () => Promise.resolve();
    });
    const take = (settlementId: number, by = context, signal = new AbortController().signal) =>
      takeSample(by, { settlementId, mint: newAddress(), index: 0, minContextSlot: 5, signal });

    it('have the balances of all holders, at the slot of the answer', async () => {
      const id = await begin();
      expect([await take(id), await take(id)]).to.deep.equal([77, undefined]);
      expect(await sum(id)).to.deep.equal({ holders: 2, held: 7n, slot: 77 });
    });

    it('end with an error when another process ends the period while the node answers', async () => {
      const id = await begin();
      beforeAnswer = () => database.transaction((tx) => abandonSettlement(tx, id));
      expect((await rejection(take(id), SettlementError)).message).to.contain(
        'another process has taken over',
      );
      expect(await indexesOf(id)).to.deep.equal([]);
    });

    it('do not count when the process is told to stop while their balances are stored', async () => {
      const [id, stopping] = [await begin(), new AbortController()];
      let transactions = 0;
      const transaction: Database['transaction'] = async (work) => {
        // The sample has begun, and the balances come.
        if ((transactions += 1) === 2) stopping.abort(new Error('the process ends'));
        return database.transaction(work);
      };
      const by = { ...context, database: { ...database, transaction } };
      expect((await rejection(take(id, by, stopping.signal), Error)).message).to.equal('the process ends');
      expect(await indexesOf(id)).to.deep.equal([]);
    });
  });
});
