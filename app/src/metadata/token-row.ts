// The stored metadata of a token, and a copy of its picture.
import type { Database } from '../db/database.js';
import type { tokenMetadata } from '../db/schema/index.js';
import { storableText } from '../indexer/records.js';
import { aboutOf } from '../pictures/document.js';
import { encodePicture, MOST_BYTES, PictureRefusedError } from '../pictures/encode.js';
import type { Library } from '../pictures/library.js';
import { ownDocument, pictureIn } from '../pictures/paths.js';
import { fetchBytes, FetchRefusedError, type FetchLimits } from './fetch.js';
import { fetchAbout } from './token-document.js';

const PICTURE_TIMEOUT_MS = 10_000;
/** Longest stored error, because it can quote a long document or certificate. */
const LONGEST_PROBLEM = 500;

export type TokenRow = Omit<typeof tokenMetadata.$inferInsert, 'mint' | 'uri'>;

export interface RowParts {
  /** The leader's connection. */
  readonly database: Database;
  readonly library: Library;
  /** Public URL of this service; undefined when not configured. */
  readonly publicUrl: string | undefined;
  readonly limits: FetchLimits | undefined;
}

/** Reads the metadata at a uri. A refusal is stored in the row; other errors are thrown. */
export async function rowOf(uri: string, parts: RowParts): Promise<TokenRow> {
  const own = await rowOfUpload(uri, parts);
  if (own !== undefined) return own;
  try {
    const { image, description, links } = await fetchAbout(uri, parts.limits);
    const about = { image: storableText(image), problem: null, description, links };
    return { ...about, ...(await copyOf(image, parts)) };
  } catch (error) {
    if (!(error instanceof FetchRefusedError)) throw error;
    return { image: '', problem: shortened(error) };
  }
}

/** The row of a token whose metadata was uploaded to this service; undefined for other tokens. */
async function rowOfUpload(uri: string, { library, publicUrl }: RowParts): Promise<TokenRow | undefined> {
  const hash = ownDocument(uri, publicUrl);
  const bytes = hash === undefined ? undefined : await library.read('document', hash);
  if (bytes === undefined) return undefined;
  const document = JSON.parse(bytes.toString('utf8')) as { readonly image: string };
  return {
    image: document.image,
    problem: null,
    picture: pictureIn(document.image),
    document: hash,
    ...aboutOf(document),
  };
}

/** Stores a fetched picture like an upload, because pages show no content of other hosts. */
async function copyOf(
  image: string,
  { database, library, limits }: RowParts,
): Promise<Pick<TokenRow, 'picture' | 'pictureProblem'>> {
  try {
    const bytes = await fetchBytes(image, 'image/webp,image/png,image/jpeg,image/gif', {
      timeoutMs: PICTURE_TIMEOUT_MS,
      ...limits,
      maxBytes: MOST_BYTES,
    });
    return { picture: await library.keep('picture', await encodePicture(bytes), database) };
  } catch (error) {
    if (!(error instanceof FetchRefusedError || error instanceof PictureRefusedError)) throw error;
    return { pictureProblem: shortened(error) };
  }
}

/** Shortens untrusted text, which may quote the document, a name or a certificate. */
function shortened({ message }: Error): string {
  return storableText(message).slice(0, LONGEST_PROBLEM);
}
