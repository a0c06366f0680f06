import type { Connection } from '@solana/web3.js';
import { NodeError } from './node-errors.js';

/** Rent-exempt minimum of an account, in lamports. @throws NodeError when the RPC node does not answer it */
export async function rentMinimum(connection: Connection, size: number): Promise<number> {
  const lamports = await connection.getMinimumBalanceForRentExemption(size);
  // web3.js returns 0 for an error of the node.
  if (lamports === 0) throw new NodeError(`the node gives no rent-exempt minimum of ${size} bytes`);
  return lamports;
}
