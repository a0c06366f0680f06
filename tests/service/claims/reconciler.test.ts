// What one pass of the reconciler and one audit ask, what follows from the answers, and when the job audits and tidies up. The node
// knows no blocks: its history is the subject of history.test.ts.
import { expect } from 'chai';
import { pino } from 'pino';
import type { Counter } from 'prom-client';
import { statement } from '#app/db/database.js';
import { createReconciler } from '#app/claims/reconciler-job.js';
import { Reconciler } from '#app/claims/reconciler.js';
import { ClaimsRepository, type ClaimState } from '#app/claims/repository.js';
import type { Context } from '#app/context.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { RpcFailure, startFakeNode, type FakeNode, type RpcCall } from '#tests/node/fake-node.js';
import { ledgerProblems } from '#tests/service/rewards.js';
import { contextFrom, linesInto } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { creditOf, newClaim } from '#tests/database/ledger.js';

const HEIGHT = 100;
/** Signatures in a request for statuses, and such requests in a pass. */
const [BATCH, BATCHES] = [256, 20];
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

const landed = (confirmationStatus: 'processed' | 'confirmed' | 'finalized', err: object | null = null) => ({
  ...{ slot: 7, confirmations: confirmationStatus === 'finalized' ? null : 1, err, confirmationStatus },
});
type Status = ReturnType<typeof landed>;

describe(`the reconciler's passes and audits (${DATABASE_KIND})`, () => {
  let node: FakeNode;
  const database = useDatabase({ each: true, paymentsOpen: true });
  let context: Context;
  let repository: ClaimsRepository;
  /** Calls for statuses, and what is answered to each signature. */
  const asked: RpcCall[] = [];
  const statuses = new Map<string, Status>();
  const logged: {
    readonly level: number;
    readonly msg: string;
    readonly claim?: string;
    readonly task?: string;
  }[] = [];

  before('start a node', async () => {
    node = await startFakeNode((call) => {
      if (call.method === 'getEpochInfo') {
        const epoch = { epoch: 0, slotIndex: 0, slotsInEpoch: 432_000 };
        return { ...epoch, absoluteSlot: HEIGHT, blockHeight: HEIGHT, transactionCount: 1 };
      }
      if (call.method !== 'getSignatureStatuses') throw new Error(`${call.method} is not expected`);
      asked.push(call);
      const value = (call.params[0] as string[]).map((signature) => statuses.get(signature) ?? null);
      return { context: { slot: HEIGHT }, value };
    });
  });
  after(() => node.stop());
  beforeEach(async () => {
    repository = new ClaimsRepository(database);
    const made = await contextFrom({ RPC_URL: node.url }, database);
    context = { ...made, logger: pino({ level: 'info' }, linesInto(logged)) };
    asked.length = 0;
    logged.length = 0;
    statuses.clear();
  });
  afterEach(async () => {
    node.setFaults();
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  const reconciler = () => new Reconciler(context, { repository });
  /** Claims of nothing, which is enough to be asked for. */
  const insert = (count: number, state: ClaimState, { age = 0, lastValid = 10 * HEIGHT } = {}) =>
    statement(database.queries)`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, transaction, blockhash_slot,
        last_valid_block_height, state, updated_at)
      select ${`${state} of ${age} `} || i, 'wallet ' || i, 'mint', 'TOKEN', 0, 0, false, '', 1, ${lastValid}, ${state},
        now() - ${age} * interval '1 millisecond'
      from generate_series(1, ${count}::integer) i`;
  /** Stores a claim of everything that a wallet has. @returns why it is refused */
  const store = (wallet: string, signature: string) => {
    const claim = newClaim({ signature, wallet, mint: 'mint', asset: 'TOKEN', amount: 1_000n });
    return repository.store({ ...claim, lastValidBlockHeight: 10 * HEIGHT }, undefined);
  };
  async function claim(wallet: string, signature = `claim of ${wallet}`): Promise<string> {
    expect(await store(wallet, signature)).to.equal(undefined);
    return signature;
  }
  const rewarded = (wallet: string) =>
    creditOf(database, { wallet, mint: 'mint', asset: 'TOKEN', amount: 1_000n });
  const counted = async (name: string) =>
    (await (context.metrics.registry.getSingleMetric(name) as Counter).get()).values;
  const askedFor = () => asked.map(({ params }) => (params[0] as string[]).length);

  it('ask for a part of very many claims, go on with the next part, and ask nothing without claims or once the job stops', async () => {
    await insert(3, 'COMPLETED');
    const one = reconciler();
    await one.pass();
    await insert(BATCHES * BATCH + 1, 'IN_PROGRESS');
    await one.pass(AbortSignal.abort());
    expect(node.calls.size).to.equal(0);
    await one.pass();
    expect(askedFor()).to.deep.equal(Array.from({ length: BATCHES }, () => BATCH));
    await one.pass();
    expect(askedFor().slice(BATCHES)).to.deep.equal([1]);
    expect(new Set(asked.flatMap(({ params }) => params[0] as string[])).size).to.equal(BATCHES * BATCH + 1);
    asked.length = 0;
    await one.pass();
    expect(asked).to.have.lengthOf(BATCHES);
  });

  it('look into the history for a limited time, and not after a stop', async () => {
    await insert(3, 'IN_PROGRESS', { lastValid: 0 });
    const [one, stopping] = [reconciler(), new AbortController()];
    const now = performance.now.bind(performance);
    const looks = new Set<unknown>();
    /** The history fails at the first look into it, at which something happens. @returns claims looked for so far */
    const pass = async (atFirst: () => void) => {
      node.setFaults((call, result) => {
        if (call.method !== 'getSignatureStatuses' || call.params[1] === undefined) return result;
        looks.add(String(call.params[0]));
        atFirst();
        return new RpcFailure(-32_005, 'behind');
      });
      await one.pass(stopping.signal).finally(() => (performance.now = now));
      return looks.size;
    };
    expect(await pass(() => (performance.now = () => now() + 3_600_000))).to.equal(1);
    expect(logged.map(({ level }) => level)).to.deep.equal([50]);
    expect(await pass(() => stopping.abort())).to.equal(2);
  });

  it('end a claim when its transaction is final, as it ended on chain', async () => {
    const err = { InstructionError: [2, { Custom: 1 }] };
    const claims: Record<string, [status: Status | undefined, state: ClaimState, problem: string | null]> = {
      unseen: [undefined, 'IN_PROGRESS', null],
      processed: [landed('processed'), 'IN_PROGRESS', null],
      confirmed: [landed('confirmed'), 'IN_PROGRESS', null],
      'failing, but not final': [landed('confirmed', err), 'IN_PROGRESS', null],
      paid: [landed('finalized'), 'COMPLETED', null],
      failed: [landed('finalized', err), 'FAILED', JSON.stringify(err)],
    };
    for (const [wallet, [status]] of Object.entries(claims)) {
      await rewarded(wallet);
      const signature = await claim(wallet);
      if (status !== undefined) statuses.set(signature, status);
    }
    await reconciler().pass();
    for (const [wallet, [, state, problem]] of Object.entries(claims))
      expect(await repository.find(`claim of ${wallet}`), wallet).to.include({ state, problem });
    expect(await counted('curvekit_claims_ended_total')).to.deep.equal([
      { value: 1, labels: { state: 'COMPLETED' } },
      { value: 1, labels: { state: 'FAILED' } },
    ]);
    expect(asked.map(({ params }) => params[1])).to.deep.equal([undefined]);
    // What is not final yet is not undecided.
    expect(await counted('curvekit_claims_undecidable')).to.deep.equal([{ value: 0, labels: {} }]);
    expect(logged.filter(({ level }) => level >= 50)).to.deep.equal([]);
  });

  it('audit the claims that expired within a day, with the history, some at a time', async () => {
    await insert(BATCH + 1, 'EXPIRED', { age: DAY_MS - MINUTE_MS });
    await insert(2, 'EXPIRED', { age: DAY_MS + MINUTE_MS });
    await insert(2, 'FAILED');
    await insert(2, 'IN_PROGRESS');
    await reconciler().audit();
    expect(askedFor()).to.deep.equal([BATCH, 1]);
    for (const { params } of asked) {
      expect(params[1]).to.deep.include({ searchTransactionHistory: true });
      for (const signature of params[0] as string[]) expect(signature).to.match(/^EXPIRED of 86340000 /);
    }
  });

  it('complete a claim that landed after all, and say that it was paid twice if its amount was claimed again', async () => {
    const found: Record<string, [status: Status | undefined, state: ClaimState, logged?: RegExp]> = {
      none: [undefined, 'EXPIRED'],
      confirmed: [landed('confirmed'), 'EXPIRED'],
      failed: [landed('finalized', { AccountNotFound: {} }), 'EXPIRED'],
      paid: [landed('finalized'), 'COMPLETED', /^a claim landed after it was marked EXPIRED; it is/],
      twice: [landed('finalized'), 'EXPIRED', /it was paid twice/],
    };
    for (const [wallet, [status]] of Object.entries(found)) {
      await rewarded(wallet);
      const signature = await claim(wallet);
      await repository.end(signature, 'EXPIRED', null, { now: new Date(), landed: null });
      if (status !== undefined) statuses.set(signature, status);
    }
    await claim('twice', 'claimed again');
    await reconciler().audit();
    for (const [wallet, [, state, message]] of Object.entries(found)) {
      expect(await repository.find(`claim of ${wallet}`), wallet).to.include({ state });
      const messages = logged.filter((line) => line.claim === `claim of ${wallet}`).map(({ msg }) => msg);
      expect(messages).to.have.lengthOf(message === undefined ? 0 : 1);
      if (message !== undefined) expect(messages[0]).to.match(message);
    }
    expect((await counted('curvekit_claims_paid_after_expiry_total'))[0]!.value).to.equal(2);
    expect(await store('paid', 'paid again'), 'nothing is left to claim').to.equal('other amount');
  });

  it('do not stop the housekeeping when they fail; it comes at once, every ten minutes, and 30 seconds after it failed', async () => {
    const [auditMs, retryMs] = [600_000, 30_000];
    /** The job's clock, and how often the job has read it: once for each of its two tasks in a pass. */
    let [time, looks, tidied, fails] = [1_000, 0, 0, false];
    const now = () => {
      looks += 1;
      return time;
    };
    await insert(1, 'IN_PROGRESS');
    node.setDown(true);
    const job = createReconciler(
      { ...context, now },
      {
        intervalMs: 1,
        auditIntervalMs: auditMs,
        tidy: () => {
          tidied += 1;
          return fails ? Promise.reject(new Error('nothing can be deleted')) : Promise.resolve();
        },
      },
    );
    job.start();
    try {
      const about = () => logged.filter(({ task }) => task === 'tidying up').map(({ msg }) => msg);
      for (const [after, times, failing, lines] of [
        [0, 1, false, 0],
        [auditMs - 1, 1, true, 0],
        [1, 2, true, 1],
        [retryMs - 1, 2, true, 1],
        [1, 3, false, 1],
        [retryMs, 4, false, 2],
        [auditMs, 5, true, 2],
        [auditMs, 6, true, 3],
      ] as const) {
        time += after;
        // Two more passes, so that at least one began after the change.
        const until = looks + 8;
        await eventually(() => looks >= until, 'passes');
        expect([tidied, about().length]).to.deep.equal([times, lines]);
        fails = failing;
      }
      expect(about()[0]).to.match(/^the task failed and is tried again/);
      expect(about()[1]).to.equal('the task works again');
      expect(logged.filter(({ task }) => task === 'following claims')).to.have.lengthOf(1);
    } finally {
      node.setDown(false);
      await job.stop();
    }
  });
});
