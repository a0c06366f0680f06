// Settlements and migrations of real tokens on a real cluster, through an RPC proxy that a test can take down.
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { Context } from '#app/context.js';
import { walletBalances } from '#app/ledger/balances.js';
import { checkLedger } from '#app/ledger/check.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import { useCluster, useKeyHeldCluster } from '../cluster/cluster.js';
import { NEVER_ABORTED, SOL } from '../constants.js';
import { useDatabase, openPaymentsGate } from '../database/database.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { buyTokens, donateSol, launch, type Token } from '../program/tokens.js';
import { migrateToken, settleOne } from './paying.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from './service-context.js';

/** Terms of tokens whose settlements go entirely to the holders, or to the creator: without samples, planned at once. */
export const ALL_TO_HOLDERS = {
  afterMigrationHoldersBp: 10_000,
  afterMigrationBurnBp: 0,
  afterMigrationLpBp: 0,
};
export const ALL_TO_CREATOR = { ...ALL_TO_HOLDERS, afterMigrationHoldersBp: 0 };

/** One cluster, database and treasury for all tests of the surrounding `describe`. @param isKeyHeld for migrations */
export function useSettlements({ isKeyHeld = false } = {}) {
  const cluster = isKeyHeld ? useKeyHeldCluster() : useCluster();
  const [treasury, lp] = [Keypair.generate(), Keypair.generate()];
  const database = useDatabase();
  let proxy: RpcProxy;
  let context: Context;

  before(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    context = await contextWith({});
    for (const { publicKey } of [treasury, lp, cluster().dexOwner, cluster().feeReceiver])
      await cluster().fund(publicKey, 10n * SOL);
  });
  afterEach(() => proxy.rewrite(undefined));
  after(() => proxy?.stop());

  /** A context for settlements, with periods of two seconds by default. */
  const contextWith = (changes: Record<string, string>) =>
    contextFrom(
      {
        ...clusterEnvironment(cluster()),
        ...{
          RPC_URL: proxy.url,
          TREASURY_KEYPAIR: keyVariable(treasury),
          LP_ADDRESS: lp.publicKey.toBase58(),
        },
        ...{ SETTLEMENT_INTERVAL_SECONDS: '2', SETTLEMENT_MINIMUM_SOL: '1000000' },
        ...{ SETTLEMENT_MINIMUM_TOKEN: '1000000', ...changes },
      },
      database,
    );

  return {
    ...{ cluster, treasury, lp, contextWith },
    database: () => database,
    proxy: () => proxy,
    context: () => context,
    /** An indexed token with one holder, and lamports in its storage. */
    given: async (lamports: bigint, terms: Parameters<typeof launch>[1] = ALL_TO_HOLDERS, buys = SOL) => {
      const creator = await cluster().fundedWallet();
      const token = await launch(cluster(), terms, creator);
      await indexCreation(database, token);
      const holder = await cluster().fundedWallet(buys + SOL);
      await buyTokens(cluster(), token, holder, buys);
      if (lamports > 0n) await donateSol(cluster(), token, lamports);
      return { token, creator, holder, mint: token.mint.toBase58() };
    },
    settle: (
      token: Token,
      afterStep?: (step: SettlementStep) => Promise<void> | void,
      by: Context = context,
    ) =>
      whileFinalizing(cluster(), () =>
        settleOne(by, token.mint.toBase58(), { signal: NEVER_ABORTED, afterStep }),
      ),
    migrate: (mint: PublicKey) =>
      whileFinalizing(cluster(), () => migrateToken(context, mint, { signal: NEVER_ABORTED })),
    checkExact: async () => expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]),
    unclaimed: async ({ publicKey }: Keypair, { mint }: Token) => {
      const [rewards] = await walletBalances(database.queries, publicKey.toBase58(), mint.toBase58());
      return { sol: rewards?.unclaimedSol ?? 0n, token: rewards?.unclaimedToken ?? 0n };
    },
    /**
     * A connection that holds back the calls of a method: before they are asked, or once they are answered; all of them, or only
     * the `nth`.
     */
    held: (method: string, when: 'asked' | 'answered', nth?: number) => {
      let [calls, reach, release] = [0, (): void => undefined, (): void => undefined];
      const reached = new Promise<void>((resolve) => (reach = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      const connection = new Connection(proxy.url, {
        commitment: 'confirmed',
        fetch: async (url, init) => {
          const isIts = (init?.body as string | undefined)?.includes(`"method":"${method}"`) === true;
          const hold = async () => {
            if (!isIts || (nth !== undefined && calls !== nth)) return;
            reach();
            await released;
          };
          if (isIts) calls += 1;
          if (when === 'asked') await hold();
          const answer = await fetch(url, init);
          if (when === 'answered') await hold();
          return answer;
        },
      });
      return { connection, reached, release };
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
