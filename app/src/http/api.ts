import type { Kind } from './bounds.js';
import type { ErrorShape } from './error-shapes.js';
import type { OwnLimits, RateLimit } from './rate-limit.js';
import type { Route } from './route.js';

/** A header that authenticates, for the OpenAPI document. */
export const headerScheme = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;

/** Routes that share an error shape and a rate limit. */
export interface Api {
  /** Tag in the OpenAPI document, and name of the rate limit's counters. */
  readonly name: string;
  readonly description: string;
  /** The API owns all paths with this prefix, also unknown ones. Example: `/rewards`. */
  readonly prefix: string;
  readonly errors: ErrorShape;
  readonly routes: readonly Route[];
  /** What an instance gives to its requests at most. The default is `api`. */
  readonly kind?: Kind;
  /** Rate limit of a client, if it differs from that of the kind, and from the configured one. A higher RATE_LIMIT_REQUESTS raises it. */
  readonly limit?: RateLimit;
  /** Finds clients that have their own rate limit. Other clients are limited by address. */
  readonly ownLimits?: OwnLimits;
  /** Allows pages of every origin, regardless of CORS_ORIGINS: all answers are public. */
  readonly anyOrigin?: boolean;
  /** Keyed by the names that the routes' `security` uses. */
  readonly securitySchemes?: Readonly<Record<string, ReturnType<typeof headerScheme>>>;
}
