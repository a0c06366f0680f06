// What an instance gives at most, by kind of route. docs/api.md has the same table.
import type { RateLimit } from './rate-limit.js';

const KIB = 1_024;
const MIB = 1_024 * KIB;

/** Limits of something that clients hold for a time. */
export interface Most {
  readonly perClient: number;
  /** Of all clients. */
  readonly total: number;
}

export interface Bounds {
  /** Requests of one client. Undefined: the configured number, or no limit for kinds without a rate limit. */
  readonly rate?: RateLimit;
  /** Requests that are open at once: from their headers to the end of their answer. */
  readonly open: Most;
  /** Bodies. The default is `JSON_BODY`, counted together for all kinds. */
  readonly body?: BodyBounds;
  /** Bytes of answers made for one request. */
  readonly answers?: Most;
}

export interface BodyBounds {
  /** Maximum size of one body. */
  readonly bytes: number;
  /** Bytes of bodies that have arrived for open requests. */
  readonly held: Most;
  /** Time in which a body must arrive whole. */
  readonly ms: number;
}

/** Maximum size of a picture to decode. */
export const PICTURE_BYTES = 4 * MIB;

export const JSON_BODY: BodyBounds = {
  bytes: 16 * KIB,
  held: { perClient: MIB, total: 16 * MIB },
  ms: 10_000,
};

const MINUTE = { windowSeconds: 60 };

export const BOUNDS = {
  /** Rewards, settlements, partners, the launchpad. */
  api: { open: { perClient: 256, total: 1_024 } },
  market: { open: { perClient: 256, total: 1_024 } },
  /** The presets of `STREAMS_PER_ADDRESS` and `STREAMS`. */
  stream: { rate: { requests: 300, ...MINUTE }, open: { perClient: 6, total: 5_000 } },
  upload: {
    rate: { requests: 100, windowSeconds: 900 },
    open: { perClient: 4, total: 16 },
    body: {
      // The picture, the other fields, and the boundaries.
      bytes: PICTURE_BYTES + 16 * KIB,
      held: { perClient: 12 * MIB, total: 32 * MIB },
      ms: 25_000,
    },
  },
  /** `POST /rpc`. A trade takes about ten requests: four to build and send it, the others to track it. */
  node: {
    rate: { requests: 300, ...MINUTE },
    open: { perClient: 64, total: 512 },
    answers: { perClient: 16 * MIB, total: 32 * MIB },
  },
  /** Building a transaction takes five requests to the RPC node. */
  action: { rate: { requests: 60, ...MINUTE }, open: { perClient: 32, total: 256 } },
  /** What aggregators read: an answer can have thousands of events. */
  listing: { rate: { requests: 300, ...MINUTE }, open: { perClient: 16, total: 64 } },
  faucet: { rate: { requests: 20, ...MINUTE }, open: { perClient: 8, total: 32 } },
  /** Pictures and metadata. Enough for a page with a hundred pictures that is opened every few seconds. */
  file: {
    rate: { requests: 3_000, ...MINUTE },
    open: { perClient: 256, total: 1_024 },
    answers: { perClient: 16 * MIB, total: 32 * MIB },
  },
  /** Drawing a picture takes about 50 ms of CPU. */
  share: { rate: { requests: 120, ...MINUTE }, open: { perClient: 16, total: 64 } },
  /** Documents of the web page. Its files have no limit. */
  page: { rate: { requests: 600, ...MINUTE }, open: { perClient: 64, total: 512 } },
  /** `/health`, `/ready`, `/metrics`, the reference, unknown paths. */
  other: { open: { perClient: 64, total: 512 } },
} as const satisfies Readonly<Record<string, Bounds>>;

export type Kind = keyof typeof BOUNDS;

/** Connections, streams not counted. Those of a trusted proxy count in all only. */
export const CONNECTIONS: Most = { perClient: 512, total: 10_000 };

export const HEADERS_MS = 10_000;
/** Time for a whole request, when no body's own limit is shorter. */
export const REQUEST_MS = 30_000;
/** A client that reads nothing of its answer for so long is disconnected. Streams send more often. */
export const STILL_MS = 60_000;
