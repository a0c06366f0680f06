// A planned settlement is paid, on a node whose answers the test decides: the payment lands, fails, expires, is refused by the
// creator's accounts, or another process is quicker. threat: closed-before-payment
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { rowsOf } from '#app/db/database.js';
import { authorityTransactions, openedAccounts, settlements } from '#app/db/schema/index.js';
import { addCredit } from '#app/graduation/settlement/credits/repository.js';
import { settleOne } from '#app/graduation/settlement/pass.js';
import { settlementOf, subjectOf } from '#app/graduation/settlement/repository.js';
import type { SettleOptions, SettlementStep } from '#app/graduation/settlement/settle.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import { checkSettlements } from '#app/operator/doctor/database-checks.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import {
  insertOpenSettlement,
  insertTransaction,
  type OpenSettlement,
} from '#tests/database/open-settlement.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { ACCOUNT_RENT } from '#tests/node/accounts-node.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const [HOLDERS, PART] = [100n, 1_000n];
const TO_HOLDERS = { sol: HOLDERS, solHolders: HOLDERS };
const TO_CREATOR = { sol: PART, solCreator: PART, token: PART, tokenCreator: PART };
const TO_BOTH = { ...TO_CREATOR, ...TO_HOLDERS, sol: HOLDERS + PART };
const FAILED = { InstructionError: [1, { Custom: 1 }] };
const LAST_VALID_HEIGHT = 150;
const [WARN, ERROR, FATAL] = [40, 50, 60];
const MEMO = /curvekit settlement \d+ holders \d+ \d+ creator (\d+) (\d+)/;

describe(`the payment of a settlement (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const [dexOwner, treasury] = [Keypair.generate(), Keypair.generate()];
  const [creator, holder] = [newAddress(), newAddress()];
  const logged: Readonly<Record<string, unknown>>[] = [];
  let node: FakeNode;
  let context: Context;
  let stopping: AbortController;
  let steps: SettlementStep[];
  /** The creator's credits in the memo of each simulated payment. */
  let tried: string[];
  let landed: Map<string, unknown>;
  let hasExpired: boolean;
  /** The error of a simulation with these credits of the creator; null for none. */
  let simulated: (credited: string) => unknown;
  /** What becomes of a sent transaction: its error on chain, null for none, undefined when it does not land. */
  let sent: (signature: string) => unknown;
  let beforeStatus: () => void;

  const contextWith = async (environment: Readonly<Record<string, string>>): Promise<Context> => ({
    ...(await contextFrom(
      { RPC_URL: node.url, DEX_OWNER_KEYPAIR: keyVariable(dexOwner), ...environment },
      context?.database ?? (await openTestDatabase()),
    )),
    logger: pino({ level: 'info' }, linesInto(logged)),
  });
  before(async () => {
    const blockhash = { blockhash: newAddress(), lastValidBlockHeight: LAST_VALID_HEIGHT };
    const read = (param: unknown) => VersionedTransaction.deserialize(Buffer.from(String(param), 'base64'));
    const height = () => (hasExpired ? 2 * LAST_VALID_HEIGHT : 1);
    const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
      getMinimumBalanceForRentExemption: () => Number(ACCOUNT_RENT),
      getRecentPrioritizationFees: () => [],
      getLatestBlockhash: () => ({ context: { slot: 1 }, value: blockhash }),
      getVersion: () => ({ 'surfnet-version': '1.0.0' }),
      getFirstAvailableBlock: () => 0,
      isBlockhashValid: () => ({ context: { slot: 2 }, value: !hasExpired }),
      getBlockHeight: height,
      getSlot: () => 1,
      getEpochInfo: () => ({
        ...{ absoluteSlot: 1, blockHeight: height(), epoch: 0, slotIndex: 1, slotsInEpoch: 432_000 },
      }),
      simulateTransaction: async ([transaction]) => {
        const message = Buffer.from(read(transaction).message.serialize()).toString('latin1');
        const credited = MEMO.exec(message)!.slice(1).join(' ');
        tried.push(credited);
        const err = await simulated(credited);
        return { context: { slot: 1 }, value: { err, logs: [], unitsConsumed: 1_000 } };
      },
      sendTransaction: ([transaction]) => {
        const signature = bs58.encode(read(transaction).signatures[0]!);
        const err = sent(signature);
        if (err !== undefined) landed.set(signature, err);
        return signature;
      },
      getSignatureStatuses: ([signatures]) => ({
        context: { slot: 1_000 },
        value: (signatures as string[]).map((signature) => {
          const err = landed.get(signature);
          if (err === undefined) return null;
          beforeStatus();
          const status = err === null ? { Ok: null } : { Err: err };
          return { slot: 1, confirmations: null, err, status, confirmationStatus: 'finalized' };
        }),
      }),
    };
    node = await startFakeNode(({ method, params }) => answers[method]!(params));
    context = await contextWith({ TREASURY_KEYPAIR: keyVariable(treasury) });
    await openPaymentsGate(context.database);
  });
  after(async () => {
    await context?.database.close();
    await node?.stop();
  });
  beforeEach(async () => {
    const open = eq(settlements.state, 'planned');
    await context.database.queries.update(settlements).set({ state: 'failed', problem: null }).where(open);
    [steps, tried, landed] = [[], [], new Map<string, unknown>()];
    [logged.length, hasExpired] = [0, false];
    [simulated, sent, beforeStatus] = [() => null, () => null, () => undefined];
    stopping = new AbortController();
  });

  const stored = async (id: number) => (await settlementOf(context.database.queries, id))!;
  /** A settlement of a new token, planned with these parts, and the credit of one holder. */
  async function planned(columns: OpenSettlement['columns']) {
    const { database } = context;
    const mint = newAddress();
    await storeToken(database.queries, { mint });
    const addresses = { creator, treasury: treasury.publicKey.toBase58() };
    const id = await insertOpenSettlement(database, mint, 0, { columns: { ...addresses, ...columns } });
    if (columns?.solHolders === HOLDERS)
      await database.transaction((tx) => addCredit(tx, id, holder, { sol: HOLDERS, token: 0n }));
    return { id, mint };
  }
  const settle = ({ mint }: { mint: string }, options: Partial<SettleOptions> = {}, by = context) =>
    settleOne(by, mint, {
      signal: stopping.signal,
      afterStep: (step) => void steps.push(step),
      ...options,
    });
  const change = (id: number, to: Partial<typeof settlements.$inferInsert>) =>
    context.database.queries.update(settlements).set(to).where(eq(settlements.id, id));
  const transactionsOf = (id: number) =>
    context.database.queries
      .select()
      .from(authorityTransactions)
      .where(eq(authorityTransactions.subject, subjectOf(id)))
      .orderBy(authorityTransactions.createdAt);
  const statesOf = async (id: number) => (await transactionsOf(id)).map(({ state }) => state);
  const creditsOf = async (id: number) =>
    (
      await rowsOf<{ row: string }>(
        context.database.queries,
        sql`select wallet || ' ' || sol || ' ' || token as row from settlement_credits where settlement_id = ${id}`,
      )
    ).map(({ row }) => row);
  const unclaimed = async (wallet: string, mint: string) => {
    const [balance] = await walletBalances(context.database.queries, wallet, mint);
    return [balance?.unclaimedSol ?? 0n, balance?.unclaimedToken ?? 0n];
  };

  it('is signed, sent, finalized, booked and credited', async () => {
    const made = await planned(TO_HOLDERS);
    const { id, mint } = made;
    expect(await settle(made)).to.deep.include({ mint, outcome: 'settled', problems: [] });
    expect(steps).to.deep.equal(['signed', 'sent', 'finalized', 'paid', 'done']);
    const [{ signature } = expect.fail('nothing is signed'), ...others] = await transactionsOf(id);
    expect(others).to.deep.equal([]);
    expect(await stored(id)).to.deep.include({ state: 'done', signature });
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({ mint, settlement: id, signature, msg: 'the settlement is signed' });
    expect(await unclaimed(holder, mint)).to.deep.equal([HOLDERS, 0n]);
    expect(await checkLedger(context.database.queries, { whole: true })).to.deep.equal([]);
  });

  for (const { name, sol, token, tries } of [
    { name: 'tokens', sol: 0n, token: PART, tries: ['0 0', '0 1000', '0 1000'] },
    { name: 'SOL', sol: PART, token: 0n, tries: ['0 0', '0 1000', '1000 0', '1000 0'] },
    {
      ...{ name: 'SOL and tokens', sol: PART, token: PART },
      tries: ['0 0', '0 1000', '1000 0', '1000 1000', '1000 1000'],
    },
  ]) {
    it(`credits the creator the ${name} that its accounts refuse, and pays the rest`, async () => {
      const made = await planned({ ...TO_CREATOR, treasury: null });
      const { id, mint } = made;
      simulated = (credited) => (credited === `${sol} ${token}` ? null : FAILED);
      expect((await settle(made)).outcome).to.equal('settled');
      expect(tried).to.deep.equal(tries);
      expect(await stored(id)).to.deep.include({
        ...{ state: 'done', treasury: treasury.publicKey.toBase58() },
        ...{ solCreatorCredited: sol, tokenCreatorCredited: token },
      });
      expect(await unclaimed(creator, mint)).to.deep.equal([sol, token]);
      const [line, ...others] = logged.filter(({ level }) => level === WARN);
      expect(line).to.deep.include({ mint, settlement: id, creator, sol: sol > 0n, token: token > 0n });
      expect(others).to.deep.equal([]);
    });
  }

  it('credits the creator only what is not credited yet', async () => {
    for (const [side, other] of [
      ['sol', 'token'],
      ['token', 'sol'],
    ] as const) {
      const made = await planned({ ...TO_CREATOR, [`${other}CreatorCredited`]: PART });
      const earlier = { sol: 0n, token: 0n, [other]: PART };
      await context.database.transaction((tx) => addCredit(tx, made.id, creator, earlier));
      simulated = (credited) => (credited === `${PART} ${PART}` ? null : FAILED);
      expect((await settle(made)).outcome, side).to.equal('settled');
      expect(await unclaimed(creator, made.mint), side).to.deep.equal([PART, PART]);
    }
  });

  it('credits no creator without a treasury that could pay the credit', async () => {
    const made = await planned({ ...TO_CREATOR, treasury: null });
    simulated = (credited) => (credited === '0 0' ? FAILED : null);
    expect((await settle(made, {}, await contextWith({}))).outcome).to.equal('failed');
    expect([tried, await creditsOf(made.id)]).to.deep.equal([['0 0'], []]);
  });

  it('credits both parts of the creator at once after a payment has failed on chain', async () => {
    const made = await planned(TO_BOTH);
    const { id, mint } = made;
    const failing: string[] = [];
    sent = (signature) => {
      if (failing.length === 0) failing.push(signature);
      return failing.includes(signature) ? FAILED : null;
    };
    expect((await settle(made)).outcome).to.equal('settled');
    expect(await stored(id)).to.deep.include({ solCreatorCredited: PART, tokenCreatorCredited: PART });
    const states = (await transactionsOf(id)).map(({ state, problem }) => [state, problem !== null]);
    expect(states).to.deep.equal([
      ['failed', true],
      ['finalized', false],
    ]);
    const warned = logged.find(({ level }) => level === WARN);
    expect(warned).to.deep.include({ mint, settlement: id, signature: failing[0], state: 'failed' });
    expect(await unclaimed(holder, mint)).to.deep.equal([HOLDERS, 0n]);
    expect(await unclaimed(creator, mint)).to.deep.equal([PART, PART]);
  });

  for (const [where, columns, states] of [
    ['in the simulation, for any credits of the creator', TO_BOTH, []],
    ['on chain, and the creator has no part to credit', TO_HOLDERS, ['failed']],
  ] as const) {
    it(`fails when it fails ${where}: its credits and its opened account are gone, and the job says why`, async () => {
      const { id, mint } = await planned(columns);
      const opened = { owner: creator, mint, subject: subjectOf(id) };
      await context.database.queries.insert(openedAccounts).values(opened);
      simulated = () => (columns === TO_BOTH ? FAILED : null);
      sent = () => FAILED;
      const job = createSettlementJob(await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '600' }))!;
      job.start();
      const line = () => logged.find(({ msg }) => String(msg).startsWith('the settlement failed'));
      await eventually(() => Promise.resolve(line() !== undefined), 'the line');
      await job.stop();
      const { state, problem, seed } = await stored(id);
      expect(state).to.equal('failed');
      expect(seed).to.have.lengthOf(64);
      expect(line()).to.deep.include({ level: WARN, mint, settlement: id, problems: [problem] });
      expect([await statesOf(id), await creditsOf(id)]).to.deep.equal([states, []]);
      const left = eq(openedAccounts.subject, subjectOf(id));
      expect(await context.database.queries.$count(openedAccounts, left)).to.equal(0);
    });
  }

  it('stays planned, with its credits, when it is refused and an earlier transaction may have paid', async () => {
    const made = await planned(TO_BOTH);
    await insertTransaction(context.database.queries, made.id, `earlier-of-${made.id}`, 'expired');
    simulated = (credited) => (credited === '0 0' ? FAILED : null);
    const report = await settle(made);
    expect(report).to.deep.include({ outcome: 'waiting' });
    expect(report.problems.join()).to.contain('it stays as planned, since an earlier transaction of it may');
    expect(tried).to.deep.equal(['0 0']);
    const { state, solCreatorCredited, problem } = await stored(made.id);
    expect([state, solCreatorCredited, problem === null]).to.deep.equal(['planned', 0n, false]);
    expect(await creditsOf(made.id)).to.deep.equal([`${holder} 100 0`]);
    expect(logged.find(({ level }) => level === ERROR)).to.deep.include({ settlement: made.id, problem });
    expect((await checkSettlements(context.database)).detail).to.contain(`earlier-of-${made.id}`);
  });

  it('waits for the next run after three transactions have expired, and is then paid by another', async () => {
    const made = await planned(TO_HOLDERS);
    const simulatedCluster = await contextWith({ SIMULATED_CLUSTER: 'on' });
    sent = () => {
      hasExpired = true;
      return undefined;
    };
    const report = await settle(made, {}, simulatedCluster);
    expect(report).to.deep.include({ outcome: 'waiting', isInterrupted: true });
    expect(report.problems[0]).to.match(/^its transactions expire before they land/);
    expect(await statesOf(made.id)).to.deep.equal(['expired', 'expired', 'expired']);
    const warned = logged.filter(({ level }) => level === WARN).map((line) => line['problem']);
    expect(warned).to.deep.equal(Array(3).fill('the transaction expired'));
    [hasExpired, sent] = [false, () => null];
    expect((await settle(made, {}, simulatedCluster)).outcome).to.equal('settled');
    expect(await statesOf(made.id)).to.deep.equal(['expired', 'expired', 'expired', 'finalized']);
  });

  it('is decided by the next process when this one is stopped while the node answers', async () => {
    const made = await planned(TO_HOLDERS);
    sent = () => FAILED;
    beforeStatus = () => stopping.abort(new Error('the process ends'));
    expect((await rejection(settle(made), Error)).message).to.equal('the process ends');
    expect(await statesOf(made.id)).to.deep.equal(['signed']);
  });

  for (const [step, then] of [
    ['signed', ['signed', 'sent', 'finalized', 'paid', 'credited', 'done']],
    ['paid', ['credited', 'done']],
  ] as const) {
    it(`goes on where a process was stopped once it was ${step}, with the same transaction`, async () => {
      const made = await planned({ sol: 250n, solHolders: 250n });
      await context.database.transaction(async (tx) => {
        // A batch has a hundred wallets.
        for (let wallet = 0; wallet < 125; wallet += 1)
          await addCredit(tx, made.id, `wallet ${wallet}`, { sol: 2n, token: 0n });
      });
      const afterStep = (reached: SettlementStep) => {
        if (reached === step) stopping.abort(new Error('the process ends'));
      };
      expect((await rejection(settle(made, { afterStep }), Error)).message).to.equal('the process ends');
      stopping = new AbortController();
      expect((await settle(made)).outcome).to.equal('settled');
      expect(steps).to.deep.equal(then);
      expect(await statesOf(made.id)).to.deep.equal(['finalized']);
      expect(await unclaimed('wallet 124', made.mint)).to.deep.equal([2n, 0n]);
    });
  }

  for (const [step, onChain, decided] of [
    ['finalized', null, 'finalized'],
    ['sent', FAILED, 'failed'],
  ] as const) {
    it(`stores that it is ${decided}, and books nothing, when another process has ended it once it was ${step}`, async () => {
      const made = await planned(TO_BOTH);
      sent = () => onChain;
      const afterStep = async (reached: SettlementStep) => {
        if (reached === step) await change(made.id, { state: 'abandoned' });
      };
      const report = await settle(made, { afterStep });
      expect(await stored(made.id)).to.deep.include({ state: 'abandoned', signature: null, problem: null });
      expect(await statesOf(made.id)).to.deep.equal([decided]);
      expect(await unclaimed(holder, made.mint)).to.deep.equal([0n, 0n]);
      if (decided === 'failed') return expect(report.problems.join()).to.contain('another process has taken');
      expect(report.outcome).to.equal('failed');
      expect(report.problems.join()).to.contain('nobody was credited for that');
      expect(logged.find(({ level }) => level === FATAL)).to.deep.include({ settlement: made.id });
    });
  }

  for (const [what, refused, tries] of [
    ['signs nothing', false, ['0 0']],
    ['credits nothing', true, ['0 0', '0 1000']],
  ] as const) {
    it(`${what} when another process changes the plan while the node simulates`, async () => {
      const made = await planned(TO_CREATOR);
      simulated = async (credited) => {
        if (refused && credited === '0 0') return FAILED;
        await change(made.id, { lp: 'another' });
        return null;
      };
      const report = await settle(made);
      expect(report.problems).to.deep.equal(['another process has taken over this settlement']);
      expect([tried, await statesOf(made.id), await creditsOf(made.id)]).to.deep.equal([tries, [], []]);
      expect(await stored(made.id)).to.deep.include({ state: 'planned', solCreatorCredited: 0n });
    });
  }
});
