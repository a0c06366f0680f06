// The AMM refuses the swaps of a pool before its opening time, which lies up to a second behind the block that opens it.
import type { Connection } from '@solana/web3.js';
import { AMM } from '../amm/in-use.js';
import type { PoolState } from '../amm/maths.js';
import { PublicKey } from '../chain.js';
import { ByteReader } from '../codec.js';
import { InstructionError } from '../errors.js';
import { sleep } from '../sleep.js';
import { answered } from './answered.js';

/** The clock that programs read. */
const CLOCK_ADDRESS = 'SysvarC1ock11111111111111111111111111111111';
const UNIX_TIMESTAMP = 32;
const LONGEST_WAIT_MS = 10_000;
const PAUSE_MS = 400;
/** How far the node that simulates may be behind the one that tells the time. */
const LAG_SECONDS = 3n;

/**
 * Does something with a pool, again while the AMM refuses it because the pool is not open yet: for 10 s at most, by the cluster's
 * clock.
 *
 * @param work prepares a swap, or sends it
 * @throws what `work` throws; TimeoutError when the RPC node does not answer; the signal's reason
 */
export async function whenOpen<T>(
  connection: Connection,
  { openTime }: PoolState,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isNotApproved(error) || waited >= LONGEST_WAIT_MS) throw error;
      // A pool that was open before has been stopped.
      if ((await clusterTime(connection, signal)) >= openTime + LAG_SECONDS) throw error;
    }
    await sleep(PAUSE_MS, signal);
  }
}

function isNotApproved(error: unknown): boolean {
  if (!(error instanceof InstructionError) || error.programId !== AMM.programId.toBase58()) return false;
  return error.reason === 'NotApproved';
}

/** Seconds since 1970. */
async function clusterTime(connection: Connection, signal: AbortSignal | undefined): Promise<bigint> {
  const asking = connection.getAccountInfo(new PublicKey(CLOCK_ADDRESS), 'confirmed');
  const clock = await answered(asking, signal);
  return clock === null ? 0n : new ByteReader(clock.data, UNIX_TIMESTAMP).u64();
}
