// Limits the requests of a client per window. Counts in memory, or in Redis for all instances.
import type { Request, RequestHandler, Response } from 'express';
import { countersOf } from './client-address.js';
import { HttpProblem } from './problem.js';
import type { Count, LimitStores } from './rate-limit-store.js';

export interface OwnLimit {
  /** Name of the counter. Must not contain client input. */
  readonly name: string;
  readonly requests: number;
}

/** Finds a request's own limit. It must be authenticated: an unverified header gives no limit. */
export type OwnLimits = (request: Request) => OwnLimit | undefined | Promise<OwnLimit | undefined>;

/** Allowed requests of one client per window. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface RateLimitOptions extends RateLimit {
  /** Prefix of the counters' names. */
  readonly name: string;
  readonly stores: LimitStores;
  readonly ownLimits?: OwnLimits | undefined;
}

/** Limit of an IPv6 /48, as a multiple of the limit of a /64. */
const NETWORK_FACTOR = 10;

const OF_ADDRESS = 'Too many requests from this address; try again later';
const OF_KEY = 'Too many requests with this API key; try again later';

/**
 * Counts a request and refuses it over the limit. A client is an IPv4 address or an IPv6 /64, whose /48 has ten times the
 * limit. A client with its own limit is counted by name, from any address.
 */
export function rateLimiter({
  name,
  requests,
  windowSeconds,
  stores,
  ownLimits,
}: RateLimitOptions): RequestHandler {
  const counters = stores.create(name, windowSeconds);
  const policies = new Map<number, string>();
  const policyOf = (limit: number): string => {
    const known = policies.get(limit) ?? `${limit};w=${windowSeconds}`;
    policies.set(limit, known);
    return known;
  };

  async function countAddress(request: Request, response: Response): Promise<boolean> {
    const { client, network } = countersOf(request);
    const networkLimit = requests * NETWORK_FACTOR;
    if (network !== undefined) {
      // The network is read first, so that a network over its limit does not fill the memory with counters of clients.
      // It is counted after the client, so that a client over its limit uses nothing of the network's limit.
      const found = await counters.look(network);
      if (found !== undefined && found.requests >= networkLimit) {
        return said(response, { ...found, requests: networkLimit + 1 }, networkLimit, policyOf(networkLimit));
      }
    }
    const ofClient = await counters.add(client);
    if (network === undefined || ofClient.requests > requests)
      return said(response, ofClient, requests, policyOf(requests));
    const ofNetwork = await counters.add(network);
    return networkLimit - ofNetwork.requests < requests - ofClient.requests
      ? said(response, ofNetwork, networkLimit, policyOf(networkLimit))
      : said(response, ofClient, requests, policyOf(requests));
  }

  return async (request, response, next) => {
    const found = ownLimits?.(request);
    const own = found instanceof Promise ? await found : found;
    const isAllowed =
      own === undefined
        ? await countAddress(request, response)
        : said(response, await counters.add(own.name), own.requests, policyOf(own.requests));
    if (isAllowed) next();
    else next(new HttpProblem(429, 'RATE_LIMIT_EXCEEDED', own === undefined ? OF_ADDRESS : OF_KEY));
  };
}

/** Sets the headers of the limit that applies. @returns whether the request is within the limit */
function said(response: Response, { requests, resetAt }: Count, limit: number, policy: string): boolean {
  const seconds = Math.max(0, Math.ceil((resetAt - Date.now()) / 1_000));
  response.setHeader('RateLimit-Policy', policy);
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(Math.max(0, limit - requests)));
  response.setHeader('RateLimit-Reset', String(seconds));
  if (requests <= limit) return true;
  response.setHeader('Retry-After', String(seconds));
  return false;
}
