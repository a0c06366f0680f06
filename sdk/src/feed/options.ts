// Options and events of a feed.
import type { Commitment, PublicKey } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import type { LiveStream } from './shapes.js';
import type { FeedStart } from './source.js';

/** Every record. Records of later program versions have `kind: 'unknown'`. */
export type AnyRecord = CurveRecord | UnknownRecord;

/** The kind of a record. */
export type RecordKind = AnyRecord['kind'];

/** The default kinds. */
export type KnownKind = CurveRecord['kind'];

/** The records of the given kinds. */
export type RecordOf<K extends RecordKind> = Extract<AnyRecord, { readonly kind: K }>;

/** Selects the records to deliver. */
export interface RecordFilter<K extends RecordKind = KnownKind> {
  /** Only these kinds. Default: all except `unknown`. */
  readonly kinds?: readonly K[] | undefined;
  /** Only records of these tokens. With a single token, only its transactions are read from a node. */
  readonly mints?: readonly PublicKey[] | undefined;
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

/** An event of a feed. */
export type FeedEvent<R = CurveRecord> =
  /** At least one record, in the order of the chain. */
  | { readonly type: 'records'; readonly records: readonly R[] }
  /** Delivered once, when all past records were delivered. Live records follow. */
  | { readonly type: 'caughtUp' }
  /** Only with `processed`: a transaction whose records were delivered was dropped in a reorg. */
  | { readonly type: 'undone'; readonly signature: string; readonly slot: number };

/** A live stream of records. It can be iterated once. */
export type Feed<R = CurveRecord> = LiveStream<FeedEvent<R>>;
