// How to subscribe, and what a subscription is.
import type { Finality } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import type { CurveRecord, RecordSource } from '../records/record.js';

/** How to subscribe. */
export interface SubscriptionOptions {
  /**
   * Where to begin: with what happens from now on (the default), with the program's first transaction, or after a
   * record that was already processed. Nodes list the newest first, so everything since the beginning is listed before
   * the first record comes, at about 170 bytes of memory for each transaction.
   */
  readonly from?: 'now' | 'genesis' | RecordSource | undefined;
  /** `confirmed` (the default) is quick; `finalized` can never be undone. */
  readonly commitment?: Finality | undefined;
  /** Looks at least this often, for when the websocket is down. 2,000 ms by default. */
  readonly pollIntervalMs?: number | undefined;
  /** Transactions fetched at once. 8 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Told of every failed request; the subscription tries again by itself unless it can never succeed. Told as well of an
   * UnreadableTransactionError for each transaction of the program that is of a version which neither the node nor this SDK
   * can read: its records, if it has any, are left out and the subscription goes on. Anyone can send such a transaction.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

/**
 * A stream of records in the order they were made, each once. It can be iterated once. A record of a transaction that the
 * node neither announces nor lists before later ones comes after those, when it is listed up to 32 slots late.
 */
export interface RecordSubscription<R = CurveRecord> extends AsyncIterable<R> {
  /** Resolves when the beginning is fixed: records made from then on will come. */
  readonly ready: Promise<void>;
  /** Ends the iteration, after the record it is at, and the websocket subscription. */
  close(): Promise<void>;
}
