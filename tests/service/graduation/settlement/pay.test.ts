// The steps of a payment, on a node whose answers the test decides: it lands, fails on chain, or is overtaken.
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import { authorityTransactions, settlements } from '#app/db/schema/index.js';
import { addCredit } from '#app/graduation/settlement/credits/repository.js';
import type { SettledToken } from '#app/graduation/settlement/periods/tokens-repository.js';
import { subjectOf, type Settlement } from '#app/graduation/settlement/repository.js';
import { finish, type SettleOptions, type SettlementStep } from '#app/graduation/settlement/settle.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import type { OpenSettlement } from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { usePayments } from '#tests/service/payments.js';

const PLAN = {
  ...{ sol: 1_100n, solHolders: 100n, solCreator: 1_000n },
  ...{ token: 2_200n, tokenHolders: 200n, tokenCreator: 2_000n },
};
const FAILED = { InstructionError: [1, { Custom: 1 }] };
const UNUSED = {} as SettledToken;

describe(`the payment of a settlement (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const [treasury, creator, holder] = [newAddress(), newAddress(), newAddress()];
  const steps: SettlementStep[] = [];
  const at = usePayments();
  const { logged, stored } = at;
  beforeEach(() => {
    steps.length = 0;
  });

  async function planned(columns: OpenSettlement['columns'] = {}) {
    const settlement = await at.planned({ ...PLAN, treasury, creator, ...columns });
    await at.context.database.transaction((tx) =>
      addCredit(tx, settlement.id, holder, { sol: 100n, token: 200n }),
    );
    return settlement;
  }
  const pay = (settlement: Settlement, options: Partial<SettleOptions> = {}, context = at.context) =>
    finish(context, settlement, UNUSED, {
      signal: new AbortController().signal,
      afterStep: (step) => void steps.push(step),
      ...options,
    });
  /** 150 wallets more: together a batch and a half. */
  const creditMore = (id: number) =>
    at.context.database.transaction(async (tx) => {
      for (let wallet = 0; wallet < 150; wallet += 1)
        await addCredit(tx, id, `wallet ${wallet}`, { sol: 1n, token: 0n });
    });
  /** As another process does. */
  const end = (id: number) =>
    at.context.database.queries.update(settlements).set({ state: 'abandoned' }).where(eq(settlements.id, id));
  const transactionsOf = (id: number) =>
    at.context.database.queries
      .select()
      .from(authorityTransactions)
      .where(eq(authorityTransactions.subject, subjectOf(id)))
      .orderBy(authorityTransactions.createdAt);

  it('is signed, sent, finalized, booked and credited', async () => {
    const settlement = await planned();
    const { id, mint } = settlement;
    const report = await pay(settlement);
    expect(report).to.deep.include({ mint, outcome: 'settled', problems: [] });
    expect(steps).to.deep.equal(['signed', 'sent', 'finalized', 'paid', 'done']);
    const [transaction] = await transactionsOf(id);
    const { signature } = transaction!;
    expect(await stored(id)).to.deep.include({ state: 'done', signature });
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({ mint, settlement: id, signature, msg: 'the settlement is signed' });
  });

  it('needs nobody who watches its steps', async () => {
    const settlement = await planned({ sol: 1_250n, solHolders: 250n });
    await creditMore(settlement.id);
    expect((await pay(settlement, { afterStep: undefined })).outcome).to.equal('settled');
  });

  it('fails without a transaction when the node would refuse it, and the creator has no part to credit', async () => {
    const settlement = await planned({ sol: 100n, solCreator: 0n, token: 200n, tokenCreator: 0n });
    at.node.simulated = () => FAILED;
    const report = await pay(settlement);
    expect(report.outcome).to.equal('failed');
    expect(await stored(settlement.id)).to.deep.include({ state: 'failed', problem: report.problems[0] });
    expect(await transactionsOf(settlement.id)).to.deep.equal([]);
  });

  it('credits the creator instead when the node would refuse to pay its account', async () => {
    const settlement = await planned();
    let simulations = 0;
    at.node.simulated = () => (simulations++ === 0 ? FAILED : null);
    expect((await pay(settlement)).outcome).to.equal('settled');
    expect(await stored(settlement.id)).to.deep.include({
      ...{ solCreatorCredited: 0n, tokenCreatorCredited: 2_000n },
    });
  });

  it('is left to the process that has ended it', async () => {
    const settlement = await planned();
    await end(settlement.id);
    const report = await pay(settlement);
    expect(report.problems).to.deep.equal(['another process has taken over this settlement']);
    expect(steps).to.deep.equal([]);
  });

  it('is not booked twice when another process has ended the settlement', async () => {
    const settlement = await planned();
    const { id } = settlement;
    const afterStep = async (step: SettlementStep) => {
      steps.push(step);
      if (step === 'finalized') await end(id);
    };
    expect((await pay(settlement, { afterStep })).outcome).to.equal('failed');
    expect(steps).to.deep.equal(['signed', 'sent', 'finalized']);
    expect((await stored(id)).signature).to.equal(null);
  });

  it('credits the creator instead after it has failed on chain', async () => {
    const settlement = await planned();
    const { id, mint } = settlement;
    const failing: string[] = [];
    at.node.sent = (signature) => {
      if (failing.length === 0) failing.push(signature);
      return failing.includes(signature) ? FAILED : null;
    };
    expect((await pay(settlement)).outcome).to.equal('settled');
    expect(await stored(id)).to.deep.include({
      ...{ state: 'done', solCreatorCredited: 1_000n, tokenCreatorCredited: 2_000n },
    });
    const states = (await transactionsOf(id)).map(({ state, problem }) => [state, problem !== null]);
    expect(states).to.deep.equal([
      ['failed', true],
      ['finalized', false],
    ]);
    const warned = logged.find(({ level }) => level === 40);
    expect(warned).to.deep.include({ mint, settlement: id, signature: failing[0], state: 'failed' });
    expect(warned!['problem']).to.be.a('string');
  });

  it('fails when it has failed on chain, and the creator has no part to credit', async () => {
    const settlement = await planned({ sol: 100n, solCreator: 0n, token: 200n, tokenCreator: 0n });
    at.node.sent = () => FAILED;
    const report = await pay(settlement);
    expect(report.outcome).to.equal('failed');
    expect(await stored(settlement.id)).to.deep.include({ state: 'failed', problem: report.problems[0] });
    const [transaction, ...others] = await transactionsOf(settlement.id);
    expect(transaction).to.deep.include({ state: 'failed', problem: report.problems[0] });
    expect(others).to.deep.equal([]);
  });

  it('waits for the next run after three transactions have expired, and is then paid by another', async () => {
    const settlement = await planned();
    const simulated = await at.contextWith({ SIMULATED_CLUSTER: 'on' });
    at.node.sent = () => {
      at.node.hasExpired = true;
      return undefined;
    };
    const report = await pay(settlement, {}, simulated);
    expect(report).to.deep.include({ outcome: 'waiting' });
    expect(report.problems[0]).to.match(/^its transactions expire before they land/);
    const states = async () => (await transactionsOf(settlement.id)).map(({ state }) => state);
    expect(await states()).to.deep.equal(['expired', 'expired', 'expired']);
    const warned = logged.filter(({ level }) => level === 40).map((line) => line['problem']);
    expect(warned).to.deep.equal(Array(3).fill('the transaction expired'));
    at.node.reset();
    expect((await pay(await stored(settlement.id), {}, simulated)).outcome).to.equal('settled');
    expect(await states()).to.deep.equal(['expired', 'expired', 'expired', 'finalized']);
  });

  it('is not decided by a process that has lost its lease while the node answered', async () => {
    const settlement = await planned();
    const stopping = new AbortController();
    at.node.sent = () => FAILED;
    at.node.found = () => stopping.abort(new Error('the lease has ended'));
    const stopped = rejection(pay(settlement, { signal: stopping.signal }), Error);
    expect((await stopped).message).to.equal('the lease has ended');
    const states = (await transactionsOf(settlement.id)).map(({ state }) => state);
    expect(states).to.deep.equal(['signed']);
  });

  it('stores what the chain has decided, and nothing else, when another process has ended the settlement', async () => {
    const settlement = await planned();
    const { id } = settlement;
    at.node.sent = () => FAILED;
    const afterStep = async (step: SettlementStep) => {
      if (step === 'sent') await end(id);
    };
    const report = await pay(settlement, { afterStep });
    expect(report.problems).to.deep.equal(['another process has taken over this settlement']);
    expect(await stored(id)).to.deep.include({ state: 'abandoned', problem: null });
    const [transaction, ...others] = await transactionsOf(id);
    expect(transaction!.state).to.equal('failed');
    expect(others).to.deep.equal([]);
  });

  it('goes on after a stop with the transaction that was signed', async () => {
    const settlement = await planned();
    const stopping = new AbortController();
    const afterStep = (step: SettlementStep) => {
      if (step === 'signed') stopping.abort(new Error('the process ends'));
    };
    const stopped = rejection(pay(settlement, { signal: stopping.signal, afterStep }), Error);
    expect((await stopped).message).to.equal('the process ends');
    expect((await pay(await stored(settlement.id))).outcome).to.equal('settled');
    expect(await transactionsOf(settlement.id)).to.have.lengthOf(1);
  });

  it('goes on with the credits of a settlement that was paid, a hundred wallets at a time', async () => {
    const settlement = await planned({ sol: 1_250n, solHolders: 250n });
    await creditMore(settlement.id);
    const stopping = new AbortController();
    const afterStep = (step: SettlementStep) => {
      if (step === 'paid') stopping.abort(new Error('the process ends'));
    };
    await rejection(pay(settlement, { signal: stopping.signal, afterStep }), Error);
    expect((await stored(settlement.id)).state).to.equal('paid');
    expect((await pay(await stored(settlement.id))).outcome).to.equal('settled');
    expect(steps).to.deep.equal(['credited', 'done']);
  });
});
