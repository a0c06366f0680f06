import { createRequire } from 'node:module';
import { Keypair, PublicKey } from '@solana/web3.js';
import { ATA_PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { AccountContent, Backend, Genesis, Pace, ProgramBinary, TimeTravelTarget } from './backend.js';
import { ClusterStartError } from './errors.js';
import { callRpc } from './json-rpc.js';

/** Types for the used parts of Surfpool's native addon. The platform packages have no typings. */
export interface SurfpoolAddon {
  readonly Surfnet: { startWithConfig(config: { offline?: boolean; slotTimeMs?: number }): Surfnet };
}

/** One running Surfpool. Its methods block the event loop until they are done. */
export interface Surfnet {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly payerSecretKey: number[];
  deploy(program: { programId: string; soPath: string }): unknown;
  drainEvents(): unknown[];
  stop(): void;
}

const PLATFORM_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@solana/surfpool-linux-x64-gnu',
  'darwin-arm64': '@solana/surfpool-darwin-arm64',
  'darwin-x64': '@solana/surfpool-darwin-x64',
};

const INSTEAD = "choose another cluster: `--cluster validator` (backend: 'validator') or an RPC URL";

/**
 * Surfpool queues up to 1,024 events, two to four per transaction, and blocks while the queue is full. Ten drains a
 * second allow 2,500 transactions a second, several times its maximum.
 */
const DRAIN_INTERVAL_MS = 100;

const PACE: Pace = {
  // Every transaction makes a slot, and a blockhash is valid for 150 slots, so it could expire with more at once.
  maxInFlight: 32,
  // It answers after it has processed the transaction.
  resendAfterMs: 100,
};

const UPGRADEABLE_LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');
/** The upgradeable loader's accounts: a tag, then an address, or a slot and an optional authority. */
const PROGRAM = { tag: 2, bytes: 36 } as const;
const PROGRAM_DATA = { tag: 3, headerBytes: 45 } as const;

/** 500 million SOL, as for the mint of `solana-test-validator`. */
const PAYER_LAMPORTS = 500_000_000_000_000_000n;

/**
 * The Surfpool addon for this platform, from its optional dependency.
 *
 * @param platform Node's names for system and processor, such as `linux-x64`.
 * @throws ClusterStartError when there is no package for this platform, or it is not installed. The message names the
 *   package and an alternative.
 */
export function loadSurfpool(platform = `${process.platform}-${process.arch}`): SurfpoolAddon {
  const name = PLATFORM_PACKAGES[platform];
  if (name === undefined) {
    const known = Object.keys(PLATFORM_PACKAGES).join(', ');
    throw new ClusterStartError(`Surfpool has no package for ${platform} (only for ${known}); ${INSTEAD}`);
  }
  try {
    return createRequire(import.meta.url)(name) as SurfpoolAddon;
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    const problem = missing ? 'is not installed' : `does not load (${(cause as Error).message})`;
    throw new ClusterStartError(
      `Surfpool's package ${name} ${problem}; install it (\`npm install ${name}\`), or ${INSTEAD}`,
      { cause },
    );
  }
}

/**
 * Starts Surfpool inside this process, offline, with the programs deployed and a funded payer.
 *
 * @param slotTimeMs How far the clock moves with each slot, that is with each transaction.
 * @throws ClusterStartError when the platform's package is missing or Surfpool does not come up.
 */
export async function startSurfpool({ programs, accounts }: Genesis, slotTimeMs: number): Promise<Backend> {
  const { Surfnet } = loadSurfpool();
  let surfnet: Surfnet;
  try {
    surfnet = Surfnet.startWithConfig({ offline: true, slotTimeMs });
  } catch (cause) {
    throw new ClusterStartError(`Surfpool did not start: ${(cause as Error).message}`, { cause });
  }
  const draining = setInterval(() => surfnet.drainEvents(), DRAIN_INTERVAL_MS);
  draining.unref();
  let stopped = false;
  const backend: Backend = {
    kind: 'surfpool',
    rpcUrl: surfnet.rpcUrl,
    wsUrl: surfnet.wsUrl,
    payer: Keypair.fromSecretKey(Uint8Array.from(surfnet.payerSecretKey)),
    pace: PACE,
    timeTravel: (target) => travel(surfnet.rpcUrl, target),
    setAccount: (address, content) => setAccount(surfnet.rpcUrl, address, content),
    stop: () => {
      if (!stopped) {
        stopped = true;
        clearInterval(draining);
        surfnet.stop();
      }
      return Promise.resolve();
    },
  };
  try {
    for (const program of programs) deploy(surfnet, program);
    await moveBinaryOut(surfnet.rpcUrl, ATA_PROGRAM_ADDRESS);
    await setAccount(surfnet.rpcUrl, backend.payer.publicKey, { lamports: PAYER_LAMPORTS });
    for (const { address, owner, lamports, data } of accounts)
      await setAccount(surfnet.rpcUrl, address, { owner, lamports, data: Buffer.from(data, 'base64') });
    return backend;
  } catch (error) {
    await backend.stop();
    throw error;
  }
}

function deploy(surfnet: Surfnet, { programId, so }: ProgramBinary): void {
  try {
    surfnet.deploy({ programId: programId.toBase58(), soPath: so });
  } catch (cause) {
    throw new ClusterStartError(
      `Surfpool refused program ${programId.toBase58()} (${so}): ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

// Use RPC instead of the addon's methods, which block the event loop and so the draining of events.

async function travel(rpcUrl: string, target: TimeTravelTarget): Promise<void> {
  const to = 'slot' in target ? { absoluteSlot: target.slot } : { absoluteEpoch: target.epoch };
  await callRpc(rpcUrl, 'surfnet_timeTravel', [to]);
}

/**
 * Moves a program's binary out of the account that its callers name. Surfpool keeps copies of every account of the last
 * transactions, and copies these several times for each new one: with the 105 kB of the associated-token program, a buy
 * took twice the CPU time, and kept 0.12 MB. The program runs the same, and costs the same compute units.
 */
async function moveBinaryOut(rpcUrl: string, program: PublicKey): Promise<void> {
  const { value } = (await callRpc(rpcUrl, 'getAccountInfo', [
    program.toBase58(),
    { encoding: 'base64' },
  ])) as {
    value: { lamports: number; owner: string; data: [string] } | null;
  };
  if (value === null || value.owner === UPGRADEABLE_LOADER.toBase58()) return;
  const [address] = PublicKey.findProgramAddressSync([program.toBuffer()], UPGRADEABLE_LOADER);
  const header = Buffer.alloc(PROGRAM_DATA.headerBytes);
  header.writeUInt32LE(PROGRAM_DATA.tag);
  const data = Buffer.concat([header, Buffer.from(value.data[0], 'base64')]);
  const account = Buffer.alloc(PROGRAM.bytes);
  account.writeUInt32LE(PROGRAM.tag);
  address.toBuffer().copy(account, 4);
  const owner = UPGRADEABLE_LOADER;
  const lamports = BigInt(value.lamports);
  await setAccount(rpcUrl, address, { owner, lamports, data });
  await setAccount(rpcUrl, program, { owner, lamports, data: account, executable: true });
}

async function setAccount(
  rpcUrl: string,
  address: PublicKey,
  content: AccountContent & { readonly executable?: boolean },
): Promise<void> {
  const { lamports, data, owner, executable } = content;
  const update = {
    ...(lamports === undefined ? {} : { lamports }),
    ...(data === undefined ? {} : { data: Buffer.from(data).toString('hex') }),
    ...(owner === undefined ? {} : { owner: owner.toBase58() }),
    ...(executable === undefined ? {} : { executable }),
  };
  await callRpc(rpcUrl, 'surfnet_setAccount', [address.toBase58(), update]);
}
