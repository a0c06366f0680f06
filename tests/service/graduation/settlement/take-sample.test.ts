// One sample of a token's holders: what it stores, and what it does when another process takes over or it is told to stop.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { takeSample } from '#app/graduation/settlement/periods/sample.js';
import { samplesOf, sumSamples } from '#app/graduation/settlement/periods/samples-repository.js';
import { abandonSettlement } from '#app/graduation/settlement/repository.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { beginPeriod } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { contextFrom } from '#tests/service/service-context.js';

const SLOT = 77;

describe(`a sample of the holders (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const mint = Keypair.generate().publicKey.toBase58();
  let node: FakeNode;
  let database: Database;
  let context: Context;
  let settlementId: number;
  let stopping: AbortController;
  /** Awaited before the node answers. */
  let beforeAnswer: () => Promise<unknown>;

  before(async () => {
    node = await startFakeNode(async () => {
      await beforeAnswer();
      return { context: { slot: SLOT }, value: [3, 4].map((amount) => slicedAccount(newAddress(), amount)) };
    });
  });
  after(() => node.stop());
  beforeEach(async () => {
    database = await openTestDatabase();
    context = await contextFrom({ RPC_URL: node.url }, database);
    settlementId = await beginPeriod(database, mint);
    stopping = new AbortController();
    beforeAnswer = () => Promise.resolve();
  });
  afterEach(() => database.close());

  const take = (by: Context = context) =>
    takeSample(by, { settlementId, mint, index: 0, minContextSlot: 5, signal: stopping.signal });
  const taken = async () => (await samplesOf(database.queries, [settlementId])).get(settlementId) ?? [];

  it('has the balances of all holders, at the slot of the answer', async () => {
    expect(await take()).to.equal(SLOT);
    const [sample, ...others] = await taken();
    expect([sample!.slot, others]).to.deep.equal([SLOT, []]);
    const sum = await database.transaction((tx) => sumSamples(tx, settlementId, []));
    expect(sum).to.deep.equal({ holders: 2, held: 7n, slot: SLOT });
    expect(await take(), 'once').to.equal(undefined);
  });

  it('ends with an error when another process ends the period while the node answers', async () => {
    beforeAnswer = () => database.transaction((tx) => abandonSettlement(tx, settlementId));
    const error = await rejection(take(), SettlementError);
    expect(error.message).to.equal(
      `another process has taken over the settlement of ${mint}; try again later`,
    );
    expect(await taken()).to.deep.equal([]);
  });

  it('does not count when it is told to stop while the balances are stored', async () => {
    let transactions = 0;
    const transaction: Database['transaction'] = async (work) => {
      transactions += 1;
      // The sample has begun, and the balances come.
      if (transactions === 2) stopping.abort(new Error('the process ends'));
      return database.transaction(work);
    };
    const error = await rejection(take({ ...context, database: { ...database, transaction } }), Error);
    expect(error.message).to.equal('the process ends');
    expect(await taken()).to.deep.equal([]);
  });
});
