// The AMM refuses swaps before a pool's opening time, which is up to a second later than the block that opens it.
import * as AMM from '../amm/in-use.js';
import type { PoolState } from '../amm/maths.js';
import { PublicKey } from '../chain/keys.js';
import type { Connection } from '../chain/types.js';
import { notA } from '../errors/base.js';
import { requireObject } from '../checks/options.js';
import { ByteReader } from '../codec/borsh.js';
import { InstructionError } from '../errors/index.js';
import { reading } from '../rpc/reading.js';
import { sleep } from '../time/sleep.js';

/** The Clock sysvar. */
const CLOCK_ADDRESS = 'SysvarC1ock11111111111111111111111111111111';
const UNIX_TIMESTAMP = 32;
const LONGEST_WAIT_MS = 10_000;
const PAUSE_MS = 400;
/** How far the simulating node may be behind the node that returned the time. */
const LAG_SECONDS = 3n;

/**
 * Calls `work`, and retries while the AMM refuses because the pool is not open yet: for at most 10 s, by the cluster's
 * clock.
 *
 * @param work prepares a swap, or sends it
 * @throws errors of `work`; RpcError; the signal's reason
 */
export async function whenOpen<T>(
  connection: Connection,
  pool: PoolState,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  requireObject('pool', pool);
  if (typeof work !== 'function') throw notA('work', 'a function', work);
  const { openTime } = pool;
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isNotApproved(error) || waited >= LONGEST_WAIT_MS) throw error;
      // The pool was open already, so the refusal means that the AMM has stopped it.
      if ((await clusterTime(connection, signal)) >= openTime + LAG_SECONDS) throw error;
    }
    await sleep(PAUSE_MS, signal);
  }
}

function isNotApproved(error: unknown): boolean {
  if (!(error instanceof InstructionError) || error.programId !== AMM.programId.toBase58()) return false;
  return error.reason === 'NotApproved';
}

/** Unix time of the cluster, in seconds. */
async function clusterTime(connection: Connection, signal: AbortSignal | undefined): Promise<bigint> {
  const node = reading(connection, { signal });
  const clock = await node.getAccountInfo(new PublicKey(CLOCK_ADDRESS), 'confirmed');
  return clock === null ? 0n : new ByteReader(clock.data, UNIX_TIMESTAMP).u64();
}
