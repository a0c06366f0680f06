// Requests of one client in one window, counted in memory, or in Redis by all instances together.
import { isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { HttpProblem } from './problem.js';
import type { LimitStores } from './rate-limit-store.js';

const IPV6_SUBNET_BITS = 64;

export interface RateLimitOptions {
  /** Names the counters. */
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
  readonly stores: LimitStores;
}

/** Counts a request and refuses those over the limit. A client is an IPv4 address or an IPv6 /64. */
export function rateLimiter({ name, requests, windowSeconds, stores }: RateLimitOptions): RequestHandler {
  return rateLimit({
    windowMs: windowSeconds * 1_000,
    limit: requests,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    store: stores.create(name),
    keyGenerator: ({ ip }) => clientKey(ip),
    // Proxies are configured, and the configuration is checked at start.
    validate: false,
    handler: (_request, _response, next) => {
      next(
        new HttpProblem(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests from this address; try again later'),
      );
    },
  });
}

/** Who is counted: text that is no address (an odd proxy's) shares one counter. */
export function clientKey(ip: string | undefined): string {
  return ip === undefined || isIP(ip) === 0 ? 'unknown' : ipKeyGenerator(ip, IPV6_SUBNET_BITS);
}
