// The operator's command line `curvekit` on a cluster.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import { useCluster, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import {
  finalize,
  startIndexer,
  testContext,
  untilIndexed,
  simulatedCluster,
} from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '../constants.js';
import { createCli, type Cli } from './cli.js';
import { clusterEnvironment, indexCreation, keyVariable } from './service-context.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { creditOf, newClaim } from '#tests/database/ledger.js';
import { openPaymentsGate } from '#tests/database/database.js';

/** A command line with its own database. */
export function cliOf(cluster: LocalCluster): Promise<Cli> {
  return createCli({
    RPC_URL: cluster.rpcUrl,
    WS_URL: cluster.wsUrl,
    SIMULATED_CLUSTER: simulatedCluster(cluster),
  });
}

/**
 * A command line that settles each second, and an indexed token that gives its community 5 % and the LP address nothing.
 *
 * @param funded wallets that get SOL, besides the cluster's own keys
 */
export async function settlingCli(
  cluster: LocalCluster,
  treasury: Keypair,
  funded: readonly Keypair[] = [],
): Promise<{ readonly cli: Cli; readonly token: Token }> {
  for (const { publicKey } of [treasury, ...funded, cluster.dexOwner, cluster.feeReceiver])
    await cluster.fund(publicKey, 10n * SOL);
  const cli = await createCli({
    ...clusterEnvironment(cluster),
    TREASURY_KEYPAIR: keyVariable(treasury),
    SETTLEMENT_INTERVAL_SECONDS: '1',
  });
  await cli.run(['migrate-db']);
  const token = await launch(cluster, { afterMigrationFee: 500, afterMigrationLpBp: 0 });
  await indexCreation(await cli.database(), token);
  return { cli, token };
}

/** Starts a cluster and a command line for the surrounding `describe`. */
export function useCli({ isKeyHeld = false } = {}) {
  const cluster = isKeyHeld ? useKeyHeldCluster() : useCluster();
  let cli: Cli;
  before('make an empty database', async () => (cli = await cliOf(cluster())));
  after(() => cli.close());
  return { cluster, cli: () => cli };
}

/** Creates the tables, and indexes a token with one buy until both are finalized. */
export async function indexToken(cluster: LocalCluster, cli: Cli): Promise<Token> {
  await cli.json(['migrate-db']);
  const token = await launch(cluster, { name: 'Listed', symbol: 'LIST' });
  await buyTokens(cluster, token, cluster.payer, 1_000_000_000n);
  await finalize(cluster);
  await index(cluster, cli);
  return token;
}

/** Runs the indexer until that many records are finalized: by default the creation and the buy. */
export async function index(cluster: LocalCluster, cli: Cli, records = 2): Promise<void> {
  const context = await testContext(cluster, await cli.database());
  const indexer = startIndexer(context);
  await untilIndexed(context, { records, finalized: records });
  await indexer.stop();
}

export async function keyFile({ secretKey }: Keypair): Promise<string> {
  const path = join(tmpdir(), `curvekit-cli-${Keypair.generate().publicKey.toBase58()}.json`);
  await writeFile(path, JSON.stringify([...secretKey]), { mode: 0o600 });
  return path;
}

/** Credits 7 SOL to a new wallet, and stores a claim of it. @returns the wallet */
export async function storeClaim(cli: Cli, token: Token, signature: string): Promise<string> {
  const wallet = Keypair.generate().publicKey.toBase58();
  const reward = { wallet, mint: token.mint.toBase58(), asset: 'SOL', amount: 7n * SOL } as const;
  const database = await cli.database();
  await creditOf(database, reward);
  await openPaymentsGate(database);
  const claim = newClaim({ ...reward, signature, networkFee: 10_000n });
  await new ClaimsRepository(database).store(claim, undefined);
  return wallet;
}
