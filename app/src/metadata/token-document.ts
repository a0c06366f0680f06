import { z } from 'zod';
import { aboutOf, type Links } from '../pictures/document.js';
import { FetchRefusedError, fetchJson, type FetchLimits } from './fetch.js';

const LONGEST_URL = 2_048;
const METADATA = z.object({ image: z.string() });

/** Fields of a token's metadata JSON. */
export interface About {
  /** An https URL. */
  readonly image: string;
  readonly description: string | null;
  readonly links: Links | null;
}

/**
 * Reads the JSON at a token's uri.
 *
 * @throws FetchRefusedError that says why there is no image
 */
export async function fetchAbout(uri: string, limits?: FetchLimits): Promise<About> {
  const document = await fetchJson(uri, limits);
  const parsed = METADATA.safeParse(document);
  if (!parsed.success) throw new FetchRefusedError('the document names no image');
  const image = parsed.data.image.trim();
  const isUsable = image.length <= LONGEST_URL && URL.canParse(image) && new URL(image).protocol === 'https:';
  if (!isUsable)
    throw new FetchRefusedError(`its image is not an https URL of at most ${LONGEST_URL} characters`);
  return { image: new URL(image).href, ...aboutOf(document) };
}
