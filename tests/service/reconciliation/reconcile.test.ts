// The reconciliation books from the chain every payment that the tables lack. It books each payment once, also with two
// reconcilers, and also if the RPC node has forgotten the transaction where the last pass stopped.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, donateSol, launch, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const GIVEN_LAMPORTS = 2_000_000n;

describe('payments that the tables lack', function () {
  this.timeout(120_000);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let proxy: RpcProxy;
  let database: Database;
  let context: Context;
  let holder: Keypair;
  let token: Token;

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl, { batches: true });
    database = await openTestDatabase();
    context = await contextFrom(
      {
        ...clusterEnvironment(cluster()),
        RPC_URL: proxy.url,
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: '1',
        SETTLEMENT_MINIMUM_SOL: '1000000',
      },
      database,
    );
    await watchOwnKeys(context);
    await cluster().fund(cluster().dexOwner.publicKey, 1_000_000_000n);
  });
  beforeEach(async () => {
    token = await launch(
      cluster(),
      { afterMigrationHoldersBp: 10_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 },
      await cluster().fundedWallet(),
    );
    await indexCreation(database, token);
    holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_007n);
    await donateSol(cluster(), token, GIVEN_LAMPORTS);
  });
  after(async () => {
    await database?.close();
    await proxy?.stop();
  });

  const mint = () => token.mint.toBase58();
  const credited = async () =>
    (await walletBalances(database.queries, holder.publicKey.toBase58()))[0]?.allTimeSol ?? 0n;
  const pass = () => new Reconciliation(context).pass(NEVER_ABORTED);
  const settlementRows = () =>
    rowsOf<{ id: number; state: string; signature: string | null }>(
      database.queries,
      sql`select id::integer as id, state, signature from settlements where mint = ${mint()} order by id`,
    );

  /** A settlement whose transaction the tables have lost: they only have its plan. */
  async function paidAndForgotten(): Promise<string> {
    const held = () => lamportsOf(cluster().connection, treasury.publicKey);
    const before = await held();
    const dying = new AbortController();
    const interrupted = settleOne(context, mint(), {
      signal: dying.signal,
      afterStep: (step) => {
        if (step === 'sent') dying.abort(new Error('the process dies'));
      },
    });
    await rejection(interrupted, Error);
    await eventually(async () => (await held()) > before, 'the settlement to be paid', 30_000);
    const [lost] = await rowsOf<{ signature: string }>(
      database.queries,
      sql`delete from authority_transactions where state = 'signed' returning signature`,
    );
    expect((await settlementRows()).at(-1)).to.include({ state: 'planned', signature: null });
    return lost!.signature;
  }

  it('two concurrent passes end the planned settlement whose transaction was lost, and credit it once', async () => {
    const signature = await paidAndForgotten();
    expect(await credited()).to.equal(0n);
    const passes = await Promise.all([pass(), pass()]);
    const booked = passes.flatMap((one) => one.booked);
    expect(booked.map(({ detail }) => detail).join()).to.contain('it ended the settlement 1');
    expect(await settlementRows()).to.deep.equal([{ id: 1, state: 'done', signature }]);
    expect(await credited()).to.equal(GIVEN_LAMPORTS);
    expect((await pass()).booked).to.deep.equal([]);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
    const again = await settleOne(context, mint(), { signal: NEVER_ABORTED });
    expect(again.outcome).to.equal('nothing');
    expect(await credited()).to.equal(GIVEN_LAMPORTS);
  });

  it('a pass lists from the beginning if the node has forgotten where the last one stopped, and books nothing twice', async () => {
    await whileFinalizing(cluster(), () => settleOne(context, mint(), { signal: NEVER_ABORTED }));
    await pass();
    const stops = await rowsOf<{ signature: string | null }>(
      database.queries,
      sql`select signature from payment_watches`,
    );
    const known = new Set(stops.map(({ signature }) => signature));
    const settled = await credited();
    await donateSol(cluster(), token, GIVEN_LAMPORTS);
    const signature = await paidAndForgotten();
    let refused = 0;
    proxy.rewrite(({ method, params }, result) => {
      const { until } = (params[1] ?? {}) as { until?: string };
      if (method !== 'getSignaturesForAddress' || !known.has(until ?? null)) return result;
      refused += 1;
      return new RpcFailure(-32_020, `Transaction ${until} not found`);
    });
    const { booked } = await pass();
    proxy.rewrite(undefined);
    expect(refused, 'listings that the node refused').to.be.greaterThan(0);
    expect(booked.map(({ detail }) => detail).join()).to.contain(signature);
    expect(await credited()).to.equal(settled + GIVEN_LAMPORTS);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });
});
