import type { ErrorShape } from './error-shapes.js';
import type { OwnLimits, RateLimit } from './rate-limit.js';
import type { Route } from './route.js';

/** How requests prove who sends them, as the document shows it. */
export interface SecurityScheme {
  readonly type: 'apiKey';
  readonly in: 'header';
  readonly name: string;
  readonly description: string;
}

/** Routes with one shape of errors and one limit of requests. */
export interface Api {
  /** Tag in the document, and name of the limit's counters. */
  readonly name: string;
  readonly description: string;
  /** Every path that begins with it belongs to the API, unknown ones too: `/rewards`. */
  readonly prefix: string;
  readonly errors: ErrorShape;
  readonly routes: readonly Route[];
  /** Requests of one client, where it is not the configured limit. RATE_LIMIT_REQUESTS raises it where it is more. */
  readonly limit?: RateLimit;
  /** Limits of senders that have one of their own; all others have that of their address. */
  readonly ownLimits?: OwnLimits;
  /** Pages of every origin may use it, whatever CORS_ORIGINS says: it has nothing that is somebody's. */
  readonly anyOrigin?: boolean;
  /** By the names that routes use. */
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}
