// Fetches a small JSON document, or a picture, from an untrusted URL.
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { resolveHost } from './name-lookup.js';
import { isPublicAddress } from './public-address.js';

/** The reason why nothing was fetched. */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError';
}

export interface FetchLimits {
  /** Limit for name lookup, connection and answer together. 3,000 ms by default. */
  readonly timeoutMs?: number;
  /** 256 KiB by default. */
  readonly maxBytes?: number;
  /** Decides which addresses may be connected to. The default allows public ones. */
  readonly isAllowed?: (ip: string) => boolean;
  /** Certificate authorities, instead of the system's. */
  readonly ca?: string;
  /** Name servers as `address:port`, instead of the system's. */
  readonly nameServers?: readonly string[];
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;

/**
 * Fetches the JSON at an https URL. Does not follow redirects.
 *
 * @throws FetchRefusedError that names the limit
 */
export async function fetchJson(url: string, limits: FetchLimits = {}): Promise<unknown> {
  const text = (await fetchBytes(url, 'application/json', limits)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new FetchRefusedError(`it could not be fetched: ${(cause as Error).message}`, { cause });
  }
}

/** Like `fetchJson`, but returns the bytes unchanged. @param accept the requested type */
export async function fetchBytes(text: string, accept: string, limits: FetchLimits = {}): Promise<Buffer> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, isAllowed = isPublicAddress } = limits;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw new FetchRefusedError('only https URLs are fetched');
  if (url.username !== '' || url.password !== '')
    throw new FetchRefusedError('the URL has a user or password');
  // An IP address in the URL needs no lookup.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchRefusedError(`${host} is not a public address`);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const lookup = guardedLookup(isAllowed, signal, limits.nameServers);
    return await read(await open(url, accept, lookup, signal, limits.ca), maxBytes);
  } catch (cause) {
    if (signal.aborted) throw new FetchRefusedError(`no whole answer within ${timeoutMs} ms`, { cause });
    if (cause instanceof FetchRefusedError) throw cause;
    throw new FetchRefusedError(`it could not be fetched: ${(cause as Error).message}`, { cause });
  }
}

/** Connects, sends the request, and waits for the answer's head. */
function open(
  url: URL,
  accept: string,
  lookup: LookupFunction,
  signal: AbortSignal,
  ca: string | undefined,
): Promise<IncomingMessage> {
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'curvekit' };
  // A separate connection: a shared agent might reuse a connection whose address was not checked for this name.
  const options = { agent: false, headers, lookup, signal, ...(ca === undefined ? {} : { ca }) } as const;
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end();
  });
}

/** Reads the body up to its limit, and always closes the connection. */
async function read(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    if (response.statusCode !== 200)
      throw new FetchRefusedError(`the server answers HTTP ${response.statusCode}`);
    if (response.headers['content-encoding'] !== undefined)
      throw new FetchRefusedError('the answer is compressed');
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new FetchRefusedError(`the answer is longer than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}

/** Resolves the name once, for the connection itself, so that the checked address is the one connected to. */
function guardedLookup(
  isAllowed: (ip: string) => boolean,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveHost(hostname, signal, nameServers).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
          const reason = `${hostname} leads to an address that is not public`;
          return callback(new FetchRefusedError(reason), '', 0);
        }
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}
