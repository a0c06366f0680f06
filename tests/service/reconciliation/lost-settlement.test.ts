// A database that lacks a settlement books it from the chain. Neither a late key, nor a pruned RPC node, nor an early
// repair, nor a stranger's transaction that cannot be read prevents that, unless the latter could be a payment itself.
// threat: claim-before-restore, set-back-database, early-judgement, newer-version-payment
import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { transactionsCheck } from '#app/checks.js';
import type { Context } from '#app/context.js';
import { statement, type Database } from '#app/db/database.js';
import { settlements } from '#app/db/schema/index.js';
import { CheckWarning } from '#app/http/health.js';
import { NodeError } from '#app/chain/node-errors.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { wasOpened } from '#app/graduation/settlement/payment/opened-accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { asRealNode } from '#tests/node/node-with-gaps.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, donateSol, launch, transferTokens, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import {
  clusterEnvironment,
  contextFrom,
  finalizeAll,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';

const SIGNED_BEFORE = /transactions that were signed before can land/;
const GIVEN_LAMPORTS = 2_000_000n;
const GIVEN_UNITS = 3_000_000n;

describe('a settlement that a lost database made', () => {
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let proxy: RpcProxy;
  let creator: Keypair;
  let token: Token;
  let database: Database;

  const environment = (): Record<string, string> => ({
    ...clusterEnvironment(cluster()),
    RPC_URL: proxy.url,
    TREASURY_KEYPAIR: keyVariable(treasury),
    SETTLEMENT_INTERVAL_SECONDS: '1',
    SETTLEMENT_MINIMUM_SOL: '1000000',
    SETTLEMENT_MINIMUM_TOKEN: '1000000',
  });

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl, { batches: true });
    creator = await cluster().fundedWallet();
    const lost = await openTestDatabase();
    try {
      const context = await contextFrom(environment(), lost);
      await cluster().fund(cluster().dexOwner.publicKey, 1_000_000_000n);
      const terms = { afterMigrationHoldersBp: 5_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 };
      token = await launch(cluster(), terms, creator);
      await indexCreation(lost, token);
      const holder = await cluster().fundedWallet();
      await buyTokens(cluster(), token, holder, 1_000_000_007n);
      await donateSol(cluster(), token, GIVEN_LAMPORTS);
      const storage = token.communityTokenStorage.address;
      await transferTokens(cluster(), token.mint, holder, storage, GIVEN_UNITS);
      const { outcome } = await whileFinalizing(cluster(), () =>
        settleOne(context, token.mint.toBase58(), { signal: NEVER_ABORTED }),
      );
      expect(outcome).to.equal('settled');
    } finally {
      await lost.close();
    }
  });
  beforeEach(async () => (database = await openTestDatabase()));
  afterEach(async () => {
    proxy.rewrite(undefined);
    await database.close();
  });
  after(() => proxy?.stop());

  async function contextWith(changes: Record<string, string> = {}): Promise<Context> {
    const context = await contextFrom({ ...environment(), ...changes }, database);
    await watchOwnKeys(context);
    return context;
  }
  const pass = (context: Context, options = {}) => new Reconciliation(context).pass(NEVER_ABORTED, options);
  const held = () => paymentsHeld(database.queries);
  /** Stores what an index that has read everything would store. */
  async function finishIndex(): Promise<void> {
    await indexCreation(database, token);
    await statement(database.queries)`
      insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
      values (1, ${cluster().programId.toBase58()}, ${token.created.slot}, 999999999, true)`;
  }
  async function expectBooked(): Promise<void> {
    const settled = await database.queries.select().from(settlements);
    expect(settled).to.have.lengthOf(1);
    expect(settled[0]).to.include({ state: 'done', sol: GIVEN_LAMPORTS, token: GIVEN_UNITS });
    // The settlement paid for it, so no other settlement or claim does.
    const [owner, mint] = [creator.publicKey.toBase58(), token.mint.toBase58()];
    expect(await wasOpened(database.queries, owner, mint)).to.equal(true);
  }

  it('is booked when the key of the DEX owner comes after a pass', async () => {
    await finishIndex();
    const { DEX_OWNER_KEYPAIR: _, ...rest } = environment();
    const address = cluster().dexOwner.publicKey.toBase58();
    const server = await contextFrom({ ...rest, DEX_OWNER_ADDRESS: address }, database);
    await watchOwnKeys(server);
    const reconciliation = new Reconciliation(server);
    expect((await reconciliation.pass(NEVER_ABORTED)).booked).to.deep.equal([]);
    await contextWith();
    expect(await held()).to.match(/^closed until/);
    expect((await reconciliation.pass(NEVER_ABORTED)).booked.map(({ state }) => state)).to.deep.equal([
      'booked',
    ]);
    await expectBooked();
  });

  it('waits for the index, also to be repaired', async () => {
    const context = await contextWith();
    for (const repair of [false, true]) {
      const { booked, isOpen } = await pass(context, { repair });
      expect(booked.map(({ state }) => state)).to.deep.equal(['open']);
      expect(isOpen).to.equal(false);
      expect(await held()).to.match(/it is judged when the index is there/);
    }
    await finishIndex();
    expect((await pass(context)).isOpen).to.equal(true);
    await expectBooked();
  });

  it('is refused on a node that may lack it, until the index knows where the program begins', async () => {
    const context = await contextWith({ SIMULATED_CLUSTER: 'off' });
    const firstBlock = (await cluster().connection.getSlot('finalized')) - 3;
    proxy.rewrite((call, result, more) => {
      if (call.method === 'getFirstAvailableBlock') return firstBlock;
      if (call.method !== 'getSignaturesForAddress') return asRealNode(call, result, more);
      return (result as { slot: number }[]).filter(({ slot }) => slot >= firstBlock);
    });
    expect((await rejection(pass(context), NodeError)).message).to.equal(
      `the node's history begins with slot ${firstBlock}, and the index has not found the first transaction of the program yet (INDEXER=on): payments there cannot be seen; set RPC_URL to a node with the whole history`,
    );
    await finishIndex();
    expect((await rejection(pass(context), NodeError)).message).to.contain(
      `the program's with slot ${token.created.slot}`,
    );
    expect(await held()).to.match(/^closed until/);
    // Another node, with the whole history.
    proxy.rewrite(undefined);
    await pass(await contextWith());
    await expectBooked();
  });

  describe('when the database is set back while its server runs', () => {
    let context: Context;

    beforeEach(async () => {
      await finishIndex();
      context = await contextWith({ SIMULATED_CLUSTER: 'off' });
      await pass(await contextWith());
      proxy.rewrite(asRealNode);
    });
    const reconcile = (by: Reconciliation) => by.pass(NEVER_ABORTED);
    async function opened(): Promise<Reconciliation> {
      const reconciliation = new Reconciliation(context);
      // As after 183 more blocks.
      await database.queries.execute(sql`update payments_gate set waiting_height = 0`);
      expect((await reconcile(reconciliation)).isOpen).to.equal(true);
      return reconciliation;
    }

    it('waits again when the last pass is more than two minutes old, in any process', async () => {
      await opened();
      await statement(database.queries)`
        update payments_gate set reconciled_at = reconciled_at - interval '121 seconds'`;
      expect((await reconcile(new Reconciliation(context))).isOpen).to.equal(false);
      expect(await held()).to.match(SIGNED_BEFORE);
      expect((await reconcile(new Reconciliation(context))).isOpen).to.equal(false);
    });

    it('waits again when the database lacks the last pass of the process', async () => {
      const process = await opened();
      await statement(database.queries)`
        update payments_gate set reconciled_at = reconciled_at - interval '10 seconds'`;
      expect((await reconcile(process)).isOpen).to.equal(false);
      expect(await held()).to.match(SIGNED_BEFORE);
    });
  });

  describe('and a transaction of a stranger that names the treasury', () => {
    let signature: string;

    beforeEach(async () => {
      const { payer } = cluster();
      const transfer = SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: treasury.publicKey,
        lamports: 1,
      });
      ({ signature } = await cluster().send([transfer], [payer]));
      await finalizeAll(cluster());
      await finishIndex();
    });
    const answer = (change: (result: object) => unknown) =>
      proxy.rewrite(({ method, params }, result) =>
        method === 'getTransaction' && params[0] === signature ? change(result as object) : result,
      );
    const unsupported = (version: string) => () =>
      new RpcFailure(-32_015, `Transaction version${version} is not supported by the requesting client`);

    for (const [name, change] of [
      ['that the node cannot write', unsupported(' (2)')],
      [
        'of an unknown structure',
        (result: object) => ({ ...result, version: 2, transaction: { signatures: ['?'], message: {} } }),
      ],
      [
        'of a newer version without a header',
        (result: { transaction?: { message?: object } }) => ({
          ...result,
          version: 2,
          transaction: {
            ...result.transaction,
            message: { ...result.transaction?.message, header: undefined },
          },
        }),
      ],
    ] as const)
      it(`books it and opens with one ${name}, and warns until the transaction can be read`, async () => {
        answer(change);
        const context = await contextWith();
        const reconciliation = new Reconciliation(context);
        const { setAside, isOpen } = await reconciliation.pass(NEVER_ABORTED);
        expect(setAside.map((one) => one.signature)).to.deep.equal([signature]);
        expect(isOpen).to.equal(true);
        await expectBooked();
        expect(await held()).to.equal(undefined);
        const check = transactionsCheck(context);
        expect((await rejection(check.run(), CheckWarning)).message).to.contain(
          `unreadable transactions of the treasury or the DEX owner: 1, the newest is ${signature}; upgrade`,
        );
        expect(await context.metrics.registry.metrics()).to.match(
          /^curvekit_payments_unreadable_transactions 1$/m,
        );
        expect((await reconciliation.pass(NEVER_ABORTED)).setAside).to.deep.equal([]);
        // The next process reads it.
        proxy.rewrite(undefined);
        await pass(context);
        await check.run();
      });

    for (const [name, change] of [
      ['the node refuses version 0', unsupported(' (0)')],
      ['the node does not name the version that it refuses', unsupported('')],
      ['a known version lacks a part', (result: object) => ({ ...result, meta: null })],
      [
        'it returns the transaction as failed',
        (result: object) => ({ ...result, meta: { err: 'No', fee: 5_000 } }),
      ],
      ['a known version has another structure', (result: object) => ({ ...result, transaction: {} })],
    ] as const)
      it(`holds payments when ${name}: it could hide the service's own`, async () => {
        answer(change);
        const context = await contextWith();
        expect((await rejection(pass(context), NodeError)).message).to.match(
          /use another RPC_URL|error -32015/,
        );
        expect(await held()).to.match(/^closed until/);
        proxy.rewrite(undefined);
        await pass(context);
        await expectBooked();
      });
  });
});
