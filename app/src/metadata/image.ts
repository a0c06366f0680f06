import { z } from 'zod';
import { FetchRefusedError, fetchJson, type FetchLimits } from './fetch.js';

const LONGEST_URL = 2_048;
const METADATA = z.object({ image: z.string() });

/**
 * The image that the metadata JSON at a token's uri names: an https URL.
 *
 * @throws FetchRefusedError that says why there is none
 */
export async function fetchImage(uri: string, limits?: FetchLimits): Promise<string> {
  const parsed = METADATA.safeParse(await fetchJson(uri, limits));
  if (!parsed.success) throw new FetchRefusedError('the document names no image');
  const image = parsed.data.image.trim();
  const isUsable = image.length <= LONGEST_URL && URL.canParse(image) && new URL(image).protocol === 'https:';
  if (!isUsable)
    throw new FetchRefusedError(`its image is not an https URL of at most ${LONGEST_URL} characters`);
  return new URL(image).href;
}
