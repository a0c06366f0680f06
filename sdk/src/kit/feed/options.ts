// Options and events of a feed over Kit.
import type { Address, Commitment } from '@solana/kit';
import type { NodeSourceOptions } from '../../feed/node/options.js';
import type { Batching } from '../../feed/options.js';
import type { LiveStream } from '../../feed/shapes.js';
import type { Deployment } from '../accounts/deployment.js';
import type { CurveRecord } from '../records.js';

/** The source of a record. Store it to resume after the record. */
export type RecordSource = Pick<CurveRecord, 'signature' | 'slot' | 'position'>;

/** A record that this version of the SDK cannot read, with its source. */
export interface UnknownRecord extends RecordSource {
  readonly kind: 'unknown';
  /** The first eight bytes of the record. */
  readonly discriminator: Uint8Array;
  /** The whole record, including the discriminator. */
  readonly data: Uint8Array;
}

/** A trade in the pool of a graduated token. Lamports and smallest token units. */
export interface SwapRecord extends RecordSource {
  readonly kind: 'swap';
  readonly data: {
    readonly mint: Address;
    readonly trader: Address;
    readonly isBuy: boolean;
    /** What the buyer paid, the AMM's fee included, or the seller received. */
    readonly solAmount: bigint;
    readonly tokenAmount: bigint;
    /** Unix seconds of the block. Undefined when the node does not tell it. */
    readonly timestamp: bigint | undefined;
  };
}

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

/**
 * The start of a feed: new transactions only, the program's first transaction, or the first record after a given one.
 */
export type FeedStart = 'now' | 'genesis' | RecordSource;

/** Selects the records to deliver. */
export interface RecordFilter<K extends RecordKind = KnownKind> {
  /**
   * Only these kinds. Default: all except `unknown`. A `swap` is a trade in a pool: only the transactions of one token,
   * or of a `trader`, have them.
   */
  readonly kinds?: readonly K[] | undefined;
  /** Only records of these tokens. With a single token, only its transactions are read from a node. */
  readonly mints?: readonly Address[] | undefined;
  /**
   * Only what this wallet has traded, on curves and in pools, or created. Only its transactions are read from a node;
   * with a single token too, only those of its account for the token.
   */
  readonly trader?: Address | undefined;
  readonly deployment?: Deployment | undefined;
}

/** Selects the past records to read. */
export interface HistoryOptions<K extends RecordKind = KnownKind> extends RecordFilter<K> {
  /** `genesis` (the default), or a record: then only later records are read. */
  readonly from?: Exclude<FeedStart, 'now'> | undefined;
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /** Called with errors from which the reader recovers. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a feed. */
export interface FeedOptions<K extends RecordKind = KnownKind> extends Omit<
  HistoryOptions<K>,
  'from' | 'commitment'
> {
  /** Default `now`. */
  readonly from?: FeedStart | undefined;
  /** `confirmed` (the default), `finalized`, or `processed` if the source supports it. Agave RPC nodes do not. */
  readonly commitment?: Commitment | undefined;
  /** Default `transaction`. */
  readonly batch?: Batching | undefined;
}

/** An event of a feed. */
export type FeedEvent<R = LaunchpadRecord> =
  /** At least one record, in the order of the chain. */
  | { readonly type: 'records'; readonly records: readonly R[] }
  /** Delivered once, when all past records were delivered. Live records follow. */
  | { readonly type: 'caughtUp' }
  /** Only with `processed`: a transaction whose records were delivered was dropped in a reorg. */
  | { readonly type: 'undone'; readonly signature: string; readonly slot: bigint };

/** A live stream of records. It can be iterated once. */
export type Feed<R = LaunchpadRecord> = LiveStream<FeedEvent<R>>;

/** Options of a subscription. */
export interface SubscriptionOptions extends NodeSourceOptions {
  /** Default `now`. */
  readonly from?: FeedStart | undefined;
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
  /** Called for every failed request, every websocket that ends, and every transaction that cannot be read. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

/** A stream of records in the order of the chain, each once. It can be iterated once. */
export interface RecordSubscription<R = CurveRecord> extends AsyncIterable<R> {
  /** Resolves when the start is fixed: every later record will be delivered. */
  readonly ready: Promise<void>;
  /** Ends the iteration after the current record, and the websocket subscription. */
  close(): Promise<void>;
}
