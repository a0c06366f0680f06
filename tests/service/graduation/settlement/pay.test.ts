// The life of a planned settlement, on a node whose answers the test decides: the payment lands, fails, expires, is refused by the
// creator's accounts, the node or the signer is silent, or another process is quicker. Each part is paid or
// credited once. threat: closed-before-payment, hanging-settlements, hanging-signer
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { statement } from '#app/db/database.js';
import { authorityTransactions, openedAccounts, settlements } from '#app/db/schema/index.js';
import { addCredit } from '#app/graduation/settlement/credits/repository.js';
import { settleOne } from '#app/graduation/settlement/pass.js';
import { settlementOf, subjectOf } from '#app/graduation/settlement/repository.js';
import type { SettlementReport } from '#app/graduation/settlement/report.js';
import type { SettleOptions, SettlementStep } from '#app/graduation/settlement/settle.js';
import { decide } from '#app/sending/repository.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import { checkSettlements } from '#app/operator/doctor/database-checks.js';
import { localSigner } from '#app/keys/local-signer.js';
import { SignerError, type Signer, type SignerFailure } from '#app/keys/signer.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { DATABASE_KIND, openTestDatabase, openPaymentsGate } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import {
  insertOpenSettlement,
  insertTransaction,
  type OpenSettlement,
} from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { ACCOUNT_RENT } from '#tests/node/accounts-node.js';
import { RpcFailure, startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { contextFrom, keyVariable, linesInto } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const [HOLDERS, PART] = [100n, 1_000n];
const TO_HOLDERS = { sol: HOLDERS, solHolders: HOLDERS };
const TO_CREATOR = { sol: PART, solCreator: PART, token: PART, tokenCreator: PART };
const TO_BOTH = { ...TO_CREATOR, ...TO_HOLDERS, sol: HOLDERS + PART };
const FAILED = { InstructionError: [1, { Custom: 1 }] };
const LAST_VALID_HEIGHT = 150;
const [WARN, ERROR, FATAL] = [40, 50, 60];
const MEMO = /curvekit settlement (\d+) holders \d+ \d+ creator (\d+ \d+)/;
/** A job's interval, and how soon it tries again what an error has interrupted. */
const [INTERVAL, SOON_MS] = [{ SETTLEMENT_INTERVAL_SECONDS: '600' }, 10_000];

interface Made {
  readonly id: number;
  readonly mint: string;
}

/** What happens to a planned settlement, and what is in the database afterwards. */
interface Life {
  readonly columns: OpenSettlement['columns'];
  /** Decides the node's answers. */
  readonly when?: (made: Made) => unknown;
  readonly afterStep?: (step: SettlementStep, made: Made) => unknown;
  /** Variables instead of the treasury's key. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly outcome: SettlementReport['outcome'];
  readonly state: string;
  /** The creator's credits in the memo of each simulated payment. */
  readonly tried?: readonly string[];
  readonly transactions: readonly string[];
  /** What the wallets can claim: the holder's lamports, the creator's lamports and units. */
  readonly claimable: readonly [holder: bigint, sol: bigint, token: bigint];
  readonly problem?: RegExp;
  /** The level of the most urgent line in the log. */
  readonly level?: number;
}

describe(`the payment of a settlement (${DATABASE_KIND})`, () => {
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
  /** Whether the node says that it is of a real cluster. It has no blocks then. */
  let isReal: boolean;
  /** The error of a simulation of a settlement with these credits of the creator; null for none. */
  let simulated: (credited: string, id: number) => unknown;
  /** A method that the node refuses once. */
  let refused: string | undefined;
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
      getVersion: () => (isReal ? { 'solana-core': '4.0.0' } : { 'surfnet-version': '1.0.0' }),
      getBlocksWithLimit: () => [],
      getFirstAvailableBlock: () => 0,
      isBlockhashValid: () => ({ context: { slot: 2 }, value: !hasExpired }),
      getBlockHeight: height,
      getSlot: () => 1,
      getEpochInfo: () => ({
        ...{ absoluteSlot: 1, blockHeight: height(), epoch: 0, slotIndex: 1, slotsInEpoch: 432_000 },
      }),
      simulateTransaction: async ([transaction]) => {
        const message = Buffer.from(read(transaction).message.serialize()).toString('latin1');
        const [, id, credited = ''] = MEMO.exec(message)!;
        tried.push(credited);
        const err = await simulated(credited, Number(id));
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
    node = await startFakeNode(({ method, params }) => {
      if (method !== refused) return answers[method]!(params);
      refused = undefined;
      return new RpcFailure(-32_005, 'Node is behind by 42 slots');
    });
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
    // The trouble of earlier tests would hide that of a later one in doctor's line.
    await context.database.queries.delete(authorityTransactions);
    [steps, tried, landed] = [[], [], new Map<string, unknown>()];
    [logged.length, hasExpired, isReal, refused] = [0, false, false, undefined];
    [simulated, sent, beforeStatus] = [() => null, () => null, () => undefined];
    stopping = new AbortController();
  });

  const stored = async (id: number) => (await settlementOf(context.database.queries, id))!;
  /** A settlement of a new token, planned with these parts, and the credit of one holder. */
  async function planned(columns: OpenSettlement['columns'], given: OpenSettlement = {}): Promise<Made> {
    const { database } = context;
    const mint = newAddress();
    await storeToken(database.queries, { mint });
    const addresses = { creator, treasury: treasury.publicKey.toBase58() };
    const id = await insertOpenSettlement(database, mint, 0, {
      ...given,
      columns: { ...addresses, ...columns },
    });
    if (columns?.solHolders === HOLDERS)
      await database.transaction((tx) => addCredit(tx, id, holder, { sol: HOLDERS, token: 0n }));
    return { id, mint };
  }
  const settle = ({ mint }: Made, options: Partial<SettleOptions> = {}, by = context) =>
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
      await statement<{ row: string }>(context.database.queries)`
        select wallet || ' ' || sol || ' ' || token as row from settlement_credits where settlement_id = ${id}`
    ).map(({ row }) => row);
  const unclaimed = async (wallet: string, mint: string) => {
    const [balance] = await walletBalances(context.database.queries, wallet, mint);
    return [balance?.unclaimedSol ?? 0n, balance?.unclaimedToken ?? 0n];
  };

  afterEach('the ledger is exact', async () => {
    expect(await checkLedger(context.database.queries, { whole: true })).to.deep.equal([]);
  });

  const refusesUnless = (accepted: string) => {
    simulated = (credited) => (credited === accepted ? null : FAILED);
  };
  /** Another process changes the settlement while the node simulates a payment with these credits. */
  const changesAt = (credits: string, { id }: Made, to: Parameters<typeof change>[1]) => {
    simulated = async (credited) => {
      if (credited === credits) await change(id, to);
      return credited === '0 0' && (credits !== '0 0' || to.state === 'paid') ? FAILED : null;
    };
  };
  const creditedBefore = (side: 'sol' | 'token') => async (made: Made) => {
    refusesUnless(`${PART} ${PART}`);
    const earlier = { sol: 0n, token: 0n, [side]: PART };
    await context.database.transaction((tx) => addCredit(tx, made.id, creator, earlier));
    await change(made.id, { [`${side}CreatorCredited`]: PART });
  };
  const settled = { outcome: 'settled', state: 'done', transactions: ['finalized'] } as const;
  const failed = { outcome: 'failed', state: 'failed', claimable: [0n, 0n, 0n] } as const;
  const takenOver = {
    outcome: 'waiting',
    claimable: [0n, 0n, 0n],
    problem: /^another process has taken over this settlement$/,
  } as const;
  const LIVES: Readonly<Record<string, Life>> = {
    'lands: it is booked and credited': {
      ...{ ...settled, columns: TO_HOLDERS, tried: ['0 0'], claimable: [HOLDERS, 0n, 0n] },
    },
    "is refused by the creator's token account: its tokens are credited": {
      ...{ ...settled, columns: { ...TO_CREATOR, treasury: null }, level: WARN },
      when: () => refusesUnless('0 1000'),
      ...{ tried: ['0 0', '0 1000', '0 1000'], claimable: [0n, 0n, PART] },
    },
    "is refused by the creator's wallet: its SOL is credited": {
      ...{ ...settled, columns: { ...TO_CREATOR, treasury: null }, level: WARN },
      when: () => refusesUnless('1000 0'),
      ...{ tried: ['0 0', '0 1000', '1000 0', '1000 0'], claimable: [0n, PART, 0n] },
    },
    'is refused by both accounts of the creator: both parts are credited': {
      ...{ ...settled, columns: TO_BOTH, level: WARN },
      when: () => refusesUnless('1000 1000'),
      tried: ['0 0', '0 1000', '1000 0', '1000 1000', '1000 1000'],
      claimable: [HOLDERS, PART, PART],
    },
    'is refused after the SOL was credited: only the tokens are credited': {
      ...{
        ...settled,
        columns: TO_CREATOR,
        level: WARN,
        when: creditedBefore('sol'),
        claimable: [0n, PART, PART],
      },
    },
    'is refused after the tokens were credited: only the SOL is credited': {
      ...{
        ...settled,
        columns: TO_CREATOR,
        level: WARN,
        when: creditedBefore('token'),
        claimable: [0n, PART, PART],
      },
    },
    'is refused and no treasury could pay the credit: it fails': {
      ...{ ...failed, columns: { ...TO_CREATOR, treasury: null }, environment: {}, transactions: [] },
      when: () => (simulated = (credited) => (credited === '0 0' ? FAILED : null)),
      tried: ['0 0'],
    },
    'fails on chain: both parts of the creator are credited at once': {
      ...{ ...settled, columns: TO_BOTH, level: WARN, transactions: ['failed', 'finalized'] },
      when: () => {
        const failing: string[] = [];
        sent = (signature) => {
          if (failing.length === 0) failing.push(signature);
          return failing.includes(signature) ? FAILED : null;
        };
      },
      claimable: [HOLDERS, PART, PART],
    },
    'fails in the simulation, for any credits of the creator: it fails': {
      ...{ ...failed, columns: TO_BOTH, transactions: [] },
      when: () => (simulated = () => FAILED),
    },
    'fails on chain, and the creator has no part to credit: it fails': {
      ...{ ...failed, columns: TO_HOLDERS, level: WARN, transactions: ['failed'] },
      when: () => (sent = () => FAILED),
    },
    'is refused and an earlier transaction may have paid: it stays planned, for the operator': {
      ...{ outcome: 'waiting', state: 'planned', columns: TO_BOTH, level: ERROR, tried: ['0 0'] },
      when: async ({ id }) => {
        simulated = (credited) => (credited === '0 0' ? FAILED : null);
        await insertTransaction(context.database.queries, id, `earlier-of-${id}`, 'expired');
      },
      ...{ transactions: ['expired'], claimable: [0n, 0n, 0n] },
      problem: /it stays as planned, since an earlier transaction of it may/,
    },
    'expires three times: it waits for the next run': {
      ...{ outcome: 'waiting', state: 'planned', columns: TO_HOLDERS, level: WARN },
      environment: { SIMULATED_CLUSTER: 'on' },
      when: () => {
        sent = () => void (hasExpired = true);
      },
      ...{ transactions: ['expired', 'expired', 'expired'], claimable: [0n, 0n, 0n] },
      problem: /^its transactions expire before they land/,
    },
    'cannot be found, and the node lacks blocks that may have it: nothing else is signed': {
      ...{ outcome: 'waiting', state: 'planned', columns: TO_HOLDERS, level: ERROR },
      environment: { SIMULATED_CLUSTER: 'off' },
      when: () => {
        isReal = true;
        sent = () => void (hasExpired = true);
      },
      ...{ transactions: ['signed'], claimable: [0n, 0n, 0n] },
      problem: /is not proven that transaction \w+/,
    },
    'lands after another process has ended it: nothing is booked, and the log says so': {
      ...{ outcome: 'failed', state: 'abandoned', columns: TO_BOTH, level: FATAL },
      afterStep: (step, { id }) => step === 'finalized' && change(id, { state: 'abandoned' }),
      ...{ transactions: ['finalized'], claimable: [0n, 0n, 0n], problem: /nobody was credited for that/ },
    },
    'fails on chain after another process has ended it: it stays ended': {
      ...{ ...takenOver, state: 'abandoned', columns: TO_BOTH, level: WARN, transactions: ['failed'] },
      when: () => (sent = () => FAILED),
      afterStep: (step, { id }) => step === 'sent' && change(id, { state: 'abandoned' }),
    },
    'is simulated while another process changes the plan: nothing is signed': {
      ...{ ...takenOver, state: 'planned', columns: TO_CREATOR, transactions: [], tried: ['0 0'] },
      when: (made) => changesAt('0 0', made, { lp: 'another' }),
    },
    'is refused while another process changes the plan: nothing is credited': {
      ...{ ...takenOver, state: 'planned', columns: TO_CREATOR, transactions: [] },
      ...{ when: (made) => changesAt('0 1000', made, { lp: 'another' }), tried: ['0 0', '0 1000'] },
    },
    'is refused after another process has paid: it does not fail': {
      ...{ ...takenOver, state: 'paid', columns: TO_HOLDERS, transactions: [], tried: ['0 0'] },
      when: (made) => changesAt('0 0', made, { state: 'paid', signature: 'of the other' }),
    },
  };
  for (const [name, life] of Object.entries(LIVES))
    it(name, async () => {
      const made = await planned(life.columns);
      const { id, mint } = made;
      const opened = eq(openedAccounts.subject, subjectOf(id));
      await context.database.queries
        .insert(openedAccounts)
        .values({ owner: creator, mint, subject: subjectOf(id) });
      await life.when?.(made);
      const afterStep = async (step: SettlementStep) => void (await life.afterStep?.(step, made));
      const by = life.environment && (await contextWith(life.environment));
      const report = await settle(made, { afterStep }, by);
      expect([report.outcome, (await stored(id)).state]).to.deep.equal([life.outcome, life.state]);
      if (life.tried !== undefined) expect(tried).to.deep.equal(life.tried);
      expect(await statesOf(id)).to.deep.equal(life.transactions);
      const [ofHolder, ofCreator] = [await unclaimed(holder, mint), await unclaimed(creator, mint)];
      expect([ofHolder[0], ...ofCreator]).to.deep.equal(life.claimable);
      expect(report.problems.join()).to.match(life.problem ?? /^/);
      const urgent = logged.toSorted((a, b) => Number(b['level']) - Number(a['level']))[0];
      if (life.level === undefined) expect(Number(urgent?.['level'] ?? 0)).to.be.below(WARN);
      else expect(urgent).to.deep.include({ level: life.level, mint, settlement: id });
      // Only a failed settlement has lost its credits, and the account that it was to open.
      const isFailed = life.state === 'failed';
      expect(await context.database.queries.$count(openedAccounts, opened)).to.equal(isFailed ? 0 : 1);
      if (isFailed) expect(await creditsOf(id)).to.deep.equal([]);
    });

  it('waits as planned while an earlier transaction may have paid, and `doctor` names that one; then it is paid once', async () => {
    const made = await planned(TO_HOLDERS);
    const afterStep = (step: SettlementStep) => {
      if (step === 'finalized') throw new Error('the process ends');
    };
    expect((await settle(made, { afterStep })).outcome).to.equal('waiting');
    const [{ signature } = expect.fail('nothing is signed')] = await transactionsOf(made.id);
    // It has landed, but a node with a gap proved that it expired, and still lacks it. The storages are empty by now.
    await decide(context.database.queries, signature, 'expired', null);
    const forgotten = landed;
    [landed, simulated] = [new Map<string, unknown>(), () => FAILED];
    expect((await settle(made)).outcome).to.equal('waiting');
    expect((await checkSettlements(context.database)).detail)
      .to.contain(signature)
      .and.contain(made.mint);
    landed = forgotten;
    expect((await settle(made)).outcome).to.equal('settled');
    expect(JSON.stringify(logged)).to.contain('landed after it was marked expired');
    expect(await statesOf(made.id)).to.deep.equal(['finalized']);
    expect(await unclaimed(holder, made.mint)).to.deep.equal([HOLDERS, 0n]);
    expect((await checkSettlements(context.database)).state).to.equal('ok');
  });

  it('is decided by the next process when this one is stopped while the node answers', async () => {
    const made = await planned(TO_HOLDERS);
    sent = () => FAILED;
    beforeStatus = () => stopping.abort(new Error('the process ends'));
    expect((await rejection(settle(made), Error)).message).to.equal('the process ends');
    expect(await statesOf(made.id)).to.deep.equal(['signed']);
  });

  describe('by the settlement job', () => {
    const isDone = async ({ id }: Made) => (await stored(id)).state === 'done';
    async function running(work: () => Promise<void>, signer?: Signer) {
      const by = await contextWith({ ...INTERVAL, TREASURY_KEYPAIR: keyVariable(treasury) });
      const config = { ...by.config, ...(signer && { dexOwner: signer }) };
      const job = createSettlementJob({ ...by, config })!;
      job.start();
      try {
        await work();
      } finally {
        await job.stop();
      }
    }

    const INTERRUPTIONS: Readonly<Record<string, () => void>> = {
      'the node refuses to simulate it': () => (refused = 'simulateTransaction'),
      'the node refuses to tell the rent': () => (refused = 'getMinimumBalanceForRentExemption'),
      'the node breaks the connection while the transaction is tracked': () => {
        beforeStatus = () => {
          beforeStatus = () => undefined;
          throw new Error('no answer');
        };
      },
      'the payments gate is closed for a moment': () => {
        simulated = async () => {
          simulated = () => null;
          await context.database.queries.execute(sql`update payments_gate set incarnation = null`);
          setTimeout(() => void openPaymentsGate(context.database), 500);
          return null;
        };
      },
    };
    for (const [what, interrupt] of Object.entries(INTERRUPTIONS))
      it(`is paid within seconds after ${what}`, async () => {
        const made = await planned(TO_HOLDERS);
        interrupt();
        await running(() => eventually(() => isDone(made), 'the payment', SOON_MS));
        expect(await statesOf(made.id)).to.deep.equal(['finalized']);
      });

    it('is paid once after the signer did not answer, signed with another key, and refused', async () => {
      const failures: SignerFailure[] = ['timeout', 'wrong', 'refused'];
      const own = localSigner(dexOwner);
      const sign = (message: Uint8Array) => {
        const failure = failures.shift();
        return failure === undefined ? own.sign(message) : Promise.reject(new SignerError(failure, failure));
      };
      const made = await planned(TO_HOLDERS);
      await running(() => eventually(() => isDone(made), 'the payment', 60_000), { ...own, sign });
      expect(failures).to.deep.equal([]);
      expect(await statesOf(made.id)).to.deep.equal(['finalized']);
    });

    it('is paid although many more valuable ones never get an answer', async () => {
      const hanging: number[] = [];
      for (let value = 16; value > 0; value -= 1)
        hanging.push((await planned(TO_HOLDERS, { value: 1_000 * value, attempts: 1 })).id);
      let letGo = (): void => undefined;
      const silence = new Promise<unknown>((resolve) => (letGo = () => resolve(FAILED)));
      const asked: number[] = [];
      simulated = (_, id) => {
        asked.push(id);
        return hanging.includes(id) ? silence : null;
      };
      const made = await planned(TO_HOLDERS);
      await running(async () => {
        await eventually(() => isDone(made), 'the payment', SOON_MS);
        // The most valuable ones are first, and two lanes of eight stay free for those that were not tried yet.
        expect(new Set(asked)).to.deep.equal(new Set([...hanging.slice(0, 6), made.id]));
        letGo();
      });
    });
  });
});
