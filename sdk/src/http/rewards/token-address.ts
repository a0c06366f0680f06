// A token given by the caller: a key, or its address as text from an answer of the API.
import { PublicKey } from '@solana/web3.js';
import { decodeBase58 } from '../../base58.js';
import { InvalidArgumentError } from '../../errors.js';

const KEY_SIZE = 32;

/** @throws InvalidArgumentError for a text that is not an address */
export function tokenKey(tokenAddress: PublicKey | string): PublicKey {
  if (typeof tokenAddress !== 'string') return tokenAddress;
  try {
    const bytes = decodeBase58(tokenAddress);
    // web3.js pads a text that is too short.
    if (bytes.length === KEY_SIZE) return new PublicKey(bytes);
  } catch {
    // Not base58.
  }
  throw new InvalidArgumentError(
    'tokenAddress',
    `is "${tokenAddress}"; give a PublicKey, or its ${KEY_SIZE} bytes in base58`,
  );
}
