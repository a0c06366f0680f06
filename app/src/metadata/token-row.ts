// What is kept about a token: the words of its metadata and a copy of its picture, from wherever they are.
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
/** Of the words about what is wrong: enough to see it, however long the document or the certificate quoted in them. */
const LONGEST_PROBLEM = 500;

export type TokenRow = Omit<typeof tokenMetadata.$inferInsert, 'mint' | 'uri'>;

export interface RowParts {
  /** A leader's. */
  readonly database: Database;
  readonly library: Library;
  /** Of this service; undefined where it is not known. */
  readonly publicUrl: string | undefined;
  readonly limits: FetchLimits | undefined;
}

/** What is at a uri. A refusal is part of the row; other errors are thrown. */
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

/** The row of a token whose metadata was uploaded here; undefined for any other. */
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

/** A picture of a stranger, kept as if it had been uploaded: pages show nothing of other hosts. */
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

/** It may quote the document, a name or a certificate: untrusted text. */
function shortened({ message }: Error): string {
  return storableText(message).slice(0, LONGEST_PROBLEM);
}
