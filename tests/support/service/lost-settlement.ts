// A settlement on chain that a lost database made, and an empty database for each test.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { settlements } from '#app/db/schema/index.js';
import { paymentsHeld } from '#app/ledger/gate/payments-gate.js';
import { Reconciliation, type PassReport } from '#app/reconciliation/reconcile.js';
import { wasOpened } from '#app/graduation/settlement/payment/opened-accounts.js';
import { useCluster } from '../cluster/cluster.js';
import { NEVER_ABORTED } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { buyTokens, donateSol, launch, transferTokens, type Token } from '../program/tokens.js';
import { settleOne } from './paying.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from './service-context.js';

const GIVEN_LAMPORTS = 2_000_000n;
const GIVEN_UNITS = 3_000_000n;

/** One cluster, RPC proxy and settlement for all tests of the surrounding `describe`. */
export function useLostSettlement() {
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
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(async () => {
    proxy.rewrite(undefined);
    await database.close();
  });
  after(() => proxy?.stop());

  return {
    cluster,
    treasury,
    environment,
    proxy: () => proxy,
    token: () => token,
    database: () => database,
    contextWith: (changes: Record<string, string> = {}): Promise<Context> =>
      contextFrom({ ...environment(), ...changes }, database),
    /** An instance without the DEX owner's key. */
    withoutDexOwner: (): Promise<Context> => {
      const { DEX_OWNER_KEYPAIR: _, ...rest } = environment();
      return contextFrom({ ...rest, DEX_OWNER_ADDRESS: cluster().dexOwner.publicKey.toBase58() }, database);
    },
    /** One pass of a new process. */
    pass: (context: Context, options = {}): Promise<PassReport> =>
      new Reconciliation(context).pass(NEVER_ABORTED, options),
    held: () => paymentsHeld(database.queries),
    /** Stores what an index that has read everything would store. */
    finishIndex: async (): Promise<void> => {
      await indexCreation(database, token);
      await database.queries.execute(
        sql`insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
            values (1, ${cluster().programId.toBase58()}, ${token.created.slot}, 999999999, true)`,
      );
    },
    expectBooked: async (): Promise<void> => {
      const settled = await database.queries.select().from(settlements);
      expect(settled).to.have.lengthOf(1);
      expect(settled[0]).to.include({ state: 'done', sol: GIVEN_LAMPORTS, token: GIVEN_UNITS });
      // The settlement paid for it, so no other settlement or claim does.
      const [owner, mint] = [creator.publicKey.toBase58(), token.mint.toBase58()];
      expect(await wasOpened(database.queries, owner, mint)).to.equal(true);
    },
  };
}
