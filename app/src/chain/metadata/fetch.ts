// Fetches a small JSON document from a URL that a stranger chose.
import { lookup as dnsLookup } from 'node:dns';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** Why a document was not fetched. */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError';
}

/** Limits of a fetch. */
export interface FetchLimits {
  /** For everything: name, connection, answer. 3,000 ms by default. */
  readonly timeoutMs?: number;
  /** 256 KiB by default. */
  readonly maxBytes?: number;
  /** Which addresses may be connected to; public ones by default. */
  readonly isAllowed?: (ip: string) => boolean;
  /** Certificate authorities, instead of the system's. */
  readonly ca?: string;
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;

/**
 * The JSON at an https URL. Redirects are not followed.
 *
 * @throws FetchRefusedError that says which limit it met
 */
export async function fetchJson(text: string, limits: FetchLimits = {}): Promise<unknown> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, isAllowed = isPublicAddress, ca } = limits;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new FetchRefusedError('only https URLs are fetched');
  if (url.username !== '' || url.password !== '')
    throw new FetchRefusedError('the URL has a user or password');
  // An address in the URL is connected to without a lookup.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchRefusedError(`${host} is no public address`);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const body = await download(url, { signal, maxBytes, lookup: guardedLookup(isAllowed), ca });
    return JSON.parse(body) as unknown;
  } catch (cause) {
    if (signal.aborted) throw new FetchRefusedError(`no whole answer within ${timeoutMs} ms`, { cause });
    if (cause instanceof FetchRefusedError) throw cause;
    throw new FetchRefusedError(`it could not be fetched: ${(cause as Error).message}`, { cause });
  }
}

interface Download {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly lookup: LookupFunction;
  readonly ca: string | undefined;
}

function download(url: URL, { signal, maxBytes, lookup, ca }: Download): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'curvekit' };
    // A connection of its own: a shared agent might reuse one whose address was not checked for this name.
    const options = { agent: false, headers, lookup, signal, ...(ca === undefined ? {} : { ca }) } as const;
    const call = request(url, options, (response) => {
      const refuse = (reason: string) => call.destroy(new FetchRefusedError(reason));
      if (response.statusCode !== 200) return refuse(`the server answers HTTP ${response.statusCode}`);
      if (response.headers['content-encoding'] !== undefined) return refuse('the answer is compressed');
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) return refuse(`the answer is longer than ${maxBytes} bytes`);
        chunks.push(chunk);
      });
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end();
  });
}

/** Resolves names for the connection itself, so that what is checked is what is connected to. */
function guardedLookup(isAllowed: (ip: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const refused = addresses.find(({ address }) => !isAllowed(address));
      const [first] = addresses;
      if (refused !== undefined || first === undefined) {
        return callback(new FetchRefusedError(`${hostname} leads to an address that is not public`), '', 0);
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
