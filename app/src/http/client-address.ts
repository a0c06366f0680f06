// Finds the client that a rate limit counts. Proxies write X-Forwarded-For in different ways.
import { BlockList, isIP } from 'node:net';
import type { Request } from 'express';
import { BoundedMap } from '../base/bounded-map.js';

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by `countersOf`. */
    clientCounters?: ClientCounters;
  }
}

/** Counters of a client, from the narrowest to the widest. */
export interface ClientCounters {
  /** The IPv4 address, the IPv6 /64, or `unknown`. */
  readonly client: string;
  /** The /48 around an IPv6 /64, the usual allocation of one customer of a provider. */
  readonly network?: string | undefined;
}

/** All clients without a readable address share one counter. */
const UNKNOWN: ClientCounters = { client: 'unknown' };

const kept = new BoundedMap<string, ClientCounters>(1_000);

const GROUPS_OF_CLIENT = 4;
const GROUPS_OF_NETWORK = 3;
const IPV6_GROUPS = 8;

/** Counters of a request's client, read once: the address is parsed for every limit otherwise. */
export function countersOf(request: Request): ClientCounters {
  return (request.clientCounters ??= keptCounters(addressOf(request)));
}

/** `request.ip` builds a list of proxies for every request, even for one that came through no proxy. */
function addressOf(request: Request): string | undefined {
  return request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
}

/** Parsing an address takes longer than the rest of a limit. Most requests come from an address of a moment ago. */
function keptCounters(ip: string | undefined): ClientCounters {
  if (ip === undefined) return UNKNOWN;
  let counters = kept.get(ip);
  if (counters === undefined) kept.set(ip, (counters = clientCounters(ip)));
  return counters;
}

export function clientOf(request: Request): string {
  return countersOf(request).client;
}

/** Counters of an address, which may have a port. */
export function clientCounters(text: string | undefined): ClientCounters {
  const address = text === undefined ? undefined : plainAddress(text);
  if (address === undefined) return UNKNOWN;
  if (!address.includes(':')) return { client: address };
  const groups = address.split(':');
  return {
    client: `${groups.slice(0, GROUPS_OF_CLIENT).join(':')}::/64`,
    network: `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/48`,
  };
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:5678`, `2001:db8::1` or `[2001:db8::1]:443`. IPv4-mapped IPv6 becomes IPv4; IPv6 becomes its eight
 * groups. Undefined when the text has no address.
 */
function plainAddress(text: string): string | undefined {
  const bare = isIP(text) === 0 ? withoutPort(text) : text;
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version !== 6) return undefined;
  const groups = groupsOf(bare);
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isIpv4) return groups.map((group) => group.toString(16)).join(':');
  return [groups[6]! >> 8, groups[6]! & 0xff, groups[7]! >> 8, groups[7]! & 0xff].join('.');
}

/** The function for Express's `trust proxy`. Addresses of proxies may have a port. */
export function trustedProxies(
  proxies: number | readonly string[],
): (address: string, hop: number) => boolean {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [ip = '', bits] = proxy.split('/');
    const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(ip, family);
    else trusted.addSubnet(ip, Number(bits), family);
  }
  return (text) => {
    const address = plainAddress(text);
    return address !== undefined && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

function withoutPort(text: string): string {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  return bracketed ?? ipv4 ?? text;
}

/** The eight groups of an IPv6 address, without its zone. */
function groupsOf(ip: string): number[] {
  const [address = ''] = ip.split('%', 1);
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => part.split(':').flatMap((group) => toNumbers(group)));
  const missing = IPV6_GROUPS - head.length - tail.length;
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** A group of hex digits as one number; an IPv4 address at the end as two. */
function toNumbers(group: string): number[] {
  if (group === '') return [];
  if (!group.includes('.')) return [Number.parseInt(group, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}
