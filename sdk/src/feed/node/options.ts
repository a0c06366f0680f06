// Options of a subscription, and its interface.
import type { Deployment } from '../../accounts/deployment.js';
import type { Finality } from '../../chain/types.js';
import { requireInteger } from '../../checks/keys.js';
import type { OptionNames } from '../../checks/options.js';
import { requireRecordSource } from '../../records/record-source.js';
import type { CurveRecord, RecordSource } from '../../records/record.js';

/** How often the SDK polls a node, and how many transactions it fetches in parallel. */
export interface NodeSourceOptions {
  /** Longest time between two polls, for when the websocket is down. Default 2,000 ms. */
  readonly pollIntervalMs?: number | undefined;
  /** Number of parallel transaction fetches. Default 8. */
  readonly concurrency?: number | undefined;
  /** Timeout of one request, after which it is repeated. Default 30,000 ms. */
  readonly readTimeoutMs?: number | undefined;
}

/** Options of a subscription. */
export interface SubscriptionOptions extends NodeSourceOptions {
  /**
   * The start: new transactions only (the default), the program's first transaction, or the first record after a
   * processed one. Nodes list the newest first, so the SDK lists everything since the start before it delivers the
   * first record. It holds at most 11,000 transactions, and one signature for each 10,000.
   */
  readonly from?: 'now' | 'genesis' | RecordSource | undefined;
  /** `confirmed` (the default) is fast. `finalized` can never be undone. */
  readonly commitment?: Finality | undefined;
  /**
   * Called for every failed request. The subscription retries unless a retry can never succeed. Also called with an
   * UnreadableTransactionError for each transaction of the program whose version neither the node nor this SDK can
   * read. The subscription skips the records of such a transaction and continues. Anyone can send such a transaction.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

export const NODE_SOURCE_OPTIONS = {
  pollIntervalMs: true,
  concurrency: true,
  readTimeoutMs: true,
} as const satisfies OptionNames<NodeSourceOptions>;
type OwnOptions = Omit<SubscriptionOptions, keyof NodeSourceOptions>;
export const SUBSCRIPTION_OPTIONS = [
  NODE_SOURCE_OPTIONS,
  { from: true, commitment: true, onError: true, deployment: true } satisfies OptionNames<OwnOptions>,
] as const;

/**
 * A stream of records in the order of the chain, each once. It can be iterated once. If the node announces and lists a
 * transaction only after later ones, its records come after theirs, provided that it is listed at most 32 slots late.
 */
export interface RecordSubscription<R = CurveRecord> extends AsyncIterable<R> {
  /** Resolves when the start is fixed: every later record will be delivered. */
  readonly ready: Promise<void>;
  /** Ends the iteration after the current record, and the websocket subscription. */
  close(): Promise<void>;
}

/** The options for reading a node, with defaults. @throws InvalidArgumentError for an option out of range */
export function nodeOptions({
  from = 'now',
  commitment = 'confirmed',
  pollIntervalMs = 2_000,
  concurrency = 8,
  readTimeoutMs,
  onError,
}: Omit<SubscriptionOptions, 'deployment'>) {
  requireInteger('pollIntervalMs', pollIntervalMs, 3_600_000, 1);
  requireInteger('concurrency', concurrency, 1_000, 1);
  if (readTimeoutMs !== undefined) requireInteger('readTimeoutMs', readTimeoutMs, 3_600_000, 1);
  if (from !== 'now' && from !== 'genesis') requireRecordSource('from', from);
  return { from, commitment, pollIntervalMs, concurrency, readTimeoutMs, onError };
}
