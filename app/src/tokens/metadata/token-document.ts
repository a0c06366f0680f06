import { aboutOf, imageOf } from '../pictures/document.js';
import type { Links } from '../pictures/links.js';
import { isDataUrl } from './data-url.js';
import { fetchFile, FetchRefusedError, type FetchLimits } from './fetch.js';
import { decodeText } from '../../config/decode-text.js';

const LONGEST_URL = 2_048;
const FETCHED = /^(?:https|ipfs|ipns|ar):/;

/** Fields of a token's metadata JSON. A field that cannot be used does not take the others with it. */
export interface About {
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
