/** A feed of records for bots, and the history of tokens: `@curvekit/sdk/feed`. */
import type { Connection } from '../chain/types.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { CurvekitError, InvalidArgumentError } from '../errors/index.js';
import { batches } from './batches.js';
import { requireFeedOptions } from './check.js';
import { nodeSource } from './node/source.js';
import {
  FEED_OPTIONS,
  READING_OPTIONS,
  type Feed,
  type FeedOptions,
  type KnownKind,
  type ReadingOptions,
  type RecordKind,
  type RecordOf,
} from './options.js';
import { startReading } from './read.js';
import type { FeedStart, TransactionSource } from './source.js';

export { nodeSource } from './node/source.js';
export type { NodeSourceOptions } from './node/options.js';
export { decodeSwaps, type SwapRecord } from './swaps.js';
export type {
  AnyRecord,
  Batching,
  Feed,
  FeedEvent,
  FeedOptions,
  KnownKind,
  LaunchpadRecord,
  ReadingOptions,
  RecordFilter,
  RecordKind,
  RecordOf,
} from './options.js';
export { FeedOverflowError, TransactionQueue, type QueueOptions } from './queue.js';
export type { LiveStream, SourceTerms } from './shapes.js';
export type { FeedStart, SourceItem, SourceRequest, TransactionSource, UndoneTransaction } from './source.js';

/**
 * Opens a live feed of records, from an RPC node or another source. Iteration throws IncompleteTransactionError when a
 * transaction lacks data of a record, CurvekitError when the node refuses permanently, FeedOverflowError when a source
 * that cannot be slowed delivers faster than the reader reads, and the abort reason of `signal`.
 *
 * @throws InvalidArgumentError when `source` is not a source of transactions, or an option is out of range
 */
export function openFeed<K extends RecordKind = KnownKind>(
  source: Connection | TransactionSource,
  options: FeedOptions<K> = {},
): Feed<RecordOf<K>> {
  requireKnown('options', options, FEED_OPTIONS);
  requireFeedOptions(options);
  const { batch = 'transaction', from = 'now' } = options;
  const { ready, close, events } = startReading(sourceOf(source), { ...options, from, live: true });
  let isRead = false;
  async function* read() {
    if (isRead) throw new CurvekitError('a feed can be iterated once; open another one');
    isRead = true;
    try {
      yield* batch === 'transaction' ? events() : batches(events(), batch);
    } finally {
      close();
    }
  }
  return { ready, close, [Symbol.asyncIterator]: read };
}

/** Selects the past records to read. */
export interface HistoryOptions<K extends RecordKind = KnownKind> extends ReadingOptions<K> {
  /** `genesis` (the default), or a record: then only later records are read. */
  readonly from?: Exclude<FeedStart, 'now'> | undefined;
  readonly commitment?: 'confirmed' | 'finalized' | undefined;
}

const HISTORY_OPTIONS: OptionNames<HistoryOptions> = READING_OPTIONS;

/**
 * Reads the records up to now, oldest first, and then ends: a token's (`mints` with one), a wallet's (`trader`), or the
 * whole launchpad's, which can take many requests. Iteration throws the same errors as a feed.
 *
 * @throws InvalidArgumentError when `source` is not a source of transactions, or an option is out of range
 */
export function fetchHistory<K extends RecordKind = KnownKind>(
  source: Connection | TransactionSource,
  options: HistoryOptions<K> = {},
): AsyncIterable<RecordOf<K>> {
  requireKnown('options', options, HISTORY_OPTIONS);
  requireFeedOptions(options);
  const { from = 'genesis', commitment } = options as ReadingOptions<K>;
  if (from === 'now') throw new InvalidArgumentError('from', "is 'now'; a history begins with the past");
  if (commitment === 'processed')
    throw new InvalidArgumentError('commitment', 'is processed; a history is confirmed or finalized');
  const transactions = sourceOf(source);
  const read = async function* () {
    const { events } = startReading(transactions, { ...options, from, live: false });
    for await (const event of events()) if (event.type === 'records') yield* event.records;
  };
  return { [Symbol.asyncIterator]: read };
}

function sourceOf(source: Connection | TransactionSource): TransactionSource {
  const given: unknown = source;
  const isObject = typeof given === 'object' && given !== null;
  if (isObject && 'transactions' in source) return source;
  if (isObject && 'getSignaturesForAddress' in source) return nodeSource(source);
  throw new InvalidArgumentError(
    'source',
    'is no source of transactions; give a Connection or a TransactionSource',
  );
}
