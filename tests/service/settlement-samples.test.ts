// Samples of a token's holders in the database, and the credits that follow from them.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { storeSigned } from '#app/authority/repository.js';
import { abandonSettlement, completed, subjectOf } from '#app/settlement/repository.js';
import {
  addToSample,
  beginSample,
  finishSample,
  samplesOf,
  sumSamples,
} from '#app/settlement/samples-repository.js';
import { rowsOf, type Database, type Transaction } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { credit } from '#app/ledger/credit.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
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

  it('count once, however often and by however many settlers they are taken', async () => {
    const id = await begin();
    const taken = await Promise.all([0, 0, 0].map((index) => addSample(database, id, index, [holdings])));
    expect(taken.filter(Boolean)).to.have.length(1);
    expect(await addSample(database, id, 0, [holdings])).to.equal(false);
    expect(await weights(id)).to.equal(5n);
    expect(await addSample(database, id, 1, [holdings])).to.equal(true);
    expect(await weights(id)).to.equal(10n);
  });

  it('count for nothing until they are whole; the next settler drops what is left of them', async () => {
    const id = await begin();
    const half = await database.transaction((tx) => beginSample(tx, id, 0, new Date()));
    await database.transaction((tx) => addToSample(tx, half!, 0, holdings));
    expect(await weights(id)).to.equal(0n);
    expect(await addSample(database, id, 0, [holdings, []])).to.equal(true);
    // The one who comes back late.
    expect(await database.transaction((tx) => addToSample(tx, half!, 1, holdings))).to.equal(false);
    expect(
      await database.transaction((tx) => finishSample(tx, { id: half!, settlementId: id, slot: 9 })),
    ).to.equal(false);
    expect(await weights(id)).to.equal(5n);
    expect((await samplesOf(database.queries, [id])).get(id)!.map(({ index }) => index)).to.deep.equal([0]);
  });

  it('take no more holders when the period is over, and leave none behind', async () => {
    const id = await begin();
    const sample = await database.transaction((tx) => beginSample(tx, id, 0, new Date()));
    await database.transaction((tx) => addToSample(tx, sample!, 0, holdings));
    // Another process ends it while this one still reads.
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

// One connection never waits for another.
if (DATABASE_KIND === 'postgres') {
  describe('the credits of many holders (postgres)', function () {
    this.timeout(120_000);
    let database: Database;
    before(async () => {
      database = await openTestDatabase();
    });
    after(() => database.close());

    it('never wait for referral rewards of the same wallets, however many batches they take', async () => {
      await openPaymentsGate(database);
      const HOLDERS = 5_001;
      const mint = 'mint';
      const balance = { mint, asset: 'SOL' } as const;
      const walletOf = (index: number) => `wallet ${String(index).padStart(5, '0')}`;
      const [first, last] = [walletOf(1), walletOf(HOLDERS)];
      const giveTo = (tx: Transaction, wallet: string, key: string) =>
        credit(tx, 'referral', { ...balance, key, credits: [{ wallet, amount: 1n }] });
      await database.transaction((tx) => giveTo(tx, last, 'last'));
      await database.transaction((tx) => giveTo(tx, first, 'first'));
      const signature = 'signature';
      const id = await beginPeriod(database, mint);
      await database.queries.execute(sql`
        insert into settlement_credits (settlement_id, wallet, balance, sol, token)
        select ${id}::bigint, 'wallet ' || lpad(i::text, 5, '0'), 1, 3, 2 from generate_series(1, ${HOLDERS}::integer) i
      `);
      await database.queries.execute(sql`update settlements set state = 'planned' where id = ${id}`);
      const transaction = {
        subject: subjectOf(id),
        signature,
        transaction: '',
        blockhashSlot: 1,
        lastValidBlockHeight: 1,
      };
      await storeSigned(database.queries, transaction);

      await database.transaction(async (tx) => {
        await giveTo(tx, last, 'last again');
        // Rewards of the two origins have accounts of their own: neither posting holds what the other needs.
        const booked = await database.transaction((other) => completed(other, { id, mint }, signature));
        expect(booked).to.equal(true);
        await giveTo(tx, first, 'first again');
      });
      for (const wallet of [first, last]) {
        const [rewards] = await walletBalances(database.queries, wallet);
        expect(rewards).to.deep.include({ unclaimedSol: 5n, unclaimedToken: 2n });
      }
      expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    });
  });
}
