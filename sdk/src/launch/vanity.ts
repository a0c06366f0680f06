// Searches for a mint whose address begins or ends with chosen characters, on several Node threads.
import { Keypair } from '@solana/web3.js';
import { searchVanity, type VanityOptions } from './vanity-search.js';

/** A matching key. */
export interface VanityMint {
  /** Signs the creation of the token as `mint`. It is not needed after that. */
  readonly mint: Keypair;
  readonly tried: number;
}

/**
 * Searches until a mint matches. Upper and lower case are different. Each additional character takes 58 times as long:
 * see `expectedTries`.
 *
 * @throws InvalidArgumentError for the pattern or an option; VanityUnavailableError; the signal's reason
 */
export async function findVanityMint(options: VanityOptions): Promise<VanityMint> {
  const { secretKey, tried } = await searchVanity(options);
  return { mint: Keypair.fromSecretKey(secretKey), tried };
}
