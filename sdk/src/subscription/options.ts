// How to subscribe, and what a subscription is.
import type { Finality } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import type { CurveRecord, RecordSource } from '../records/record.js';
import { requireRecordSource } from '../records/record-source.js';
import { requireInteger } from '../validation.js';

/** How often a node is asked, and for how much at once. */
export interface NodeSourceOptions {
  /** Looks at least this often, for when the websocket is down. 2,000 ms by default. */
  readonly pollIntervalMs?: number | undefined;
  /** Transactions fetched at once. 8 by default. */
  readonly concurrency?: number | undefined;
}

/** How to subscribe. */
export interface SubscriptionOptions extends NodeSourceOptions {
  /**
   * Where to begin: with what happens from now on (the default), with the program's first transaction, or after a
   * record that was already processed. Nodes list the newest first, so everything since the beginning is listed before
   * the first record comes. No more than 11,000 transactions are held at once, and one signature for each 10,000.
   */
  readonly from?: 'now' | 'genesis' | RecordSource | undefined;
  /** `confirmed` (the default) is quick; `finalized` can never be undone. */
  readonly commitment?: Finality | undefined;
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

/** How a node is read, with the defaults. @throws InvalidArgumentError for an option out of range */
export function nodeOptions({
  from = 'now',
  commitment = 'confirmed',
  pollIntervalMs = 2_000,
  concurrency = 8,
  onError,
}: Omit<SubscriptionOptions, 'deployment'>) {
  requireInteger('pollIntervalMs', pollIntervalMs, 3_600_000, 1);
  requireInteger('concurrency', concurrency, 1_000, 1);
  if (from !== 'now' && from !== 'genesis') requireRecordSource('from', from);
  return { from, commitment, pollIntervalMs, concurrency, onError };
}
