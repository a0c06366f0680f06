// The proof that a trade has expired.
import type { Connection } from '../chain/types.js';
import { BLOCKHASH_BLOCKS } from './blockhash-life.js';
import { blockHeightProof, type ExpiryProof } from './expiry-proof.js';
import type { SignedTransaction } from './landing.js';

/**
 * The proof by block height that also waits for the time in which no blockhash expires: a slot has at most one block. A
 * node can report a last valid height that is too low; Surfpool does for the blockhash of a simulation.
 *
 * @returns undefined for a transaction with a nonce: then the usual proof
 * @param transaction its `blockhashSlot` is undefined when it is not known
 */
export function expiryAfter(
  connection: Connection,
  {
    blockhashSlot,
    nonce,
  }: Pick<SignedTransaction, 'nonce'> & { readonly blockhashSlot?: number | undefined },
): ExpiryProof | undefined {
  if (nonce !== undefined) return undefined;
  const proof = blockHeightProof(connection);
  if (blockhashSlot === undefined) return proof;
  return {
    ...proof,
    examine: async (transaction, search) =>
      search.finalized.slot - blockhashSlot < BLOCKHASH_BLOCKS
        ? { kind: 'pending' }
        : proof.examine(transaction, search),
  };
}
