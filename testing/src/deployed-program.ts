import { clusterApiUrl, Connection, PublicKey } from '@solana/web3.js';

/** The tag of a program account of the upgradeable loader. The address of its program data account follows it. */
const PROGRAM_TAG = 2;
const PROGRAM_DATA_ADDRESS = { from: 4, to: 36 } as const;
/** The program data account's header: tag, slot of the deployment, optional upgrade authority. */
const PROGRAM_DATA_HEADER_BYTES = 45;

/** The default cluster to read a program from. */
export const PUBLIC_CLUSTER = clusterApiUrl('mainnet-beta');

/** How long the program's bytes may take, about a megabyte. */
const DOWNLOAD_MS = 60_000;

/**
 * Reads a deployed program: its binary, and zeros when its account is longer.
 *
 * @param answerMs how long the node may take for its first, small answer
 */
export async function readDeployedProgram(
  rpcUrl: string,
  programId: PublicKey,
  { answerMs = DOWNLOAD_MS }: { readonly answerMs?: number } = {},
): Promise<Buffer> {
  const program = await accountData(connectionWithin(rpcUrl, answerMs), programId);
  const connection = connectionWithin(rpcUrl, DOWNLOAD_MS);
  if (program.length < PROGRAM_DATA_ADDRESS.to || program.readUInt32LE(0) !== PROGRAM_TAG) {
    throw new Error(`${programId.toBase58()} is not an upgradeable program on ${rpcUrl}`);
  }
  const address = new PublicKey(program.subarray(PROGRAM_DATA_ADDRESS.from, PROGRAM_DATA_ADDRESS.to));
  return (await accountData(connection, address)).subarray(PROGRAM_DATA_HEADER_BYTES);
}

/** The first `length` bytes of a deployed program. Undefined when the program is longer. */
export function withoutRoom(deployed: Buffer, length: number): Buffer | undefined {
  return deployed.subarray(length).some((byte) => byte !== 0) ? undefined : deployed.subarray(0, length);
}

function connectionWithin(rpcUrl: string, timeoutMs: number): Connection {
  return new Connection(rpcUrl, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: (url, init) => fetch(url, { ...(init as RequestInit), signal: AbortSignal.timeout(timeoutMs) }),
  });
}

async function accountData(connection: Connection, address: PublicKey): Promise<Buffer> {
  const account = await connection.getAccountInfo(address);
  if (account === null) throw new Error(`${connection.rpcEndpoint} has no account ${address.toBase58()}`);
  return account.data;
}
