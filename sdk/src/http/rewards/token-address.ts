// A token given by the caller: a key, or its address as text from an answer of the API.
import type { PublicKey } from '@solana/web3.js';
import { keyFrom, requireKey } from '../../validation.js';

/** @throws InvalidArgumentError for a value that is not an address */
export function tokenKey(tokenAddress: PublicKey | string): PublicKey {
  return requireKey('tokenAddress', keyFrom('tokenAddress', tokenAddress));
}
