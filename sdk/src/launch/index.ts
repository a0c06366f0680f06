/**
 * Tools for a launch: `@curvekit/sdk/launch`. Metadata and its upload, a vanity mint address, the creator's first buy.
 */
export { COMMUNITY_TERMS } from '../instructions/community-terms.js';
export { metadataJson, type MetadataFields, type TokenMetadata } from './metadata.js';
export { quoteFirstBuy, type FirstBuyQuote } from './first-buy.js';
export {
  uploadMetadata,
  UploadAddressError,
  type MetadataUpload,
  type StoreFile,
  type UploadedMetadata,
} from './upload.js';
export { findVanityMint, type VanityMint } from './vanity.js';
export { VanityUnavailableError, type VanityOptions, type VanityProgress } from './vanity-search.js';
export { expectedTries, type VanityPattern } from './vanity-odds.js';
export {
  uploadPicture,
  type PictureUpload,
  type UploadedPicture,
  type UploadOptions,
} from '../http/market/upload.js';
export type { MessageWallet } from '../http/wallets.js';
export { ApiError, ConnectionError } from '../http/errors.js';
