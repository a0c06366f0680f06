// The URLs at which a file of a token may be found: its own, and those of gateways to IPFS and Arweave.

import type { Gateways } from '../../config/gateways.js';

/** A place to fetch a file from. */
export interface Place {
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

interface ContentPath {
  readonly origins: readonly string[];
  readonly path: string;
}

/** The path that gateways serve the content at; undefined when the text names no such content. */
function contentPath(text: string, { ipfs, arweave }: Gateways): ContentPath | undefined {
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
