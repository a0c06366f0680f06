// The setup for settlements and migrations: a cluster, a database, a treasury and an LP wallet.
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import {
  clusterEnvironment,
  contextFrom,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { settleOne, migrateToken } from '#tests/service/paying.js';
import { NEVER_ABORTED } from '#tests/constants.js';

/** Starts the cluster and a database for the surrounding `describe`. */
export function useSettling() {
  const cluster = useKeyHeldCluster();
  const treasury = Keypair.generate();
  const lp = Keypair.generate();
  let database: Database;
  let context: Context;

  before(async () => {
    database = await openTestDatabase();
    context = await contextFrom(
      {
        ...clusterEnvironment(cluster()),
        TREASURY_KEYPAIR: keyVariable(treasury),
        LP_ADDRESS: lp.publicKey.toBase58(),
        SETTLEMENT_INTERVAL_SECONDS: '1',
        SETTLEMENT_MINIMUM_SOL: '1000000',
        SETTLEMENT_MINIMUM_TOKEN: '1000000',
      },
      database,
    );
    for (const wallet of [treasury, lp]) await cluster().fund(wallet.publicKey, 1_000_000_000n);
    for (const wallet of [cluster().dexOwner, cluster().feeReceiver])
      await cluster().fund(wallet.publicKey, 10_000_000_000n);
  });
  after(() => database.close());

  const settle = (mint: PublicKey) =>
    whileFinalizing(cluster(), () => settleOne(context, mint.toBase58(), { signal: NEVER_ABORTED }));
  const migrate = (mint: PublicKey) =>
    whileFinalizing(cluster(), () => migrateToken(context, mint, { signal: NEVER_ABORTED }));

  const checkExact = async () =>
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);

  return {
    cluster,
    treasury,
    lp,
    database: () => database,
    context: () => context,
    settle,
    migrate,
    checkExact,
  };
}
