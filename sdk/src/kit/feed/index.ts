/** Live records, history and feeds over @solana/kit: `@curvekit/sdk/kit/feed`. */
import { requireKnown } from '../../checks/options.js';
import * as core from '../../feed/index.js';
import { FEED_OPTIONS } from '../../feed/options.js';
import { coreDeployment } from '../accounts/deployment.js';
import { withKeys } from '../convert.js';
import { coreStart, kitRecord } from './convert.js';
import type { FeedNode, HistoryNode } from './node.js';
import type {
  AnyRecord,
  Feed,
  FeedEvent,
  FeedOptions,
  HistoryOptions,
  KnownKind,
  RecordKind,
  RecordOf,
} from './options.js';
import { coreSource, historySource, nodeSource, type TransactionSource } from './source.js';

export { FeedOverflowError, type QueueOptions } from '../../feed/queue.js';
export type { Batching } from '../../feed/options.js';
export type { LiveStream, SourceTerms } from '../../feed/shapes.js';
export { recordKey } from '../../records/record.js';
export type { NodeSourceOptions } from '../../feed/node/options.js';
export type { FeedNode, HistoryNode } from './node.js';
export type {
  AnyRecord,
  Feed,
  FeedEvent,
  FeedOptions,
  FeedStart,
  HistoryOptions,
  KnownKind,
  LaunchpadRecord,
  RecordFilter,
  RecordKind,
  RecordOf,
  RecordSource,
  RecordSubscription,
  SubscriptionOptions,
  SwapRecord,
  UnknownRecord,
} from './options.js';
export {
  nodeSource,
  TransactionQueue,
  type SourceItem,
  type SourceRequest,
  type TransactionSource,
  type UndoneTransaction,
} from './source.js';
export { subscribeEveryRecord, subscribeRecords } from './subscribe.js';

/**
 * Opens a live feed of records, from an RPC node or another source, like `openFeed` of `@curvekit/sdk/feed`.
 *
 * @throws InvalidArgumentError for an option out of range, and for a node without its two clients
 */
export function openFeed<K extends RecordKind = KnownKind>(
  source: FeedNode | TransactionSource,
  options: FeedOptions<K> = {},
): Feed<RecordOf<K>> {
  const transactions = isSource(source) ? source : nodeSource(source);
  const feed = core.openFeed(coreSource(transactions), coreOptions(options));
  async function* read() {
    for await (const event of feed) yield kitEvent(event) as FeedEvent<RecordOf<K>>;
  }
  return { ready: feed.ready, close: () => feed.close(), [Symbol.asyncIterator]: read };
}

/**
 * Reads the records up to now, oldest first, and then ends. With a single mint it reads only that token's transactions.
 *
 * @throws InvalidArgumentError for an option out of range, and for a node without an RPC client
 */
export function fetchHistory<K extends RecordKind = KnownKind>(
  source: HistoryNode | TransactionSource,
  options: HistoryOptions<K> = {},
): AsyncIterable<RecordOf<K>> {
  const transactions = isSource(source) ? source : historySource(source);
  const records = core.fetchHistory(coreSource(transactions), coreOptions(options));
  async function* read() {
    for await (const record of records) yield kitRecord(record) as RecordOf<K>;
  }
  return { [Symbol.asyncIterator]: read };
}

/** Not by the property's type: a Kit client has a method of every name. */
function isSource(source: HistoryNode | TransactionSource): source is TransactionSource {
  return 'transactions' in (Object(source) as object);
}

function coreOptions(given: FeedOptions<RecordKind>): object {
  requireKnown('options', given, FEED_OPTIONS);
  const { from, mints, trader, deployment, ...options } = given;
  const wallet = trader === undefined ? {} : { trader: withKeys(trader) };
  const keys = { mints: withKeys(mints), ...wallet, deployment: coreDeployment(deployment) };
  return { ...options, ...keys, from: coreStart(from) };
}

function kitEvent(event: core.FeedEvent<core.AnyRecord>): FeedEvent<AnyRecord> {
  if (event.type === 'caughtUp') return event;
  if (event.type === 'undone') return { ...event, slot: BigInt(event.slot) };
  return { type: 'records', records: event.records.map(kitRecord) };
}
