// What an account must hold, by the node. Clusters change it: mainnet lowers it in steps since September 2026.
import type { Connection } from '../chain/types.js';
import { requireInteger } from '../checks/numbers.js';
import { requireKnown } from '../checks/options.js';
import { RPC_OPTIONS, type RpcOptions } from './ask.js';
import { clientOf } from './landed-slots.js';
import { reading, type Reader } from './reading.js';
import { RpcError } from './rpc-error.js';

/** Lamports that an account with so many bytes of data must hold. */
export type Rent = (bytes: number) => bigint;

/** Bytes that the cluster adds to every account. */
const OVERHEAD_BYTES = 128;
const MOST_BYTES = 10 * 1024 * 1024;
const REMEMBERED_MS = 600_000;
const METHOD = 'getMinimumBalanceForRentExemption';

const known = new WeakMap<object, { readonly ofEmpty: bigint; readonly at: number }>();

/**
 * The lamports that an account with `bytes` bytes of data must hold. The node is asked once; the connection remembers
 * its answer for ten minutes.
 *
 * @throws InvalidArgumentError; RpcError; the signal's reason
 */
export async function fetchRentExemption(
  connection: Connection,
  bytes: number,
  options: RpcOptions = {},
): Promise<bigint> {
  requireInteger('bytes', bytes, MOST_BYTES);
  requireKnown('options', options, RPC_OPTIONS);
  return (await readRent(reading(connection, options)))(bytes);
}

/** @param anew asks the node although an answer is remembered */
export async function readRent(node: Reader, anew = false): Promise<Rent> {
  const client = clientOf(node);
  const last = known.get(client);
  const isFresh = last !== undefined && Date.now() - last.at < REMEMBERED_MS;
  if (isFresh && !anew) return rentFrom(last.ofEmpty);
  const answer = await node.request(METHOD, [0]);
  if (!Number.isSafeInteger(answer) || (answer as number) < 0)
    throw new RpcError(METHOD, {
      problem: 'its answer has an unknown form',
      advice: 'use another node',
      isTemporary: false,
    });
  const ofEmpty = BigInt(answer as number);
  known.set(client, { ofEmpty, at: Date.now() });
  return rentFrom(ofEmpty);
}

/** Every byte costs the same. */
function rentFrom(ofEmpty: bigint): Rent {
  return (bytes) => (ofEmpty * BigInt(OVERHEAD_BYTES + bytes)) / BigInt(OVERHEAD_BYTES);
}
