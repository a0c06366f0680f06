// The interface of a feed's source over Kit, and conversions between Kit's sources and the core's.
import type { Address, Commitment } from '@solana/kit';
import { requireKnown } from '../../checks/options.js';
import { NODE_SOURCE_OPTIONS, nodeOptions, type NodeSourceOptions } from '../../feed/node/options.js';
import { nodeSource as coreNodeSource } from '../../feed/node/source.js';
import { TransactionQueue as CoreQueue, type QueueOptions } from '../../feed/queue.js';
import type { SourceTerms } from '../../feed/shapes.js';
import type * as core from '../../feed/source.js';
import { withAddresses, withKeys } from '../convert.js';
import type { ConfirmedTransaction } from '../records.js';
import { coreStart, withSlot } from './convert.js';
import { nodeConnection, requireNode, type FeedNode, type HistoryNode } from './node.js';
import type { FeedStart } from './options.js';

/** What a feed requests from its source. */
export interface SourceRequest extends SourceTerms {
  readonly programId: Address;
  /** When not empty, the feed needs only transactions that mention one of these. The source may deliver others too. */
  readonly mentions: readonly Address[];
  readonly from: FeedStart;
  readonly commitment: Commitment;
}

/** A transaction that was delivered as `processed` and then dropped in a reorg. */
export interface UndoneTransaction {
  readonly undone: string;
  readonly slot: bigint;
}

/** An item of a source. It may be a failed transaction or one without records. */
export type SourceItem = ConfirmedTransaction | UndoneTransaction | 'caughtUp';

/** Delivers the program's transactions, like `TransactionSource` of `@curvekit/sdk/feed`. */
export interface TransactionSource {
  /**
   * Delivers each transaction once, oldest first. When `from` is a record, it starts with that record's transaction. It
   * delivers `'caughtUp'` once after the past transactions, then live transactions. A stream that cannot be slowed
   * needs a {@link TransactionQueue}.
   */
  transactions(request: SourceRequest): AsyncIterable<SourceItem>;
}

/**
 * A bounded queue between a stream that pushes and a feed that pulls. It loses no transaction silently: when it is
 * full, the reader gets a FeedOverflowError after all waiting transactions.
 */
export interface TransactionQueue extends AsyncIterable<SourceItem> {
  /** The number of waiting transactions. */
  readonly length: number;
  /** Adds a transaction to the end. Ignored after the queue has ended. */
  push(item: SourceItem): void;
  /** Ends the queue after the waiting transactions. */
  close(): void;
  /** Ends the queue with an error. The reader gets it after all waiting transactions. */
  fail(error: unknown): void;
}
type QueueClass = new (options?: QueueOptions) => TransactionQueue;
/** @throws InvalidArgumentError when `most` is out of range */
export const TransactionQueue = CoreQueue as unknown as QueueClass;

/**
 * Reads transactions from an RPC node and its websocket, with options for how the node is read. A lost notification, a
 * reconnect or a node outage loses no transaction.
 *
 * @throws InvalidArgumentError for an option out of range, and for a node without its two clients
 */
export function nodeSource(node: FeedNode, options: NodeSourceOptions = {}): TransactionSource {
  requireKnown('options', options, NODE_SOURCE_OPTIONS);
  nodeOptions(options);
  return sourceOf(requireNode(node, ['rpc', 'rpcSubscriptions']), options);
}

/**
 * A source for reading the past only, without notifications. @throws InvalidArgumentError for a node without an RPC
 * client
 */
export function historySource(node: HistoryNode): TransactionSource {
  return sourceOf(requireNode(node, ['rpc']) as FeedNode, {});
}

function sourceOf(node: FeedNode, options: NodeSourceOptions): TransactionSource {
  return {
    async *transactions({ programId, mentions, from, ...request }) {
      const source = coreNodeSource(nodeConnection(node, request.onError), options);
      const keys = withKeys({ programId, mentions }) as Pick<core.SourceRequest, 'programId' | 'mentions'>;
      const items = source.transactions({ ...request, ...keys, from: coreStart(from)! });
      for await (const item of items) yield withSlot(item, BigInt) as SourceItem;
    },
  };
}

export function coreSource(source: TransactionSource): core.TransactionSource {
  return {
    async *transactions({ programId, mentions, from, ...request }) {
      const addresses = withAddresses({ programId, mentions });
      const kitRequest = { ...request, ...(addresses as object), from: withSlot(from, BigInt) };
      for await (const item of source.transactions(kitRequest as SourceRequest))
        yield withSlot(item, Number) as core.SourceItem;
    },
  };
}
