import type { VersionedTransaction } from '../chain/types.js';
import { decodeBase58, encodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError } from '../errors/index.js';

/**
 * The first signature, which identifies a transaction. @throws InvalidArgumentError when the transaction is not signed.
 */
export function signatureOf(transaction: VersionedTransaction): string {
  const { signatures } = Object(transaction) as Partial<VersionedTransaction>;
  if (!Array.isArray(signatures))
    throw new InvalidArgumentError('transaction', 'must be a VersionedTransaction');
  const [signature] = signatures as readonly Uint8Array[];
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    throw new InvalidArgumentError('transaction', 'lacks the signature of its fee payer');
  }
  return encodeBase58(signature);
}

/** Whether a text is 64 bytes in base58. */
export function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) && decodeBase58(text).length === 64;
}
