import { closeSync, openSync, readSync } from 'node:fs';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { createDeployment, DEFAULT_DEPLOYMENT } from '../deployment.js';
import { InvalidArgumentError } from '../errors.js';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '../generated/program.js';
import { requireInteger, requirePositiveU64 } from '../validation.js';
import { developmentKeys, programBinary, type DevelopmentKeys } from './artifacts.js';
import type { Backend, ProgramBinary } from './backend.js';
import type { LocalCluster } from './cluster.js';
import { ClusterStartError } from './errors.js';
import { ensureMetaplexProgram } from './metaplex.js';
import { ensureProperties, type LaunchProperties } from './properties.js';
import { connectRpc } from './rpc.js';
import { RunningCluster } from './running-cluster.js';
import { startSurfpool } from './surfpool.js';
import { startValidator } from './validator.js';

export interface LocalClusterOptions {
  /** `surfpool` (in this process; the default), `validator` (`solana-test-validator` from PATH), or an RPC URL. */
  readonly backend?: string;
  /** Address of the program; this package's default deployment when left out. */
  readonly programId?: PublicKey;
  /** Path of the compiled program; the one that comes with this package when left out. */
  readonly programSo?: string;
  /** Path of the Metaplex Token Metadata binary; fetched and cached when left out. */
  readonly metaplexSo?: string;
  /** More programs to deploy. On a cluster reached by URL they must be there already. */
  readonly programs?: readonly ProgramBinary[];
  /** The authorities compiled into the program; the development keys when left out. */
  readonly keys?: DevelopmentKeys;
  /**
   * What the operator sets; a field left out has its default (30 SOL, 1,073,000,000 tokens, 100 bps). False for none.
   * Left out altogether, a cluster reached by URL keeps the properties it has.
   */
  readonly properties?: Partial<LaunchProperties> | false;
  /** What the three authorities hold at least, and `fundedWallet` gives by default, in lamports: 100 SOL. */
  readonly walletLamports?: bigint;
  /**
   * Length of a slot in milliseconds: 400 by default, as on mainnet. A validator confirms faster with shorter slots.
   * Surfpool makes a slot for each transaction and moves its clock by that much, so its clock runs ahead of the wall's
   * in a busy test and stands still in an idle one.
   */
  readonly slotTimeMs?: number;
  /** A funded keypair, for a cluster reached by URL whose faucet is dry. */
  readonly payer?: Keypair;
  /** The websocket's address, for a cluster reached by URL where it isn't on the next port. */
  readonly wsUrl?: string;
  /** Receives one line for each step that may take a while. */
  readonly log?: (line: string) => void;
}

const ELF_MAGIC = Buffer.from('\x7fELF', 'latin1');

const DEFAULT_WALLET_LAMPORTS = 100_000_000_000n;
const DEFAULT_SLOT_TIME_MS = 400;
const LONGEST_SLOT_TIME_MS = 3_600_000;

/**
 * Starts a cluster with the program and Metaplex Token Metadata deployed, its authorities funded and properties set. Stop
 * it when done; it never outlives this process.
 *
 * @throws ClusterStartError, MetaplexUnavailableError or InvalidArgumentError, all of which say what to do. Nothing is
 *   left running then.
 */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const walletLamports = requirePositiveU64(
    'walletLamports',
    options.walletLamports ?? DEFAULT_WALLET_LAMPORTS,
  );
  const keys = options.keys ?? developmentKeys();
  const deployment = createDeployment({
    programId: options.programId ?? DEFAULT_DEPLOYMENT.programId,
    admin: keys.admin.publicKey,
    feeReceiver: keys.feeReceiver.publicKey,
    dexOwner: keys.dexOwner.publicKey,
  });
  const backend = await startBackend(deployment.programId, options);
  try {
    const cluster = new RunningCluster(backend, deployment, keys, walletLamports);
    await fundAuthorities(cluster, keys, walletLamports);
    if (options.properties !== false) {
      await ensureProperties(cluster.connection, cluster.sender, deployment, keys.admin, options.properties);
    }
    return cluster;
  } catch (error) {
    await backend.stop();
    throw error;
  }
}

async function startBackend(programId: PublicKey, options: LocalClusterOptions): Promise<Backend> {
  const { backend = 'surfpool', programs = [], slotTimeMs = DEFAULT_SLOT_TIME_MS } = options;
  requireInteger('slotTimeMs', slotTimeMs, LONGEST_SLOT_TIME_MS, 1);
  if (backend === 'surfpool') {
    return startSurfpool(await binaries(programId, options), slotTimeMs);
  }
  if (backend === 'validator') return startValidator(await binaries(programId, options), slotTimeMs);
  if (!URL.canParse(backend) || !/^https?:$/.test(new URL(backend).protocol)) {
    throw new InvalidArgumentError(
      'backend',
      `is '${backend}'; it must be 'surfpool', 'validator' or an http(s) URL`,
    );
  }
  const required = [{ programId }, { programId: TOKEN_METADATA_PROGRAM_ADDRESS }, ...programs];
  return connectRpc(backend, required, { wsUrl: options.wsUrl, payer: options.payer });
}

async function binaries(programId: PublicKey, options: LocalClusterOptions): Promise<ProgramBinary[]> {
  const { programSo = programBinary(), programs = [], log = () => undefined } = options;
  const metaplexSo = options.metaplexSo ?? (await ensureMetaplexProgram({ log })).path;
  const all = [
    { programId, so: programSo },
    { programId: TOKEN_METADATA_PROGRAM_ADDRESS, so: metaplexSo },
    ...programs,
  ];
  for (const { so } of all) requireElf(so);
  return all;
}

/** Surfpool takes any file for a program, and one that isn't does nothing, successfully. */
function requireElf(so: string): void {
  const start = Buffer.alloc(ELF_MAGIC.length);
  try {
    const file = openSync(so, 'r');
    try {
      readSync(file, start);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new ClusterStartError(`the program binary ${so} cannot be read; check the path`, { cause });
  }
  if (!start.equals(ELF_MAGIC))
    throw new ClusterStartError(`${so} is not a compiled program; check the path`);
}

async function fundAuthorities(
  cluster: RunningCluster,
  keys: DevelopmentKeys,
  lamports: bigint,
): Promise<void> {
  const authorities = [keys.admin, keys.feeReceiver, keys.dexOwner].map(({ publicKey }) => publicKey);
  const accounts = await cluster.connection.getMultipleAccountsInfo(authorities);
  await Promise.all(
    authorities.map(async (authority, index) => {
      const missing = lamports - BigInt(accounts[index]?.lamports ?? 0);
      if (missing > 0n) await cluster.fund(authority, missing);
    }),
  );
}
