// The whole launchpad in one process, for trying it out: a local cluster with the program, the service with its database in
// memory, tokens that simulated wallets trade, and a partner who has registered some of these wallets.
import { mkdtemp, rm, link, mkdir, readFile, writeFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, relative } from 'node:path';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Keypair } from '@solana/web3.js';
import { readConfig } from '../../config/config.js';
import { openDatabase, type Database } from '../../db/database.js';
import { requireFree } from '../../http/server.js';
import { type IssuedKey, issueKey } from '../../partners/keys.js';
import { startService, type Service } from '../../service.js';
import { prepareChain, simulate } from './chain.js';
import { launchTokens, openMarket, type LocalToken } from './market.js';
import { randomUUID } from 'node:crypto';
import bs58 from 'bs58';
import { Registration } from '../../partners/registration.js';
import { signatureBy } from '../../keys/ed25519.js';
import { CommandError } from '../command.js';

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

/** Configuration of the service. The environment sets its address and behaviour, the rest is local. */
export function localEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  {
    kind,
    rpcUrl,
    wsUrl,
    admin,
    dexOwner,
    feeReceiver,
  }: Pick<LocalCluster, 'kind' | 'rpcUrl' | 'wsUrl' | 'admin' | 'dexOwner' | 'feeReceiver'>,
  graduationPayer: Keypair,
  uploads: string,
): Record<string, string | undefined> {
  return {
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: '*',
    // Page, command line, bots and examples have one address here, and following a few claims takes more than the usual 100.
    RATE_LIMIT_REQUESTS: '100000',
    MARKET_RATE_LIMIT_REQUESTS: '100000',
    // The simulated wallets launch tokens from this address.
    UPLOADS_PER_DAY: '10000',
    LP_ADDRESS: Keypair.generate().publicKey.toBase58(),
    ...environment,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    REDIS_URL_FILE: undefined,
    RPC_URL_FILE: undefined,
    WS_URL_FILE: undefined,
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

/** In the format of `solana-keygen`. */
function keypairText({ secretKey }: Keypair): string {
  return JSON.stringify([...secretKey]);
}

// A wallet of the local launchpad. Its key file is created once and never overwritten.

interface LocalWallet {
  readonly keypair: Keypair;
  /** Absolute path of the keypair file, in the format of `solana-keygen`. */
  readonly file: string;
}

/** Reads the wallet of a folder, or creates it. @throws CommandError when its file has no valid keypair */
export async function localWallet(folder: string, name: string): Promise<LocalWallet> {
  const path = join(folder, `${name}.json`);
  const file = resolve(path);
  const keypair = Keypair.generate();
  try {
    await mkdir(folder, { recursive: true });
    const isCreated = await createFile(file, JSON.stringify([...keypair.secretKey]));
    if (isCreated) return { keypair, file };
  } catch (error) {
    throw unwritable(folder, error as Error);
  }
  return { keypair: await readKeypair(path), file };
}

/** Creates a file with its complete content, so that a concurrent start reads no half of a key. False if it exists. */
async function createFile(file: string, content: string): Promise<boolean> {
  const options = { mode: 0o600, flag: 'wx' } as const;
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, content, options);
    await link(temporary, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Some file systems have no hard links.
      await writeFile(file, content, options);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readKeypair(file: string): Promise<Keypair> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new CommandError(
      `${file} cannot be read (${cause.message}): make it readable, or move it away, and another one is made`,
      { cause },
    );
  });
  try {
    return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(text) as number[]));
  } catch (cause) {
    throw new CommandError(`${file} holds no keypair: move it away, and another one is made`, { cause });
  }
}

const PARTNER = 'Local Partner';

export async function addPartner(
  service: Service,
  payoutWallet: Keypair,
  users: readonly Keypair[],
): Promise<IssuedKey> {
  const key = await issueKey(service.context, {
    partner: PARTNER,
    payoutWallet: payoutWallet.publicKey.toBase58(),
  });
  await registerUsers(service, key, users);
  return key;
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

// What another terminal needs to use the local launchpad, as a file for `source`.

/** Variables of `curvekit-trade`, the examples and the READMEs. */
interface ShellVariables {
  readonly LAUNCHPAD_URL: string;
  /** Key file of a wallet that has SOL. */
  readonly KEYPAIR: string;
  readonly WALLET: string;
  /** Key file of the partner's payout wallet, which has rewards and no SOL. */
  readonly PAYOUT_KEYPAIR: string;
  readonly API_KEY: string;
  /** A token on its curve. */
  readonly MINT: string;
  /** For programs that speak to a node themselves. It changes at each start. */
  readonly RPC_URL: string;
  readonly WS_URL: string;
}

/**
 * Writes the file, readable by its owner only. @returns its path from the working directory
 * @throws CommandError when it cannot be written
 */
export async function writeShellFile(folder: string, variables: ShellVariables): Promise<string> {
  const file = join(folder, 'env');
  const lines = Object.entries<string>({ ...variables }).map(
    ([name, value]) => `export ${name}=${quoted(value)}\n`,
  );
  // Whole, also for a shell that reads it now.
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, lines.join(''), { mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(folder, error as Error);
  }
  return relative(process.cwd(), file);
}

/** A word that a shell reads as it is. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function unwritable(folder: string, cause: Error): CommandError {
  return new CommandError(
    `${folder} cannot be written (${cause.message}): make it a folder that you can write, or start in another folder`,
    { cause },
  );
}
