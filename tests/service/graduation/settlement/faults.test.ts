// Settlements when the settler, the RPC node or the lease fails: each payment is credited once, even when an old leader
// returns.
import { Connection, Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { statesOf } from '#app/sending/history.js';
import { decide, undecidedOf } from '#app/sending/repository.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { openSettlement, settlementOf, subjectOf } from '#app/graduation/settlement/repository.js';
import { troubledSettlements } from '#app/graduation/settlement/trouble.js';
import { checkSettlements } from '#app/operator/doctor/database-checks.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { buyTokens, donateSol, launch, tokensOf, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const GIVEN = 2_000_003n;

function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open: () => open() };
}

describe(`settlements with faults (${DATABASE_KIND})`, function () {
  this.timeout(240_000);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let database: Database;
  let proxy: RpcProxy;
  let context: Context;
  let token: Token;
  let holder: Keypair;
  /** Log lines of level error and above. */
  let errors: string[];

  before(async () => {
    database = await openTestDatabase();
    proxy = await startRpcProxy(cluster().rpcUrl);
    for (const { publicKey } of [treasury, cluster().dexOwner])
      await cluster().fund(publicKey, 10_000_000_000n);
    const made = await contextFrom(
      {
        ...clusterEnvironment(cluster()),
        RPC_URL: proxy.url,
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: '1',
        SETTLEMENT_MINIMUM_SOL: '1000000',
      },
      database,
    );
    const lines = { write: (line: string) => void errors.push(line) };
    context = { ...made, logger: pino({ level: 'error' }, lines) };
  });
  after(async () => {
    await proxy.stop();
    await database.close();
  });
  beforeEach('a token with something in its storage', async () => {
    errors = [];
    token = await launch(cluster(), {
      ...{ afterMigrationHoldersBp: 10_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 },
    });
    await indexCreation(database, token);
    holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await donateSol(cluster(), token, GIVEN);
  });
  afterEach(() => proxy.rewrite(undefined));

  const settle = (by: Context = context, options: Partial<Parameters<typeof settleOne>[2]> = {}) =>
    whileFinalizing(cluster(), () =>
      settleOne(by, token.mint.toBase58(), { signal: NEVER_ABORTED, ...options }),
    );
  const credited = async () =>
    (await walletBalances(database.queries, holder.publicKey.toBase58()))[0]?.unclaimedSol ?? 0n;
  const stored = () => tokensOf(cluster().connection, token.communityWsolStorage.address);

  /**
   * Settles until the payment is finalized, but not booked. @returns the settlement's id and the transaction's
   * signature
   */
  async function paidOnly(): Promise<{ id: number; signature: string }> {
    const report = await settle(context, {
      afterStep: (step) => {
        if (step === 'finalized') throw new Error('the process ends here');
      },
    });
    expect(report.outcome).to.equal('waiting');
    const open = await openSettlement(database.queries, token.mint.toBase58());
    const undecided = await undecidedOf(database.queries, subjectOf(open!.id));
    expect(await stored()).to.equal(0n);
    return { id: open!.id, signature: undecided!.signature };
  }

  /**
   * A context whose calls of `method` wait for `release`. Its database has no fence, so another process can lead
   * meanwhile.
   */
  function hanging(method: string) {
    const [reached, released] = [gate(), gate()];
    const connection = new Connection(proxy.url, {
      commitment: 'confirmed',
      fetch: async (url, init) => {
        if ((init?.body as string | undefined)?.includes(`"method":"${method}"`)) {
          reached.open();
          await released.passed;
        }
        return fetch(url, init);
      },
    });
    return {
      context: { ...context, connection, database: unfenced(new AbortController()) },
      reached: reached.passed,
      release: released.open,
    };
  }

  /**
   * A database that grants its lease to every caller and checks no fence, so that only the settlement's steps protect
   * it.
   */
  function unfenced(loss: AbortController): Database {
    const lease = { name: 'settling', token: 1n, lost: loss.signal, release: () => Promise.resolve() };
    const apart: Database = { ...database, tryLead: () => Promise.resolve(lease), on: () => apart };
    return apart;
  }
  const refuseSimulations = () =>
    proxy.rewrite(({ method }, result) =>
      method === 'simulateTransaction'
        ? { context: { slot: 1 }, value: { err: 'AccountNotFound', logs: [], unitsConsumed: 0 } }
        : result,
    );
  async function checkPaidOnce(id: number): Promise<void> {
    expect((await settlementOf(database.queries, id))?.state).to.equal('done');
    expect(await credited()).to.equal(GIVEN);
    expect(await statesOf(database.queries, subjectOf(id))).to.deep.equal(new Set(['finalized']));
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    expect(await troubledSettlements(database.queries)).to.deep.equal([]);
  }

  it('are booked if a transaction that was marked as expired is on chain after all', async () => {
    const { id, signature } = await paidOnly();
    await decide(database.queries, signature, 'expired', null);
    const report = await settle();
    expect(report.outcome, report.problems.join()).to.equal('settled');
    expect(errors.join()).to.contain('landed after it was marked expired').and.to.contain(signature);
    await checkPaidOnce(id);
  });

  it('stay planned, for the operator, while their payment can be neither found nor repeated', async () => {
    const { id, signature } = await paidOnly();
    await decide(database.queries, signature, 'expired', null);
    // The RPC node has forgotten the transaction.
    proxy.rewrite(({ method }, result) =>
      method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
    );
    for (let run = 0; run < 2; run += 1) {
      const report = await settle();
      expect([report.outcome, report.settlement?.state]).to.deep.equal(['waiting', 'planned']);
      expect(report.problems.join()).to.contain('may have paid');
    }
    expect(errors.join()).to.contain('the settlement cannot be paid as planned');
    const [trouble] = await troubledSettlements(database.queries);
    expect(trouble).to.deep.include({ id, trouble: 'kept', signatures: [signature] });
    const finding = await checkSettlements(database);
    expect(finding.state).to.equal('failure');
    expect(finding.detail).to.contain(signature).and.to.contain(token.mint.toBase58());
    const [row] = await rowsOf<{ sol: string }>(
      database.queries,
      sql`select sum(sol)::text as sol from settlement_credits where settlement_id = ${id}`,
    );
    expect(row?.sol).to.equal(String(GIVEN));

    proxy.rewrite(undefined);
    expect((await settle()).outcome).to.equal('settled');
    await checkPaidOnce(id);
    expect((await checkSettlements(database)).state).to.equal('ok');
  });

  it('are not marked as failed by a late settler after another one has paid', async () => {
    const late = hanging('simulateTransaction');
    const lateReport = settleOne(late.context, token.mint.toBase58(), { signal: NEVER_ABORTED });
    await late.reached;
    const report = await settle(context, {
      afterStep: async (step) => {
        // Paid, but not booked yet.
        if (step !== 'finalized') return;
        late.release();
        expect((await lateReport).outcome).to.equal('waiting');
      },
    });
    expect(report.outcome).to.equal('settled');
    await checkPaidOnce(report.settlement!.id);
  });

  it('are not changed by a settler that lost its lease while the RPC node was silent', async () => {
    const late = hanging('simulateTransaction');
    const loss = new AbortController();
    const deposed = { ...late.context, database: unfenced(loss) };
    const outcome = rejection(
      settleOne(deposed, token.mint.toBase58(), { signal: NEVER_ABORTED }),
      SettlementError,
    );
    await late.reached;
    refuseSimulations();
    loss.abort();
    late.release();
    expect((await outcome).message).to.contain('the connection to the database broke');
    const open = await openSettlement(database.queries, token.mint.toBase58());
    expect(open?.state).to.equal('planned');
    proxy.rewrite(undefined);
    expect((await settle()).outcome).to.equal('settled');
    await checkPaidOnce(open!.id);
  });

  it('wait for a later pass if the RPC node does not answer', async () => {
    const silent = hanging('simulateTransaction');
    const report = await settleOne(silent.context, token.mint.toBase58(), { signal: NEVER_ABORTED });
    expect(report.outcome).to.equal('waiting');
    expect(report.problems.join()).to.contain('did not answer');
    silent.release();
    expect((await settle()).outcome).to.equal('settled');
  });

  it('are not reported as settled if they are paid but cannot be booked', async () => {
    const report = await settle(context, {
      afterStep: async (step) => {
        if (step !== 'finalized') return;
        await database.queries.execute(
          sql`update settlements set state = 'failed' where mint = ${token.mint.toBase58()}`,
        );
      },
    });
    expect([report.outcome, report.settlement?.state]).to.deep.equal(['failed', 'failed']);
    expect(report.problems.join()).to.contain('nobody was credited');
    expect(errors.join()).to.contain('"level":60').and.to.contain('holders are not credited');
    const { id } = report.settlement!;
    expect(await statesOf(database.queries, subjectOf(id))).to.deep.equal(new Set(['finalized']));
    const troubled = await troubledSettlements(database.queries);
    expect(troubled.map((found) => [found.id, found.trouble])).to.deep.equal([[id, 'unbooked']]);
    expect((await checkSettlements(database)).detail).to.contain('nobody was credited');
    await database.queries.execute(sql`update settlements set state = 'planned' where id = ${id}`);
  });

  it('are planned again if no payment of them can have landed', async () => {
    refuseSimulations();
    const refused = await settle();
    expect([refused.outcome, refused.settlement?.state]).to.deep.equal(['failed', 'failed']);
    proxy.rewrite(undefined);
    const report = await settle();
    expect(report.outcome).to.equal('settled');
    expect(report.settlement!.id).to.be.greaterThan(refused.settlement!.id);
    await checkPaidOnce(report.settlement!.id);
  });
});
