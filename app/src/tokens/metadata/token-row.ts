// The stored metadata of a token, and a copy of its picture.
import type { Database } from '../../db/database.js';
import type { tokenMetadata } from '../../db/schema/index.js';
import { storableText } from '../../index/records.js';
import { aboutOf, imageOf, ownDocument, pictureIn, picturePath, type Links } from '../pictures/document.js';
import { PICTURE_BYTES } from '../../http/bounds.js';
import { encodePicture, PictureRefusedError } from '../pictures/encode.js';
import type { Library } from '../pictures/library.js';
import { fetchFile, FetchRefusedError, type FetchLimits } from './fetch.js';
import { isDataUrl } from './data-url.js';
import { decodeText } from '../../config/files.js';

const PICTURE_TIMEOUT_MS = 10_000;
/** Longest stored error, because it can quote a long document or certificate. */
const LONGEST_PROBLEM = 500;

/** What an attempt has read. A part that is undefined keeps its earlier value. */
export type TokenRow = Partial<
  Pick<
    typeof tokenMetadata.$inferInsert,
    'image' | 'picture' | 'document' | 'description' | 'links' | 'problem' | 'pictureProblem'
  >
>;

export interface Attempt {
  readonly row: TokenRow;
  /** Undefined when every part was read. */
  readonly failure: Failure | undefined;
}

export interface RowParts {
  /** The leader's connection. */
  readonly database: Database;
  readonly library: Library;
  /** Public URL of this service; undefined when not configured. */
  readonly publicUrl: string | undefined;
  readonly limits: FetchLimits | undefined;
}

/** Reads the metadata at a uri. A refusal is part of the attempt; other errors are thrown. */
export async function rowOf(uri: string, parts: RowParts): Promise<Attempt> {
  const own = await rowOfUpload(uri, parts);
  if (own !== undefined) return { row: own, failure: undefined };
  try {
    const { image, ...about } = await fetchAbout(uri, parts.limits);
    if (image === undefined) return { row: about, failure: { temporary: false } };
    const { row, failure } = await copyOf(image, parts);
    return { row: { ...about, image: addressOf(image, row, parts), ...row }, failure };
  } catch (error) {
    if (!(error instanceof FetchRefusedError)) throw error;
    return { row: { problem: shortened(error) }, failure: error };
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

/** The image's URL. One of `data:` can be long, so the URL of the service's copy takes its place. */
function addressOf(image: string, { picture }: TokenRow, { publicUrl }: RowParts): string {
  if (!isDataUrl(image)) return storableText(image);
  return publicUrl === undefined || !picture ? '' : new URL(picturePath(picture), publicUrl).href;
}

/** Stores a fetched picture like an upload, because pages show no content of other hosts. */
async function copyOf(image: string, { database, library, limits }: RowParts): Promise<Attempt> {
  try {
    const { bytes } = await fetchFile(image, 'image/webp,image/png,image/jpeg,image/gif', {
      timeoutMs: PICTURE_TIMEOUT_MS,
      ...limits,
      maxBytes: PICTURE_BYTES,
    });
    const picture = await library.keep('picture', await encodePicture(bytes), database);
    return { row: { picture, pictureProblem: null }, failure: undefined };
  } catch (error) {
    if (!(error instanceof FetchRefusedError || error instanceof PictureRefusedError)) throw error;
    const failure = error instanceof FetchRefusedError ? error : { temporary: false };
    return { row: { pictureProblem: shortened(error) }, failure };
  }
}

/** Shortens untrusted text, which may quote the document, a name or a certificate. */
function shortened({ message }: Error): string {
  return storableText(message).slice(0, LONGEST_PROBLEM);
}

const LONGEST_URL = 2_048;
const FETCHED = /^(?:https|ipfs|ipns|ar):/;

/** Fields of a token's metadata JSON. A field that cannot be used does not take the others with it. */
interface About {
  /** An https, ipfs, ar or data URL; undefined when the document has none. */
  readonly image: string | undefined;
  /** Why there is no image. */
  readonly problem: string | null;
  readonly description: string | null;
  readonly links: Links | null;
}

/**
 * Reads the JSON at a token's uri.
 *
 * @throws FetchRefusedError that says why there is no document
 */
export async function fetchAbout(uri: string, limits?: FetchLimits): Promise<About> {
  const { bytes, url, charset } = await fetchFile(uri, 'application/json', limits);
  const document = parsed(decodeText(bytes, charset));
  const named = imageOf(document);
  const image = named === undefined ? undefined : usable(named.trim(), url);
  let problem: string | null = null;
  if (named === undefined) problem = 'the document names no image';
  else if (image === undefined)
    problem = `its image is not an https, ipfs, ar or data URL of at most ${LONGEST_URL} characters`;
  return { image, problem, ...aboutOf(document) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new FetchRefusedError(`it is not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** A path without a host is one beside the document. */
function usable(image: string, base: string): string | undefined {
  // As long as the document may be.
  if (isDataUrl(image)) return image;
  if (image === '' || image.length > LONGEST_URL) return undefined;
  if (/^(?:Qm|baf)\w{40,}/.test(image)) return `ipfs://${image}`;
  if (!URL.canParse(image, base)) return undefined;
  const { href } = new URL(image.replace(/^http:/i, 'https:'), base);
  return FETCHED.test(href) ? href : undefined;
}

// When a token's metadata is fetched again after a part of it was missing.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_PAUSE_MS = MINUTE_MS / 2;
/** Servers ask for a pause with `Retry-After`. A wrong one must not keep a picture away for days. */
const LONGEST_ASKED_MS = 60 * MINUTE_MS;
/** In days. */
const LONGEST_PAUSE = 30;

interface Failure {
  /** Whether the same request may succeed soon. */
  readonly temporary: boolean;
  /** How long the server asks to wait; at most an hour of it is waited for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Milliseconds to wait. After temporary problems from 30 s to a day, doubling; after permanent ones a day longer each time.
 *
 * @param failures attempts in a row that left a part out, 1 or more
 */
export function pauseMs(failures: number, { temporary, retryAfterMs = 0 }: Failure): number {
  if (!temporary) return Math.min(failures, LONGEST_PAUSE) * DAY_MS;
  const own = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), DAY_MS);
  return Math.max(own, Math.min(retryAfterMs, LONGEST_ASKED_MS));
}
