// How to open a feed, and what comes out of it.
import type { Commitment, PublicKey } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import type { LiveStream } from './shapes.js';
import type { FeedStart } from './source.js';

/** Every record, with those of later versions of the program as `kind: 'unknown'`. */
export type AnyRecord = CurveRecord | UnknownRecord;

/** What a record can be. */
export type RecordKind = AnyRecord['kind'];

/** The kinds that come when none are named. */
export type KnownKind = CurveRecord['kind'];

/** The records of some kinds. */
export type RecordOf<K extends RecordKind> = Extract<AnyRecord, { readonly kind: K }>;

/** Which records to deliver. */
export interface RecordFilter<K extends RecordKind = KnownKind> {
  /** Only these kinds. All but `unknown` when left out. */
  readonly kinds?: readonly K[] | undefined;
  /** Only records of these tokens. With a single one, only its transactions are read from a node. */
  readonly mints?: readonly PublicKey[] | undefined;
  readonly deployment?: Deployment | undefined;
}

/** How records come together. */
export type Batching =
  /** The records of one transaction. */
  | 'transaction'
  /** The records of one slot: when one of a later slot comes, or none for 100 ms. */
  | 'slot'
  /** As many as are there without waiting, at most that many, whole transactions only unless one has more. */
  | number;

/** What a feed and a history have in common. */
export interface ReadingOptions<K extends RecordKind = KnownKind> extends RecordFilter<K> {
  readonly from?: FeedStart | undefined;
  /**
   * `confirmed` (the default) is quick; `finalized` can never be undone. `processed` is the quickest; a fork that loses undoes it,
   * which the event `undone` tells. RPC nodes of Agave give no transactions at `processed`: it takes another source.
   */
  readonly commitment?: Commitment | undefined;
  /** Told of failures that the feed survives. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How to open a feed. */
export interface FeedOptions<K extends RecordKind = KnownKind> extends ReadingOptions<K> {
  /** `transaction` by default. */
  readonly batch?: Batching | undefined;
}

/** What comes out of a feed. */
export type FeedEvent<R = CurveRecord> =
  /** At least one record, in the order they were made. */
  | { readonly type: 'records'; readonly records: readonly R[] }
  /** Comes once: the past was delivered, live records follow. */
  | { readonly type: 'caughtUp' }
  /** Only with `processed`: a transaction whose records were delivered is not in the chain. */
  | { readonly type: 'undone'; readonly signature: string; readonly slot: number };

/** A live stream of records. It can be iterated once. */
export type Feed<R = CurveRecord> = LiveStream<FeedEvent<R>>;
