// What a feed over Kit reads from, and the core's sources as Kit's and back.
import type { Address, Commitment } from '@solana/kit';
import { nodeSource as coreNodeSource } from '../../feed/node-source.js';
import { TransactionQueue as CoreQueue, type QueueOptions } from '../../feed/queue.js';
import type { SourceTerms } from '../../feed/shapes.js';
import type * as core from '../../feed/source.js';
import { nodeOptions, type NodeSourceOptions } from '../../subscription/options.js';
import { withAddresses, withKeys } from '../convert.js';
import { coreStart, withSlot } from './convert.js';
import type { ConfirmedTransaction } from '../records.js';
import { nodeConnection, requireNode, type FeedNode, type HistoryNode } from './node.js';
import type { FeedStart } from './options.js';

/** What a feed wants of its source. */
export interface SourceRequest extends SourceTerms {
  readonly programId: Address;
  /** When not empty, only transactions that mention one of these are of interest. The others may come as well. */
  readonly mentions: readonly Address[];
  readonly from: FeedStart;
  readonly commitment: Commitment;
}

/** A transaction that was delivered as `processed`, and that the cluster has not confirmed: its fork has lost. */
export interface UndoneTransaction {
  readonly undone: string;
  readonly slot: bigint;
}

/** What a source yields. Failed transactions and those without records may be among them. */
export type SourceItem = ConfirmedTransaction | UndoneTransaction | 'caughtUp';

/** Delivers the program's transactions, as `TransactionSource` of `@curvekit/sdk/feed` does. */
export interface TransactionSource {
  /**
   * The transactions, each once and oldest first: that of a record to begin after and those after it, `'caughtUp'` once when
   * the past was delivered, then those that happen. A stream that cannot be slowed goes through a {@link TransactionQueue}.
   */
  transactions(request: SourceRequest): AsyncIterable<SourceItem>;
}

/**
 * Between a stream that pushes and a feed that pulls, for sources: bounded, and without a silent loss. When it is full, the
 * reader gets a FeedOverflowError after all that waited.
 */
export interface TransactionQueue extends AsyncIterable<SourceItem> {
  /** How many wait. */
  readonly length: number;
  /** Adds one at the end. What comes after the end is ignored. */
  push(item: SourceItem): void;
  /** Nothing more comes. */
  close(): void;
  /** The reader gets an error after all that waits. */
  fail(error: unknown): void;
}
type QueueClass = new (options?: QueueOptions) => TransactionQueue;
/** @throws InvalidArgumentError when `most` is out of range */
export const TransactionQueue = CoreQueue as unknown as QueueClass;

/**
 * The transactions as an RPC node and its websocket tell them, to adjust how the node is read. A lost notification, a reconnect or
 * a node that is away lose nothing.
 *
 * @throws InvalidArgumentError for an option out of range, and for a node without its two clients
 */
export function nodeSource(node: FeedNode, options: NodeSourceOptions = {}): TransactionSource {
  nodeOptions(options);
  return sourceOf(requireNode(node, ['rpc', 'rpcSubscriptions']), options);
}

/** A source for what ends before anything is announced. @throws InvalidArgumentError for a node without an RPC client */
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

/** A source over Kit for the core. */
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
