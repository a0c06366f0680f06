// Uploads a picture and its metadata to any store: S3, IPFS, Arweave, your own server. `uploadPicture` uses the
// service's store.
import { requireObject } from '../checks/options.js';
import { CurvekitError } from '../errors/index.js';
import { MAX_URI_LENGTH } from '../generated/constants.js';
import { parseUrl } from '../platform/url.js';
import { encodeUtf8 } from '../platform/utf8.js';
import { metadataJson, requireFields, requirePictureType, type MetadataFields } from './metadata.js';

/** Stores one file. @returns its public address: https, ipfs or ar */
export type StoreFile = (file: Blob, kind: 'picture' | 'metadata') => Promise<string>;

/** A picture and its creator's texts about the token. */
export interface MetadataUpload extends MetadataFields {
  /** Its `type` must be a picture type, for example `image/png`. */
  readonly image: Blob;
}

/** The addresses of the stored files. */
export interface UploadedMetadata {
  /** Address of the metadata: the `uri` of `createToken`. */
  readonly uri: string;
  /** Address of the picture. */
  readonly image: string;
}

/** The store returned an address that a token's uri cannot have. */
export class UploadAddressError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'UploadAddressError';
  constructor(
    readonly address: string,
    problem: string,
  ) {
    super(`the store's address '${address}' ${problem}`);
  }
}

/**
 * Stores the picture, then the metadata with the picture's address. Checks the fields before it stores anything.
 *
 * @throws InvalidArgumentError for an invalid field; UploadAddressError; the store's error
 */
export async function uploadMetadata(upload: MetadataUpload, store: StoreFile): Promise<UploadedMetadata> {
  requireObject('upload', upload);
  const { image, ...fields } = upload;
  requireFields(fields);
  requireObject('image', image);
  requirePictureType('image.type', image.type);
  const picture = requireUri(await store(image, 'picture'));
  const text = JSON.stringify(metadataJson(fields, { url: picture, type: image.type }));
  const uri = requireUri(await store(new Blob([text], { type: 'application/json' }), 'metadata'));
  return { uri, image: picture };
}

function requireUri(address: string): string {
  const text = String(address);
  if (!/^(https|ipfs|ar):\/\/./.test(text) || parseUrl(text) === undefined)
    throw new UploadAddressError(text, 'is not a URL; it must begin with https://, ipfs:// or ar://');
  const { length } = encodeUtf8(text);
  if (length > MAX_URI_LENGTH)
    throw new UploadAddressError(
      text,
      `is ${length} bytes long; a token's uri has at most ${MAX_URI_LENGTH}`,
    );
  return text;
}
