// A JSON document of another server with SOL's price in USD.
import { callWithin } from '../../base/call-within.js';
import { readHermes, type PythPrice } from './pyth-price.js';

const LARGEST_DOCUMENT = 262_144;

export interface DocumentSource {
  readonly url: string;
  /** JSON pointer to the price: a number, or an object of Hermes. */
  readonly pointer: string;
  /** Sent as a bearer token. */
  readonly token?: string | undefined;
}

/** @throws when the server does not answer a document with a price */
export async function readDocument(
  { url, pointer, token }: DocumentSource,
  limitMs: number,
): Promise<number | PythPrice> {
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const text = await callWithin({ what: new URL(url).host, limitMs }, async (signal) => {
    const response = await fetch(url, { signal, redirect: 'error', headers });
    if (!response.ok) throw new Error(`the price source answers HTTP ${response.status}`);
    return readLimited(response);
  });
  const value = at(JSON.parse(text), pointer);
  const price = typeof value === 'number' ? value : readHermes(value);
  if (price === undefined)
    throw new Error(`the price document has no number and no price of Hermes at ${pointer}`);
  return price;
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) throw new Error('the price source answers nothing');
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST_DOCUMENT)
      throw new Error(`the price document has more than ${LARGEST_DOCUMENT} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function at(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
  }
  return value;
}
