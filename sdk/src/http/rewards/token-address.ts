// A token given by the caller: a key, or its address as text from an answer of the API.
import type { PublicKey } from '../../chain/types.js';
import { keyFrom, requireKey } from '../../checks/keys.js';

/** @throws InvalidArgumentError for a value that is not an address */
export function tokenKey(tokenAddress: PublicKey | string): PublicKey {
  return requireKey('tokenAddress', keyFrom('tokenAddress', tokenAddress));
}
