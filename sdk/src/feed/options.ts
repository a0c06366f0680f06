// Options and events of a feed.
import type { Deployment } from '../accounts/deployment.js';
import type { Commitment, PublicKey } from '../chain/types.js';
import type { OptionNames } from '../checks/options.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import type { LiveStream } from './shapes.js';
import type { FeedStart } from './source.js';
import type { SwapRecord } from './swaps.js';

/** A record of the program, or a trade in the pool of a graduated token. */
export type LaunchpadRecord = CurveRecord | SwapRecord;

/** Every record. Records of later program versions have `kind: 'unknown'`. */
export type AnyRecord = LaunchpadRecord | UnknownRecord;

/** The kind of a record. */
export type RecordKind = AnyRecord['kind'];

/** The default kinds. */
export type KnownKind = LaunchpadRecord['kind'];

/** The records of the given kinds. */
export type RecordOf<K extends RecordKind> = Extract<AnyRecord, { readonly kind: K }>;

/** Selects the records to deliver. */
export interface RecordFilter<K extends RecordKind = KnownKind> {
  /**
   * Only these kinds. Default: all except `unknown`. A `swap` is a trade in a pool: only the transactions of one token,
   * or of a `trader`, have them.
   */
  readonly kinds?: readonly K[] | undefined;
  /** Only records of these tokens. With a single token, only its transactions are read from a node. */
  readonly mints?: readonly PublicKey[] | undefined;
  /**
   * Only what this wallet has traded, on curves and in pools, or created. Only its transactions are read from a node;
   * with a single token too, only those of its account for the token.
   */
  readonly trader?: PublicKey | undefined;
  readonly deployment?: Deployment | undefined;
}

/** How records are grouped into events. */
export type Batching =
  /** The records of one transaction. */
  | 'transaction'
  /**
   * The records of one slot. The event comes with the first record of a later slot, or after 100 ms without a record.
   */
  | 'slot'
  /**
   * All records that are available without waiting, up to this many. A transaction is split only if it alone has more.
   */
  | number;

/** Options that a feed and a history share. */
export interface ReadingOptions<K extends RecordKind = KnownKind> extends RecordFilter<K> {
  readonly from?: FeedStart | undefined;
  /**
   * `confirmed` (the default) is fast. `finalized` can never be undone. `processed` is the fastest, but a reorg can
   * undo records; the event `undone` reports that. Agave RPC nodes do not return transactions at `processed`, so it
   * needs another source.
   */
  readonly commitment?: Commitment | undefined;
  /** Called with errors that the feed recovers from. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a feed. */
export interface FeedOptions<K extends RecordKind = KnownKind> extends ReadingOptions<K> {
  /** Default `transaction`. */
  readonly batch?: Batching | undefined;
}

export const READING_OPTIONS = {
  kinds: true,
  mints: true,
  trader: true,
  deployment: true,
  from: true,
  commitment: true,
  onError: true,
  signal: true,
} as const satisfies OptionNames<ReadingOptions>;

export const FEED_OPTIONS = { ...READING_OPTIONS, batch: true } as const satisfies OptionNames<FeedOptions>;

/** An event of a feed. */
export type FeedEvent<R = LaunchpadRecord> =
  /** At least one record, in the order of the chain. */
  | { readonly type: 'records'; readonly records: readonly R[] }
  /** Delivered once, when all past records were delivered. Live records follow. */
  | { readonly type: 'caughtUp' }
  /** Only with `processed`: a transaction whose records were delivered was dropped in a reorg. */
  | { readonly type: 'undone'; readonly signature: string; readonly slot: number };

/** A live stream of records. It can be iterated once. */
export type Feed<R = LaunchpadRecord> = LiveStream<FeedEvent<R>>;
