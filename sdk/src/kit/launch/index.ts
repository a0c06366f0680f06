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
export { findVanityMint, type VanityMint } from './tools.js';
export {
  uploadPicture,
  type PictureUpload,
  type UploadedPicture,
  type UploadOptions,
} from '../../http/market/upload.js';
export { ApiError, ConnectionError } from '../../http/errors.js';
export type { MessageWallet } from '../../http/wallets.js';
