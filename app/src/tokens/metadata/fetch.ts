// Fetches a small file from an untrusted URL. Each redirect is checked like the first URL.
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { TimeoutError } from '@curvekit/sdk';
import { USUAL_GATEWAYS, type Gateways } from '../../config/values.js';
import { callWithin } from '../../base/call-within.js';
import { isDataUrl, readDataUrl, FetchRefusedError } from './data-url.js';
import { isPublicAddress, resolveHost } from './public-address.js';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

export { FetchRefusedError } from './data-url.js';

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
  readonly signal?: AbortSignal;
}

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
export function guardedLookup(
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

// Reads an answer's body within its limit, compressed or not.

/** Servers compress once. More layers are a bomb. */
const MOST_CODINGS = 2;
/** The first byte of deflate data with a zlib header; some servers send it without one. */
const ZLIB_HEADER = 0x78;

const decoders = {
  gzip: promisify(gunzip),
  inflate: promisify(inflate),
  inflateRaw: promisify(inflateRaw),
  br: promisify(brotliDecompress),
};

/** The whole body, decompressed. @throws FetchRefusedError when it, or what it unpacks to, is longer than the limit */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const codings = codingsOf(response.headers['content-encoding']);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk);
  }
  let bytes: Buffer = Buffer.concat(chunks);
  for (const coding of codings.toReversed()) bytes = await decoded(bytes, coding, maxBytes);
  return bytes;
}

function codingsOf(header: string | undefined): string[] {
  const named = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  const codings = named.filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > MOST_CODINGS) throw new FetchRefusedError('the answer is compressed too many times');
  return codings;
}

async function decoded(bytes: Buffer, coding: string, maxBytes: number): Promise<Buffer> {
  const decoder = decoderOf(coding, bytes);
  if (decoder === undefined)
    throw new FetchRefusedError(`the answer has an unknown compression (${coding.slice(0, 20)})`);
  try {
    return await decoder(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes, cause);
    throw new FetchRefusedError('the compressed answer is damaged', { cause, temporary: true });
  }
}

function decoderOf(coding: string, bytes: Buffer) {
  if (coding === 'gzip' || coding === 'x-gzip') return decoders.gzip;
  if (coding === 'br') return decoders.br;
  if (coding !== 'deflate') return undefined;
  return bytes[0] === ZLIB_HEADER ? decoders.inflate : decoders.inflateRaw;
}

function tooLong(maxBytes: number, cause?: unknown): FetchRefusedError {
  return new FetchRefusedError(`the answer is longer than ${maxBytes} bytes`, { cause });
}

// The URLs at which a file of a token may be found: its own, and those of gateways to IPFS and Arweave.

interface Place {
  readonly url: string;
  /** A gateway does not have every file at every time, so its 404 says little. */
  readonly isGateway: boolean;
}

const CID = '(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,110})';
const ARWEAVE_ID = '[\\w-]{43}';
const BARE_CID = new RegExp(`^${CID}(?:/|$)`);
/** A gateway's host has the CID or the IPNS name as its first label, lower case: base32, base36, or a domain with its dots as dashes. */
const CONTENT_HOST = /^(?:(b[a-z2-7]{50,62}|k[a-z0-9]{40,62})\.ipfs|([a-z0-9-]{1,63})\.ipns)\./;
const ARWEAVE_PATH = new RegExp(`^/(?:raw/)?(${ARWEAVE_ID}(?:/.*)?)$`);
/** Hosts known to serve Arweave; another host may have paths that look alike. */
const ARWEAVE_HOST = /(?:^|\.)(?:arweave\.net|arweave\.dev|ar-io\.dev|ar\.io|permagate\.io|g8way\.io)$/;

/** Where to look, best first; the text itself when it is an https URL. Other texts are returned as they are. */
export function placesOf(text: string, gateways: Gateways): Place[] {
  const path = contentPath(text.trim(), gateways);
  const own = /^https?:/i.test(text.trim()) ? [secure(text.trim())] : [];
  if (path === undefined) return [{ url: own[0] ?? text, isGateway: false }];
  const others = path.origins.map((origin) => origin + path.path);
  return [...new Set([...own, ...others])].map((url) => ({ url, isGateway: true }));
}

/** The path that gateways serve the content at; undefined when the text names no such content. */
function contentPath(text: string, { ipfs, arweave }: Gateways) {
  const scheme = /^(ipfs|ipns|ar):\/*(.+)$/is.exec(text);
  if (scheme !== null) {
    const [, name = '', rest = ''] = scheme;
    if (name.toLowerCase() === 'ar') return { origins: arweave, path: `/${rest}` };
    const path = rest.replace(/^ip[fn]s\//i, '');
    const kind = /^ipns\//i.test(rest) ? 'ipns' : name.toLowerCase();
    return { origins: ipfs, path: `/${kind}/${path}` };
  }
  if (BARE_CID.test(text)) return { origins: ipfs, path: `/ipfs/${text}` };
  if (!URL.canParse(text) || !/^https?:/i.test(text)) return undefined;
  const { hostname, pathname, search } = new URL(text);
  if (new RegExp(`^/ip(?:fs/${CID}|ns/[^/]+)(?:/|$)`).test(pathname))
    return { origins: ipfs, path: pathname + search };
  const [host, cid, name = ''] = CONTENT_HOST.exec(hostname) ?? [];
  if (host !== undefined) {
    const content = cid === undefined ? `ipns/${inlinedName(name)}` : `ipfs/${cid}`;
    return { origins: ipfs, path: `/${content}${pathname}${search}` };
  }
  const known = arweave.some((origin) => new URL(origin).hostname === hostname);
  const [, transaction] = ARWEAVE_PATH.exec(pathname) ?? [];
  if (transaction === undefined || !(known || ARWEAVE_HOST.test(hostname))) return undefined;
  return { origins: arweave, path: `/${transaction}${search}` };
}

/** A key stays as it is. A domain is inlined: `-` for its dots, `--` for its dashes. */
function inlinedName(label: string): string {
  return label.replaceAll(/--|-/g, (dashes) => (dashes === '--' ? '-' : '.'));
}

/** Servers of metadata have https; a link that says http is older than they are. */
function secure(url: string): string {
  return url.replace(/^http:/i, 'https:');
}
