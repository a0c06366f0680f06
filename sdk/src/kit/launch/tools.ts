// A vanity mint over Kit.
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { searchVanity, type VanityOptions } from '../../launch/vanity-search.js';

/** A matching key. */
export interface VanityMint {
  /** Signs the creation of the token as `mint`. It is not needed after that. */
  readonly mint: KeyPairSigner;
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
  return { mint: await createKeyPairSignerFromBytes(secretKey), tried };
}
