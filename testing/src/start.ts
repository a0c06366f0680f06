import { closeSync, openSync, readSync } from 'node:fs';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { AMM_FIXTURE } from './amm-fixture.js';
import {
  createDeployment,
  DEFAULT_DEPLOYMENT,
  type Deployment,
  fetchRentExemption,
  graduatesByItself,
  InvalidArgumentError,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { requireInteger, requirePositiveU64 } from './arguments.js';
import { ammForLocalCluster } from './amm.js';
import { developmentKeys, programBinary, type DevelopmentKeys } from './artifacts.js';
import type { Backend, Genesis, ProgramBinary } from './backend.js';
import type { LocalCluster } from './cluster.js';
import { ClusterStartError } from './errors.js';
import { ensureMetaplexProgram } from './metaplex.js';
import { ensureProperties, type LaunchProperties } from './properties.js';
import { connectRpc } from './rpc.js';
import { RunningCluster } from './running-cluster.js';
import { startSurfpool } from './surfpool.js';
import { startValidator } from './validator.js';

/** The cluster, and what is deployed on it. */
export interface LocalClusterOptions {
  /** `surfpool` (the default), `validator` (`solana-test-validator` from PATH), or an RPC URL. */
  readonly backend?: string;
  /** Address of the program. Default: that of the SDK's default deployment. */
  readonly programId?: PublicKey;
  /** Path of the compiled program. Default: the program in this package. */
  readonly programSo?: string;
  /**
   * Whether sold-out curves graduate into pools by themselves, which is the default. The cluster then has the build whose
   * fee receiver is the graduation program's PDA, the graduation program, and the AMM from `ammSo` or from
   * `ammForLocalCluster`. With `false` it has the key-held build: `feeReceiver` migrates the curves.
   */
  readonly graduation?: boolean | { readonly ammSo?: string };
  /** Path of the Metaplex Token Metadata binary. Default: it is fetched and cached. */
  readonly metaplexSo?: string;
  /** More programs to deploy. On a cluster given by URL they must already be deployed. */
  readonly programs?: readonly ProgramBinary[];
  /** The authorities compiled into the program. Default: the development keys. */
  readonly keys?: DevelopmentKeys;
  /**
   * The properties to set. An omitted field has its default (30 SOL, 1,073,000,000 tokens, 100 bps). `false` sets none.
   * Without this option a cluster given by URL keeps its properties.
   */
  readonly properties?: Partial<LaunchProperties> | false;
  /** Minimum balance of the three authorities, and default of `fundedWallet`, in lamports. Default: 100 SOL. */
  readonly walletLamports?: bigint;
  /**
   * Length of a slot in milliseconds. Default: 400, as on mainnet. A validator confirms faster with shorter slots.
   * Surfpool makes a slot for each transaction and moves its clock by this time, so its clock runs ahead of real time
   * in a busy test and stops in an idle one.
   */
  readonly slotTimeMs?: number;
  /** A funded keypair, for a cluster given by URL without a faucet. */
  readonly payer?: Keypair;
  /** The websocket URL, for a cluster given by URL whose websocket is not on the next port. */
  readonly wsUrl?: string;
  /** Receives one line for each step that can take long. */
  readonly log?: (line: string) => void;
}

const ELF_MAGIC = Buffer.from('\x7fELF', 'latin1');

const DEFAULT_WALLET_LAMPORTS = 100_000_000_000n;
const DEFAULT_SLOT_TIME_MS = 400;
const LONGEST_SLOT_TIME_MS = 3_600_000;

/**
 * Starts a cluster with the program and Metaplex Token Metadata deployed, its authorities funded and properties set.
 * Call `stop()` when done. The cluster also ends with this process.
 *
 * @throws ClusterStartError, MetaplexUnavailableError, AmmUnavailableError or InvalidArgumentError. Their messages say
 *   what to do. Nothing keeps running then.
 */
export async function startLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const walletLamports = requirePositiveU64(
    'walletLamports',
    options.walletLamports ?? DEFAULT_WALLET_LAMPORTS,
  );
  const keys = options.keys ?? developmentKeys();
  const { graduation } = DEFAULT_DEPLOYMENT;
  const isKeyHeld = options.graduation === false;
  const deployment = createDeployment({
    programId: options.programId ?? DEFAULT_DEPLOYMENT.programId,
    admin: keys.admin.publicKey,
    feeReceiver: isKeyHeld ? keys.feeReceiver.publicKey : graduation.feeReceiver.address,
    dexOwner: keys.dexOwner.publicKey,
  });
  const backend = await startBackend(deployment, options);
  try {
    const cluster = new RunningCluster(backend, deployment, keys, walletLamports);
    await fundAuthorities(cluster, keys, walletLamports);
    // With less, the fee receiver could not receive a small fee.
    const least = await fetchRentExemption(cluster.connection, 0);
    if (!isKeyHeld) await fundUpTo(cluster, [graduation.feeReceiver.address], least);
    if (options.properties !== false) {
      await ensureProperties(cluster.connection, cluster.sender, deployment, keys.admin, options.properties);
    }
    return cluster;
  } catch (error) {
    await backend.stop();
    throw error;
  }
}

async function startBackend(deployment: Deployment, options: LocalClusterOptions): Promise<Backend> {
  const { backend = 'surfpool', programs = [], slotTimeMs = DEFAULT_SLOT_TIME_MS } = options;
  requireInteger('slotTimeMs', slotTimeMs, LONGEST_SLOT_TIME_MS, 1);
  if (backend === 'surfpool') {
    return startSurfpool(await genesisOf(deployment, options), slotTimeMs);
  }
  if (backend === 'validator') return startValidator(await genesisOf(deployment, options), slotTimeMs);
  if (!URL.canParse(backend) || !/^https?:$/.test(new URL(backend).protocol)) {
    throw new InvalidArgumentError(
      'backend',
      `is '${backend}'; it must be 'surfpool', 'validator' or an http(s) URL`,
    );
  }
  const { programId, graduation } = deployment;
  const ids = [programId, TOKEN_METADATA_PROGRAM_ADDRESS];
  if (graduatesByItself(deployment)) ids.push(graduation.programId, AMM_FIXTURE.programId);
  const required = [...ids.map((id) => ({ programId: id })), ...programs];
  return connectRpc(backend, required, { wsUrl: options.wsUrl, payer: options.payer });
}

async function genesisOf(deployment: Deployment, options: LocalClusterOptions): Promise<Genesis> {
  const { programs = [], log = () => undefined } = options;
  const graduating = graduatesByItself(deployment);
  const curveSo = options.programSo ?? programBinary(graduating ? 'curve' : 'keyHeldCurve');
  const metaplexSo = options.metaplexSo ?? (await ensureMetaplexProgram({ log })).path;
  const all = [
    { programId: deployment.programId, so: curveSo },
    { programId: TOKEN_METADATA_PROGRAM_ADDRESS, so: metaplexSo },
    ...(graduating ? await graduationPrograms(deployment, options) : []),
    ...programs,
  ];
  for (const { so } of all) requireElf(so);
  return { programs: all, accounts: graduating ? AMM_FIXTURE.accounts : [] };
}

async function graduationPrograms(
  { graduation }: Deployment,
  { graduation: wanted, log = () => undefined }: LocalClusterOptions,
): Promise<ProgramBinary[]> {
  const ammSo = typeof wanted === 'object' ? wanted.ammSo : undefined;
  return [
    { programId: graduation.programId, so: programBinary('graduation') },
    { programId: AMM_FIXTURE.programId, so: ammSo ?? (await ammForLocalCluster({ log })).path },
  ];
}

/** Checks that the file is a program. Surfpool accepts any file, and calls of such a program would succeed. */
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

function fundAuthorities(cluster: RunningCluster, keys: DevelopmentKeys, lamports: bigint): Promise<void> {
  const authorities = [keys.admin, keys.feeReceiver, keys.dexOwner].map(({ publicKey }) => publicKey);
  return fundUpTo(cluster, authorities, lamports);
}

async function fundUpTo(
  cluster: RunningCluster,
  addresses: readonly PublicKey[],
  lamports: bigint,
): Promise<void> {
  const accounts = await cluster.connection.getMultipleAccountsInfo([...addresses]);
  await Promise.all(
    addresses.map(async (address, index) => {
      const missing = lamports - BigInt(accounts[index]?.lamports ?? 0);
      if (missing > 0n) await cluster.fund(address, missing);
    }),
  );
}
