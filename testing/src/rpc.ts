import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, Keypair, LAMPORTS_PER_SOL } from '@solana/web3.js';
import type { Backend, Pace, ProgramBinary } from './backend.js';
import { openConnection } from './connection.js';
import { ClusterStartError } from './errors.js';

/** Lamports for the new payer, from the cluster's faucet. */
const AIRDROP_LAMPORTS = 10_000 * LAMPORTS_PER_SOL;
const AIRDROP_TIMEOUT_MS = 30_000;
const AIRDROP_POLL_MS = 100;

const PACE: Pace = { maxInFlight: 32, resendAfterMs: 1_000 };

export interface RpcBackendOptions {
  readonly wsUrl?: string | undefined;
  readonly payer?: Keypair | undefined;
}

/**
 * Uses a running cluster, on which the programs must already be deployed.
 *
 * @param rpcUrl Without `wsUrl` the websocket is on the next port (or on the same, when the URL has no port).
 * @throws ClusterStartError when a program is missing, or without `payer` when the faucet fails.
 */
export async function connectRpc(
  rpcUrl: string,
  programs: readonly Pick<ProgramBinary, 'programId'>[],
  { wsUrl = websocketOf(rpcUrl), payer }: RpcBackendOptions = {},
): Promise<Backend> {
  const connection = openConnection(rpcUrl);
  await requirePrograms(connection, programs);
  return {
    kind: 'rpc',
    rpcUrl,
    wsUrl,
    payer: payer ?? (await airdroppedPayer(connection)),
    pace: PACE,
    stop: () => Promise.resolve(),
  };
}

/** The websocket URL, by the convention of validators. */
function websocketOf(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol.replace('http', 'ws');
  if (url.port !== '') url.port = `${Number(url.port) + 1}`;
  return url.href;
}

async function requirePrograms(
  connection: Connection,
  programs: readonly Pick<ProgramBinary, 'programId'>[],
): Promise<void> {
  const url = connection.rpcEndpoint;
  const ids = programs.map(({ programId }) => programId);
  const accounts = await connection.getMultipleAccountsInfo(ids).catch((cause: unknown) => {
    throw new ClusterStartError(`${url} does not answer: ${(cause as Error).message}`, { cause });
  });
  const missing = ids.filter((_, index) => accounts[index]?.executable !== true);
  if (missing.length > 0) {
    const names = missing.map((id) => id.toBase58()).join(', ');
    throw new ClusterStartError(`${url} has no program at ${names}; deploy it there first`);
  }
}

async function airdroppedPayer(connection: Connection): Promise<Keypair> {
  const payer = Keypair.generate();
  const failure = `the faucet of ${connection.rpcEndpoint} gave nothing; pass a funded keypair as payer`;
  await connection.requestAirdrop(payer.publicKey, AIRDROP_LAMPORTS).catch((cause: unknown) => {
    throw new ClusterStartError(`${failure} (${(cause as Error).message})`, { cause });
  });
  const deadline = Date.now() + AIRDROP_TIMEOUT_MS;
  while ((await connection.getBalance(payer.publicKey)) < AIRDROP_LAMPORTS) {
    if (Date.now() > deadline) throw new ClusterStartError(failure);
    await sleep(AIRDROP_POLL_MS);
  }
  return payer;
}
