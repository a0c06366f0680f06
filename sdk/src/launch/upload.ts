// Keeps a picture and its metadata at any store: S3, IPFS, Arweave, a server of one's own. `uploadPicture` is for the service's store.
import { CurvekitError } from '../errors.js';
import { MAX_URI_LENGTH } from '../generated/constants.js';
import { metadataJson, requireFields, requirePictureType, type MetadataFields } from './metadata.js';

/** Keeps one file. @returns its public address: https, ipfs or ar */
export type StoreFile = (file: Blob, kind: 'picture' | 'metadata') => Promise<string>;

/** A picture, and what its creator says of the token. */
export interface MetadataUpload extends MetadataFields {
  /** Its `type` must be a picture's, `image/png` for example. */
  readonly image: Blob;
}

/** Where the store keeps them. */
export interface UploadedMetadata {
  /** Of the metadata: the `uri` of `createToken`. */
  readonly uri: string;
  /** Of the picture. */
  readonly image: string;
}

/** The store keeps a file at an address that no token can have. */
export class UploadAddressError extends CurvekitError {
  constructor(
    readonly address: string,
    problem: string,
  ) {
    super(`the store's address '${address}' ${problem}`);
    this.name = 'UploadAddressError';
  }
}

/**
 * Stores the picture, then the metadata that names it. The fields are checked before anything is stored.
 *
 * @throws InvalidArgumentError for a field that does not fit; UploadAddressError; what the store throws
 */
export async function uploadMetadata(
  { image, ...fields }: MetadataUpload,
  store: StoreFile,
): Promise<UploadedMetadata> {
  requireFields(fields);
  requirePictureType('image.type', image.type);
  const picture = requireUri(await store(image, 'picture'));
  const text = JSON.stringify(metadataJson(fields, { url: picture, type: image.type }));
  const uri = requireUri(await store(new Blob([text], { type: 'application/json' }), 'metadata'));
  return { uri, image: picture };
}

function requireUri(address: string): string {
  const text = String(address);
  if (!/^(https|ipfs|ar):\/\/./.test(text) || !URL.canParse(text))
    throw new UploadAddressError(text, 'is not a URL; it must begin with https://, ipfs:// or ar://');
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_URI_LENGTH)
    throw new UploadAddressError(
      text,
      `is ${length} bytes long; a token's uri has at most ${MAX_URI_LENGTH}`,
    );
  return text;
}
