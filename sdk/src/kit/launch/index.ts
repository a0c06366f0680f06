/**
 * Tools for a launch over @solana/kit: `@curvekit/sdk/kit/launch`. Metadata and its upload, a vanity mint address, the
 * creator's first buy.
 */
export { COMMUNITY_TERMS } from '../../instructions/community-terms.js';
export { metadataJson, type MetadataFields, type TokenMetadata } from '../../launch/metadata.js';
export { quoteFirstBuy, type FirstBuyQuote } from '../../launch/first-buy.js';
export {
  uploadMetadata,
  UploadAddressError,
  type MetadataUpload,
  type StoreFile,
  type UploadedMetadata,
} from '../../launch/upload.js';
export {
  VanityUnavailableError,
  type VanityOptions,
  type VanityProgress,
} from '../../launch/vanity-search.js';
export { expectedTries, type VanityPattern } from '../../launch/vanity-odds.js';
export { findVanityMint, uploadPicture, type VanityMint } from './tools.js';
export type { PictureUpload, UploadedPicture, UploadOptions } from '../../http/market/upload.js';
export { ApiError, ConnectionError } from '../../http/errors.js';
export { MessageNotSignedError, type MessageSigner } from '../http/signers.js';
