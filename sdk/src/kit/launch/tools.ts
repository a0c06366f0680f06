// Tools for a launch that need a signer, over Kit.
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import {
  uploadPicture as uploadCorePicture,
  type PictureUpload,
  type UploadedPicture,
  type UploadOptions,
} from '../../http/market/upload.js';
import { searchVanity, type VanityOptions } from '../../launch/vanity-search.js';
import { messageWallet, type MessageSigner } from '../http/signers.js';

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

/**
 * Uploads a picture with its metadata to the service. The wallet signs a text of four lines that is valid for this upload
 * only.
 *
 * @throws ApiError when the service refuses, with the invalid fields; ConnectionError; MessageNotSignedError; the
 *   wallet's error
 */
export async function uploadPicture(
  wallet: MessageSigner,
  picture: PictureUpload,
  options: UploadOptions,
): Promise<UploadedPicture> {
  return uploadCorePicture(messageWallet('wallet', wallet), picture, options);
}
