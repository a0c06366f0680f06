import type { VersionedTransaction } from '@solana/web3.js';
import { encodeBase58 } from './base58.js';
import { InvalidArgumentError } from './errors.js';

/**
 * The first signature, which identifies a transaction. @throws InvalidArgumentError when the transaction is not signed.
 */
export function signatureOf({ signatures: [signature] }: VersionedTransaction): string {
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    throw new InvalidArgumentError('transaction', 'lacks the signature of its fee payer');
  }
  return encodeBase58(signature);
}
