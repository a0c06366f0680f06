// The whole launchpad in one process, for trying it out: a local cluster with the program, the service with its database in
// memory, tokens that simulated wallets trade, and a partner who has registered some of these wallets.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Keypair } from '@solana/web3.js';
import { readConfig } from '../../config/config.js';
import { openDatabase, type Database } from '../../db/database.js';
import { requireFree } from '../../http/server.js';
import type { IssuedKey } from '../../partners/keys.js';
import { startService, type Service } from '../../service.js';
import { prepareChain, simulate } from './chain.js';
import { localEnvironment } from './environment.js';
import { launchTokens, openMarket, type LocalToken } from './market.js';
import { localWallet, type LocalWallet } from './key-file.js';
import { addPartner } from './partner.js';
import { writeShellFile } from './shell-file.js';

export interface LocalLaunchpad {
  readonly service: Service;
  readonly cluster: LocalCluster;
  readonly tokens: readonly LocalToken[];
  readonly partnerKey: IssuedKey;
  /** A wallet with SOL, for users who try the launchpad. */
  readonly wallet: LocalWallet;
  /** Receives the partner's rewards. */
  readonly payoutWallet: LocalWallet;
  /** File for `source` that sets the variables of `curvekit-trade` and of the examples. */
  readonly shellFile: string;
  /** Stops everything. Safe to call twice. */
  stop(): Promise<void>;
}

export interface LocalLaunchpadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives one line for each step that may take a while. */
  readonly log: (line: string) => void;
  /** For the wallets' keys and the shell file; `.curvekit/local` in the working directory otherwise. */
  readonly folder?: string;
}

/** Starts the launchpad. Only the folder with the wallets' keys remains when it stops. */
export async function startLocalLaunchpad({
  environment,
  log,
  folder = '.curvekit/local',
}: LocalLaunchpadOptions): Promise<LocalLaunchpad> {
  await requireEnvironment(environment);
  const [wallet, payoutWallet] = [
    await localWallet(folder, 'wallet'),
    await localWallet(folder, 'payout-wallet'),
  ];
  log('starting a cluster with the program');
  // Each takes half a second of a core, and there are two.
  const [cluster, database] = await bothOrNone(
    startLocalCluster({ log }),
    openDatabase({ kind: 'pglite', folder: undefined }),
  );
  const opened: (() => Promise<void>)[] = [() => database.close(), () => cluster.stop()];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const graduationPayer = Keypair.generate();
    // Deleted at the end, like the in-memory database that refers to these files.
    const uploads = await mkdtemp(join(tmpdir(), 'curvekit-uploads-'));
    opened.push(() => rm(uploads, { recursive: true, force: true }));
    log('starting the service');
    const starting = startService(
      readConfig(localEnvironment(environment, cluster, graduationPayer, uploads)),
      { overrides: { database } },
    );
    // Before it has started, because the wallets' funding can fail first.
    opened.push(() =>
      starting.then(
        (started) => started.stop(),
        () => undefined,
      ),
    );
    const [service, chain] = await Promise.all([
      starting,
      prepareChain(cluster, graduationPayer, wallet.keypair),
    ]);
    const { tokens, traders, users } = chain;
    const { context } = service;
    const partnerKey = await addPartner(service, payoutWallet.keypair, users);
    log('launching and trading a few tokens');
    await launchTokens(cluster, cluster.payer, tokens, service.url);
    await openMarket(cluster, tokens, traders);
    for (const job of simulate(cluster, chain, service.url, context.logger)) opened.push(() => job.stop());
    const shellFile = await writeShellFile(folder, {
      LAUNCHPAD_URL: service.url,
      KEYPAIR: wallet.file,
      WALLET: wallet.keypair.publicKey.toBase58(),
      PAYOUT_KEYPAIR: payoutWallet.file,
      API_KEY: partnerKey.key,
      MINT: tokens[0]!.mint.toBase58(),
      RPC_URL: cluster.rpcUrl,
      WS_URL: cluster.wsUrl,
    });
    return { service, cluster, tokens, partnerKey, wallet, payoutWallet, shellFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for both. When one fails, stops the other. */
async function bothOrNone(
  cluster: Promise<LocalCluster>,
  database: Promise<Database>,
): Promise<readonly [LocalCluster, Database]> {
  try {
    return await Promise.all([cluster, database]);
  } catch (error) {
    const ignore = (): void => undefined;
    await cluster.then((started) => started.stop(), ignore);
    await database.then((opened) => opened.close(), ignore);
    throw error;
  }
}

/** Refuses what the environment sets wrongly, and a taken port, before a cluster is started. @throws ConfigError, ListenError */
async function requireEnvironment(environment: LocalLaunchpadOptions['environment']): Promise<void> {
  const nowhere = { rpcUrl: 'http://127.0.0.1:1', wsUrl: 'ws://127.0.0.1:1', kind: 'surfpool' } as const;
  const keys = { admin: Keypair.generate(), dexOwner: Keypair.generate(), feeReceiver: Keypair.generate() };
  const { http } = readConfig(
    localEnvironment(environment, { ...nowhere, ...keys }, Keypair.generate(), tmpdir()),
  );
  await requireFree(http);
}
