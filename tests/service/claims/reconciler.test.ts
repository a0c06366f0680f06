// What one pass of the reconciler and one audit ask, and what follows from the answers. The node knows no blocks: its history is the
// subject of history.test.ts.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Counter, Gauge } from 'prom-client';
import { Reconciler } from '#app/claims/reconciler.js';
import { ClaimsRepository, type ClaimState } from '#app/claims/repository.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure, startFakeNode, type FakeNode, type RpcCall } from '#tests/node/fake-node.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { ledgerProblems } from '#tests/service/rewards.js';
import { contextFrom } from '#tests/service/service-context.js';

const AMOUNT = 1_000n;
const HEIGHT = 100;
/** Signatures in a request for statuses, and such requests in a pass. */
const [BATCH, BATCHES] = [256, 20];
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

interface Status {
  readonly slot: number;
  readonly confirmations: number | null;
  readonly err: object | null;
  readonly confirmationStatus: 'processed' | 'confirmed' | 'finalized';
}
const landed = (confirmationStatus: Status['confirmationStatus'], err: Status['err'] = null): Status => ({
  slot: 7,
  confirmations: confirmationStatus === 'finalized' ? null : 1,
  err,
  confirmationStatus,
});

describe(`the reconciler's passes and audits (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let node: FakeNode;
  let database: Database;
  let context: Context;
  let repository: ClaimsRepository;
  /** Calls for statuses, and what is answered to each signature. */
  const asked: RpcCall[] = [];
  const statuses = new Map<string, Status>();
  const logged: { readonly level: number; readonly msg: string; readonly claim?: string }[] = [];

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
    database = await openTestDatabase();
    await openPaymentsGate(database);
    repository = new ClaimsRepository(database);
    const made = await contextFrom({ RPC_URL: node.url }, database);
    context = { ...made, logger: pino({ level: 'info' }, linesInto(logged)) };
    asked.length = 0;
    logged.length = 0;
    statuses.clear();
  });
  afterEach(async () => {
    node.setFaults();
    await database.close();
  });

  const reconciler = () => new Reconciler(context, { repository });
  /** Claims that nothing pays, which is enough to be asked for. */
  const insert = (count: number, state: ClaimState, age = 0) =>
    database.queries.execute(sql`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, transaction, blockhash_slot,
        last_valid_block_height, state, updated_at)
      select ${`${state} of ${age} `} || i, 'wallet ' || i, 'mint', 'TOKEN', 1, 1, false, '', 1, ${10 * HEIGHT}, ${state},
        now() - ${age} * interval '1 millisecond'
      from generate_series(1, ${count}::integer) i
    `);
  /** Stores a claim of everything that a wallet has. @returns why it is refused */
  const store = (wallet: string, name: string) =>
    repository.store(
      {
        ...{
          signature: `claim of ${name}`,
          wallet,
          mint: 'mint',
          asset: 'TOKEN',
          amount: AMOUNT,
          burn: false,
        },
        ...{ networkFee: 1n, opensAccount: false, rent: 0n, transaction: 'AAAA', referral: 0n },
        ...{ blockhashSlot: 1, lastValidBlockHeight: 10 * HEIGHT },
      },
      undefined,
      { treasury: 'treasury', slot: 1, lamports: 10n ** 15n, tokens: 10n ** 15n },
    );
  async function claim(wallet: string, name = wallet): Promise<string> {
    expect(await store(wallet, name)).to.equal(undefined);
    return `claim of ${name}`;
  }
  async function rewarded(wallet: string): Promise<void> {
    await database.transaction((tx) =>
      credit(tx, 'settlement', {
        ...{ key: `reward of ${wallet}`, mint: 'mint', asset: 'TOKEN' },
        credits: [{ wallet, amount: AMOUNT }],
      }),
    );
  }
  const stateOf = async (signature: string) => (await repository.find(signature))?.state;
  const counted = async (name: string) =>
    (await (context.metrics.registry.getSingleMetric(name) as Counter | Gauge).get()).values;
  const askedFor = () => asked.map(({ params }) => (params[0] as string[]).length);

  it('ask nothing without a claim in progress', async () => {
    await insert(3, 'COMPLETED');
    await reconciler().pass();
    expect([...node.calls.keys()]).to.deep.equal([]);
  });

  it('ask for a part of very many claims, and go on with the next part', async () => {
    await insert(BATCHES * BATCH + 1, 'IN_PROGRESS');
    const one = reconciler();
    await one.pass();
    expect(askedFor()).to.deep.equal(Array.from({ length: BATCHES }, () => BATCH));
    await one.pass();
    expect(askedFor().slice(BATCHES)).to.deep.equal([1]);
    expect(new Set(asked.flatMap(({ params }) => params[0] as string[])).size).to.equal(BATCHES * BATCH + 1);
    asked.length = 0;
    await one.pass();
    expect(asked).to.have.lengthOf(BATCHES);
  });

  it('ask nothing once the job stops', async () => {
    await insert(1, 'IN_PROGRESS');
    await reconciler().pass(AbortSignal.abort());
    expect(asked).to.deep.equal([]);
  });

  it('fail when the node does, without a second try: the next pass comes soon', async () => {
    await insert(1, 'IN_PROGRESS');
    const one = reconciler();
    for (const method of ['getEpochInfo', 'getSignatureStatuses']) {
      const before = node.calls.get(method) ?? 0;
      node.setFaults((call, result) => (call.method === method ? new RpcFailure(-32_005, 'behind') : result));
      expect((await rejection(one.pass(), Error)).message).to.match(/behind/);
      expect(node.calls.get(method)! - before).to.equal(1);
    }
  });

  it('count the claims whose end the node cannot tell, while they are in progress', async () => {
    await insert(2, 'IN_PROGRESS');
    await database.queries.execute(
      sql`update claims set last_valid_block_height = 0 where wallet = 'wallet 1'`,
    );
    const one = reconciler();
    await one.pass();
    expect(await counted('curvekit_claims_undecidable')).to.deep.equal([{ value: 1, labels: {} }]);
    expect(logged.filter(({ claim }) => claim === 'IN_PROGRESS of 0 1')).to.have.lengthOf(1);
    await database.queries.execute(sql`delete from claims where wallet = 'wallet 1'`);
    await one.pass();
    expect(await counted('curvekit_claims_undecidable')).to.deep.equal([{ value: 0, labels: {} }]);
  });

  it('look into the history for a limited time, and not after a stop', async () => {
    await insert(3, 'IN_PROGRESS');
    await database.queries.execute(sql`update claims set last_valid_block_height = 0`);
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
    expect(logged[0]).to.have.property('err').with.property('message').that.contains('behind');
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
    for (const [wallet, [, state, problem]] of Object.entries(claims)) {
      const found = await repository.find(`claim of ${wallet}`);
      expect([wallet, found?.state, found?.problem]).to.deep.equal([wallet, state, problem]);
    }
    expect(await counted('curvekit_claims_ended_total')).to.deep.equal([
      { value: 1, labels: { state: 'COMPLETED' } },
      { value: 1, labels: { state: 'FAILED' } },
    ]);
    const ends = logged.filter(({ msg }) => msg === 'a claim has ended').map(({ claim: name }) => name);
    expect(ends.sort()).to.deep.equal(['claim of failed', 'claim of paid']);
    expect(asked.map(({ params }) => params[1])).to.deep.equal([undefined]);
    // What is not final yet is not undecided.
    expect(await counted('curvekit_claims_undecidable')).to.deep.equal([{ value: 0, labels: {} }]);
    expect(logged.filter(({ level }) => level >= 50)).to.deep.equal([]);
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  it('take the state of a claim that another process has ended', async () => {
    await rewarded('wallet');
    const signature = await claim('wallet');
    const found = (await repository.find(signature))!;
    statuses.set(signature, landed('finalized'));
    const one = reconciler();
    await one.pass();
    // As a node that is wrong says.
    statuses.set(signature, landed('finalized', { InstructionError: [0, { Custom: 1 }] }));
    const look = await one.lookForEnd(found, new AbortController().signal);
    expect(look).to.deep.equal({ state: 'COMPLETED' });
    expect((await counted('curvekit_claims_ended_total'))[0]!.value).to.equal(1);
  });

  it('audit the claims that expired within a day, with the history, some at a time', async () => {
    await insert(BATCH + 1, 'EXPIRED', DAY_MS - MINUTE_MS);
    await insert(2, 'EXPIRED', DAY_MS + MINUTE_MS);
    await insert(2, 'FAILED');
    await insert(2, 'IN_PROGRESS');
    await reconciler().audit();
    expect(askedFor()).to.deep.equal([BATCH, 1]);
    for (const { params } of asked) {
      expect(params[1]).to.deep.include({ searchTransactionHistory: true });
      for (const signature of params[0] as string[]) expect(signature).to.match(/^EXPIRED of 86340000 /);
    }
  });

  it('complete a claim that landed after all, and only then', async () => {
    const found: Record<string, Status | undefined> = {
      none: undefined,
      confirmed: landed('confirmed'),
      failed: landed('finalized', { AccountNotFound: {} }),
      paid: landed('finalized'),
    };
    for (const [wallet, status] of Object.entries(found)) {
      await rewarded(wallet);
      const signature = await claim(wallet);
      await repository.end(signature, 'EXPIRED', null, { now: new Date(), landed: null });
      if (status !== undefined) statuses.set(signature, status);
    }
    await reconciler().audit();
    for (const wallet of Object.keys(found))
      expect([wallet, await stateOf(`claim of ${wallet}`)]).to.deep.equal([
        wallet,
        wallet === 'paid' ? 'COMPLETED' : 'EXPIRED',
      ]);
    expect((await counted('curvekit_claims_paid_after_expiry_total'))[0]!.value).to.equal(1);
    expect(
      logged.map(({ claim: name, msg }) => [
        name,
        /^a claim landed after it was marked EXPIRED; it is/.test(msg),
      ]),
    ).to.deep.equal([['claim of paid', true]]);
    expect(await ledgerProblems(database)).to.deep.equal([]);
    expect(await store('paid', 'paid again'), 'nothing is left to claim').to.equal('other amount');
  });

  it('say that a claim was paid twice when its amount was claimed again', async () => {
    await rewarded('wallet');
    const signature = await claim('wallet');
    await repository.end(signature, 'EXPIRED', null, { now: new Date(), landed: null });
    const second = await claim('wallet', 'wallet, again');
    statuses.set(signature, landed('finalized'));
    await reconciler().audit();
    expect([await stateOf(signature), await stateOf(second)]).to.deep.equal(['EXPIRED', 'IN_PROGRESS']);
    expect((await counted('curvekit_claims_paid_after_expiry_total'))[0]!.value).to.equal(1);
    expect(logged.map(({ claim: name, msg }) => [name, /it was paid twice/.test(msg)])).to.deep.equal([
      [signature, true],
    ]);
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });
});
