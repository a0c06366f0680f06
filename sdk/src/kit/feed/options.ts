// How to open a feed over Kit, and what comes out of it.
import type { Address, Commitment } from '@solana/kit';
import type { Batching } from '../../feed/options.js';
import type { LiveStream } from '../../feed/shapes.js';
import type { NodeSourceOptions } from '../../subscription/options.js';
import type { Deployment } from '../deployment.js';
import type { CurveRecord } from '../records.js';

/** Where a record comes from: what to store to go on after it. */
export type RecordSource = Pick<CurveRecord, 'signature' | 'slot' | 'position'>;

/** A record that this version of the SDK cannot read, with its source. */
export interface UnknownRecord extends RecordSource {
  readonly kind: 'unknown';
  /** Its first eight bytes. */
  readonly discriminator: Uint8Array;
  /** All of it, discriminator included. */
  readonly data: Uint8Array;
}

/** Every record, with those of later versions of the program as `kind: 'unknown'`. */
export type AnyRecord = CurveRecord | UnknownRecord;

/** What a record can be. */
export type RecordKind = AnyRecord['kind'];

/** The kinds that come when none are named. */
export type KnownKind = CurveRecord['kind'];

/** The records of some kinds. */
export type RecordOf<K extends RecordKind> = Extract<AnyRecord, { readonly kind: K }>;

/** Where a feed begins: with what happens from now on, with the program's first transaction, or after a record. */
export type FeedStart = 'now' | 'genesis' | RecordSource;

/** Which records to deliver. */
export interface RecordFilter<K extends RecordKind = KnownKind> {
  /** Only these kinds. All but `unknown` when left out. */
  readonly kinds?: readonly K[] | undefined;
  /** Only records of these tokens. With a single one, only its transactions are read from a node. */
  readonly mints?: readonly Address[] | undefined;
  readonly deployment?: Deployment | undefined;
}

/** What of the past to read. */
export interface HistoryOptions<K extends RecordKind = KnownKind> extends RecordFilter<K> {
  /** `genesis` by default, or a record: those after it come. */
  readonly from?: Exclude<FeedStart, 'now'> | undefined;
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /** Told of failures that the reading survives. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How to open a feed. */
export interface FeedOptions<K extends RecordKind = KnownKind> extends Omit<
  HistoryOptions<K>,
  'from' | 'commitment'
> {
  /** `now` by default. */
  readonly from?: FeedStart | undefined;
  /** `confirmed` (the default), `finalized`, or `processed` of a source that has it. RPC nodes of Agave have not. */
  readonly commitment?: Commitment | undefined;
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
  | { readonly type: 'undone'; readonly signature: string; readonly slot: bigint };

/** A live stream of records. It can be iterated once. */
export type Feed<R = CurveRecord> = LiveStream<FeedEvent<R>>;

/** How to subscribe. */
export interface SubscriptionOptions extends NodeSourceOptions {
  /** `now` by default. */
  readonly from?: FeedStart | undefined;
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /** Told of every failed request and of every websocket that ends, and of transactions that cannot be read. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

/** A stream of records in the order they were made, each once. It can be iterated once. */
export interface RecordSubscription<R = CurveRecord> extends AsyncIterable<R> {
  /** Resolves when the beginning is fixed: records made from then on will come. */
  readonly ready: Promise<void>;
  /** Ends the iteration, after the record it is at, and the websocket subscription. */
  close(): Promise<void>;
}
