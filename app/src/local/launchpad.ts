// The whole launchpad in one process, for trying it out: a local cluster with the program, the service with its database in
// memory, tokens that simulated wallets trade, and a partner who has registered some of these wallets.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Keypair } from '@solana/web3.js';
import { readConfig } from '../config/config.js';
import { signatureBy } from '../signatures/ed25519.js';
import { issueKey, type IssuedKey } from '../partner/keys.js';
import { Registration } from '../partner/registration.js';
import { startService, type Service } from '../service.js';
import bs58 from 'bs58';
import { createClock } from './clock.js';
import { LocalFileError } from './errors.js';
import { createMarket, launchTokens, openMarket, type LocalToken } from './market.js';
import { localWallet, type LocalWallet } from './key-file.js';
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
}

const PARTNER = 'Local Partner';
const TRADERS = 6;
/** Number of traders that the partner registers. */
const PARTNER_USERS = 3;
const TRADER_LAMPORTS = 1_000_000_000_000n;
const WALLET_LAMPORTS = 1_000_000_000_000n;
const PAYER_LAMPORTS = 1_000_000_000n;
/** In the working directory. */
const FOLDER = '.curvekit/local';

/** Starts the launchpad. Only the folder with the wallets' keys remains when it stops. */
export async function startLocalLaunchpad({
  environment,
  log,
}: LocalLaunchpadOptions): Promise<LocalLaunchpad> {
  const [wallet, payoutWallet] = [
    await localWallet(FOLDER, 'wallet'),
    await localWallet(FOLDER, 'payout-wallet'),
  ];
  log('starting a cluster with the program');
  const cluster = await startLocalCluster({ log });
  const opened: (() => Promise<void>)[] = [() => cluster.stop()];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const graduationPayer = Keypair.generate();
    // Deleted at the end, like the in-memory database that refers to these files.
    const uploads = await temporaryFolder('curvekit-uploads-');
    opened.push(() => rm(uploads, { recursive: true, force: true }));
    log('starting the service');
    const starting = startService(
      readConfig(localEnvironment(environment, cluster, graduationPayer, uploads)),
    );
    // Before it has started, because the wallets' funding can fail first.
    opened.push(() =>
      starting.then(
        (started) => started.stop(),
        () => undefined,
      ),
    );
    const [service, traders] = await Promise.all([
      starting,
      cluster.fundedWallets(TRADERS, TRADER_LAMPORTS),
      cluster.fund(graduationPayer.publicKey, PAYER_LAMPORTS),
      cluster.fund(wallet.keypair.publicKey, WALLET_LAMPORTS),
    ]);
    const { context } = service;
    const partnerKey = await issueKey(context, {
      partner: PARTNER,
      payoutWallet: payoutWallet.keypair.publicKey.toBase58(),
    });
    await registerUsers(service, partnerKey, traders.slice(0, PARTNER_USERS));
    log('launching and trading a few tokens');
    const tokens = await launchTokens(cluster, cluster.payer);
    await openMarket(cluster, tokens, traders);
    for (const job of [
      createMarket(cluster, tokens, traders, context.logger),
      createClock(cluster, context.logger),
    ]) {
      job.start();
      opened.push(() => job.stop());
    }
    const shellFile = await writeShellFile(FOLDER, {
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

/** @throws LocalFileError when the system's folder for temporary files cannot be used */
function temporaryFolder(prefix: string): Promise<string> {
  return mkdtemp(join(tmpdir(), prefix)).catch((cause: Error) => {
    throw new LocalFileError(
      `${tmpdir()} cannot be written (${cause.message}): set TMPDIR to a folder that you can write`,
      { cause },
    );
  });
}

/** Configuration of the service. The environment sets its address and behaviour, the rest is local. */
function localEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { kind, rpcUrl, wsUrl, admin, dexOwner, feeReceiver }: LocalCluster,
  graduationPayer: Keypair,
  uploads: string,
): Record<string, string | undefined> {
  return {
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: '*',
    LP_ADDRESS: Keypair.generate().publicKey.toBase58(),
    ...environment,
    DATABASE_URL: undefined,
    DATABASE_FOLDER: 'memory',
    REDIS_URL: undefined,
    RPC_URL: rpcUrl,
    WS_URL: wsUrl,
    SIMULATED_CLUSTER: kind === 'surfpool' ? 'on' : 'off',
    PROGRAM_ID: undefined,
    ADMIN_ADDRESS: undefined,
    FEE_RECEIVER_ADDRESS: undefined,
    DEX_OWNER_ADDRESS: undefined,
    GRADUATION_PROGRAM_ID: undefined,
    GRADUATION_TREASURY: undefined,
    UPLOADS_FOLDER: uploads,
    WEB_RPC_URL: undefined,
    WEB_WS_URL: undefined,
    // The page uses `/rpc`. Bots and dApps need the websocket and the history too.
    CLIENT_RPC_URL: rpcUrl,
    CLIENT_WS_URL: wsUrl,
    INDEXER: 'on',
    // The local cluster's key that receives swept fees.
    TREASURY_KEYPAIR: keypairText(feeReceiver),
    DEX_OWNER_KEYPAIR: keypairText(dexOwner),
    FEE_RECEIVER_KEYPAIR: undefined,
    GRADUATION_PAYER_KEYPAIR: keypairText(graduationPayer),
    ADMIN_KEYPAIR: keypairText(admin),
  };
}

/** Registers users in the same way as a partner: each user signs a message from the service. */
async function registerUsers(
  { context }: Service,
  { partner }: IssuedKey,
  users: readonly Keypair[],
): Promise<void> {
  const registration = new Registration({
    database: context.database,
    now: context.now,
    serviceName: context.config.serviceName,
    currentSlot: () => context.connection.getSlot('confirmed'),
  });
  for (const user of users) {
    const { message, nonce } = await registration.issueMessage(partner);
    const signature = signatureBy(user, Buffer.from(message));
    await registration.register(partner, {
      publicKey: user.publicKey,
      signature,
      signatureText: bs58.encode(signature),
      nonce,
    });
  }
}

/** In the format of `solana-keygen`. */
function keypairText({ secretKey }: Keypair): string {
  return JSON.stringify([...secretKey]);
}
