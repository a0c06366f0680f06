// Fetches a small file from an untrusted URL. Each redirect is checked like the first URL.
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { TimeoutError } from '@curvekit/sdk';
import { readBody } from './body.js';
import { USUAL_GATEWAYS, type Gateways } from '../../config/gateways.js';
import { callWithin } from '../../base/call-within.js';
import { isDataUrl, readDataUrl } from './data-url.js';
import { placesOf, type Place } from './gateways.js';
import { resolveHost } from './name-lookup.js';
import { isPublicAddress } from './public-address.js';
import { FetchRefusedError } from './refused.js';

export { FetchRefusedError } from './refused.js';

export interface FetchLimits {
  /** Limit for name lookup, connections and answers of one place, redirects included. 3,000 ms by default. */
  readonly timeoutMs?: number;
  /** 256 KiB by default. The same limit holds for what a compressed answer unpacks to. */
  readonly maxBytes?: number;
  /** Decides which addresses may be connected to. The default allows public ones. */
  readonly isAllowed?: (ip: string) => boolean;
  /** Certificate authorities, instead of the system's. */
  readonly ca?: string;
  /** Name servers as `address:port`, instead of the system's. */
  readonly nameServers?: readonly string[];
  readonly gateways?: Gateways;
  /** Ends the fetch. */
  readonly signal?: AbortSignal;
}

/** A fetched file. */
export interface Fetched {
  readonly bytes: Buffer;
  /** The URL that answered, after redirects. */
  readonly url: string;
  /** Of the content type. */
  readonly charset: string | undefined;
}

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;
const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Besides 5xx. A 202 says that the file is not there yet. */
const TEMPORARY = new Set([202, 408, 409, 423, 425, 429]);
const ABSENT = new Set([404, 410]);

/**
 * Fetches a file from the first place that has it: an https URL, or a gateway for `ipfs://` and `ar://`. A `data:` URL holds
 * its file itself.
 *
 * @param accept the requested type
 * @throws FetchRefusedError of the last place; temporary when one of the places may have it soon; the reason of `limits.signal`
 */
export async function fetchFile(text: string, accept: string, limits: FetchLimits = {}): Promise<Fetched> {
  if (isDataUrl(text)) return { ...readDataUrl(text, limits.maxBytes ?? MAX_BYTES), url: 'data:' };
  let last: FetchRefusedError | undefined;
  let temporary = false;
  let retryAfterMs = 0;
  for (const place of placesOf(text, limits.gateways ?? USUAL_GATEWAYS)) {
    try {
      return await fetchFrom(place, accept, limits);
    } catch (error) {
      if (!(error instanceof FetchRefusedError)) throw error;
      last = error;
      temporary ||= error.temporary;
      retryAfterMs = Math.max(retryAfterMs, error.retryAfterMs ?? 0);
    }
  }
  throw new FetchRefusedError(last?.message ?? 'there is no gateway for it', {
    cause: last,
    temporary,
    retryAfterMs,
  });
}

async function fetchFrom(place: Place, accept: string, limits: FetchLimits): Promise<Fetched> {
  const { timeoutMs = TIMEOUT_MS } = limits;
  try {
    return await callWithin({ what: place.url, limitMs: timeoutMs, signal: limits.signal }, (signal) =>
      followFrom(place, accept, limits, signal),
    );
  } catch (cause) {
    limits.signal?.throwIfAborted();
    if (cause instanceof TimeoutError)
      throw new FetchRefusedError(`no whole answer within ${timeoutMs} ms`, { cause, temporary: true });
    if (cause instanceof FetchRefusedError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const { host } = new URL(place.url);
    throw new FetchRefusedError(`it could not be fetched from ${host}: ${code ?? message}`, {
      cause,
      temporary: true,
    });
  }
}

async function followFrom(
  place: Place,
  accept: string,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Fetched> {
  const { maxBytes = MAX_BYTES } = limits;
  let at = place.url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const url = checked(at, limits.isAllowed);
    const response = await open(url, accept, limits, signal);
    try {
      const next = redirectOf(response, url);
      if (next === undefined) {
        requireFile(response, place);
        const [, charset] = /charset="?([\w-]+)/i.exec(response.headers['content-type'] ?? '') ?? [];
        return { bytes: await readBody(response, maxBytes), url: url.href, charset };
      }
      at = next;
    } finally {
      response.destroy();
    }
  }
  throw new FetchRefusedError(`the server redirects more than ${MOST_REDIRECTS} times`);
}

function checked(text: string, isAllowed = isPublicAddress): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:')
    throw new FetchRefusedError('only https URLs, ipfs:// and ar:// are fetched');
  if (url.username !== '' || url.password !== '')
    throw new FetchRefusedError('the URL has a user or password');
  // An IP address in the URL needs no lookup.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw new FetchRefusedError(`${host} is not a public address`);
  return url;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): string | undefined {
  if (!REDIRECTS.has(statusCode)) return undefined;
  const { location = '' } = headers;
  if (location === '' || !URL.canParse(location, from))
    throw new FetchRefusedError(`the server answers HTTP ${statusCode} without a usable location`);
  return new URL(location, from).href;
}

function requireFile({ statusCode = 0, headers }: IncomingMessage, { isGateway }: Place): void {
  if (statusCode === 200) return;
  const temporary = statusCode >= 500 || TEMPORARY.has(statusCode) || (isGateway && ABSENT.has(statusCode));
  const retryAfterMs = temporary ? millisecondsOf(headers['retry-after']) : undefined;
  throw new FetchRefusedError(`the server answers HTTP ${statusCode}`, { temporary, retryAfterMs });
}

/** `Retry-After` is a number of seconds, or a date. */
function millisecondsOf(header = ''): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Connects, sends the request, and waits for the answer's head. */
function open(url: URL, accept: string, limits: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const { ca, isAllowed = isPublicAddress, nameServers } = limits;
  const headers = { accept, 'accept-encoding': 'gzip, br, deflate', 'user-agent': 'curvekit' };
  const lookup = guardedLookup(isAllowed, signal, nameServers);
  // A separate connection: a shared agent might reuse a connection whose address was not checked for this name.
  const options = { agent: false, headers, lookup, signal, ...(ca === undefined ? {} : { ca }) } as const;
  return new Promise((resolve, reject) => {
    request(url, options, resolve)
      // Without this listener, Node closes the connection and says nothing.
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new FetchRefusedError(`the server answers HTTP ${statusCode}`));
      })
      .on('error', reject)
      .end();
  });
}

/** Resolves the name once, for the connection itself, so that the checked address is the one connected to. */
function guardedLookup(
  isAllowed: (ip: string) => boolean,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    // One reason for a name without addresses and for one inside the network: everyone can read it.
    const refused = (cause?: unknown) =>
      callback(new FetchRefusedError(`${hostname} has no public address`, { cause, temporary: true }), '', 0);
    resolveHost(hostname, signal, nameServers).then((addresses) => {
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) return refused();
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    }, refused);
  };
}
