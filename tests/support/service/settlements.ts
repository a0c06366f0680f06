// Settlements of real tokens on a real cluster, through an RPC proxy that a test can take down.
import { Keypair } from '@solana/web3.js';
import { associatedTokenAddress, sell } from '@curvekit/sdk';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { walletBalances } from '#app/ledger/balances.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import { useCluster } from '../cluster/cluster.js';
import { NEVER_ABORTED } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { openPaymentsGate } from '../database/payments-gate.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { tokensOf, type Token } from '../program/tokens.js';
import { settleOne } from './paying.js';
import { clusterEnvironment, contextFrom, keyVariable, whileFinalizing } from './service-context.js';

/** Terms of a token whose settlements go entirely to the holders. */
export const ALL_TO_HOLDERS = {
  afterMigrationHoldersBp: 10_000,
  afterMigrationBurnBp: 0,
  afterMigrationLpBp: 0,
};

/** One cluster, database and treasury for all tests of the surrounding `describe`. */
export function useSettlements() {
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let database: Database;
  let proxy: RpcProxy;
  let context: Context;

  before(async () => {
    database = await openTestDatabase();
    proxy = await startRpcProxy(cluster().rpcUrl);
    context = await contextWith({});
    for (const { publicKey } of [treasury, cluster().dexOwner])
      await cluster().fund(publicKey, 10_000_000_000n);
  });
  after(async () => {
    await proxy?.stop();
    await database?.close();
  });

  /** A context for settlements, with periods of two seconds by default. */
  const contextWith = (changes: Record<string, string>) =>
    contextFrom(
      {
        ...clusterEnvironment(cluster()),
        RPC_URL: proxy.url,
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: '2',
        SETTLEMENT_MINIMUM_SOL: '1000000',
        SETTLEMENT_MINIMUM_TOKEN: '1000000',
        ...changes,
      },
      database,
    );

  return {
    cluster,
    treasury,
    database: () => database,
    proxy: () => proxy,
    context: () => context,
    contextWith,
    settle: (
      token: Token,
      afterStep?: (step: SettlementStep) => Promise<void> | void,
      by: Context = context,
    ) =>
      whileFinalizing(cluster(), () =>
        settleOne(by, token.mint.toBase58(), { signal: NEVER_ABORTED, afterStep }),
      ),
    unclaimed: async ({ publicKey }: Keypair, { mint }: Token) => {
      const [rewards] = await walletBalances(database.queries, publicKey.toBase58(), mint.toBase58());
      return { sol: rewards?.unclaimedSol ?? 0n, token: rewards?.unclaimedToken ?? 0n };
    },
    sellAll: async (token: Token, trader: Keypair) => {
      const account = associatedTokenAddress(trader.publicKey, token.mint).address;
      const tokenToSpend = await tokensOf(cluster().connection, account);
      await cluster().send(
        sell({ mint: token.mint, payer: trader.publicKey, tokenToSpend, minSolToReceive: 0n }),
        [trader],
      );
    },
    /** Runs an instance's settlement job during `work`. */
    running: async <T>(by: Context, work: () => Promise<T>): Promise<T> => {
      const job = createSettlementJob(by);
      if (job === undefined) throw new Error('there is a key and an interval');
      await openPaymentsGate(database);
      job.start();
      try {
        return await whileFinalizing(cluster(), work);
      } finally {
        await job.stop();
      }
    },
  };
}
