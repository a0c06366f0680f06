// The feed of each SDK entry, with web3.js types, so that one test covers all entries. The fields of Kit's records stay texts.
import { createSolanaRpc, createSolanaRpcSubscriptions, type Address } from '@solana/kit';
import { Connection, PublicKey } from '@solana/web3.js';
import { CurvekitError, InvalidArgumentError } from '@curvekit/sdk';
import * as web3 from '@curvekit/sdk/feed';
import type * as kitTypes from '@curvekit/sdk/kit/feed';
import { KIT_MAJORS, kitFeed, type KitFeed, type KitMajor } from '#tests/kit/kit-entry.js';

export interface NodeUrls {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Its websocket notifies only at processed commitment, as for a fork that is dropped. */
  readonly onlyProcessed?: boolean;
}

type Feeds = Pick<typeof web3, 'FeedOverflowError' | 'TransactionQueue'>;
type Source = NodeUrls | web3.TransactionSource;

export interface FeedLibrary extends Feeds {
  openFeed<K extends web3.RecordKind = web3.KnownKind>(
    source: Source,
    options?: web3.FeedOptions<K>,
  ): web3.Feed<web3.RecordOf<K>>;
  fetchHistory<K extends web3.RecordKind = web3.KnownKind>(
    source: Source,
    options?: web3.HistoryOptions<K>,
  ): AsyncIterable<web3.RecordOf<K>>;
  nodeSource(node: NodeUrls, options?: web3.NodeSourceOptions): web3.TransactionSource;
  readonly CurvekitError: typeof CurvekitError;
  readonly InvalidArgumentError: typeof InvalidArgumentError;
}

/** Pairs of the library's name and its loader. */
export const FEED_LIBRARIES: readonly (readonly [name: string, load: () => Promise<FeedLibrary>])[] = [
  ['web3.js', () => Promise.resolve(web3Feeds())],
  ...KIT_MAJORS.map((major) => [major, () => kitFeeds(major)] as const),
];

/** Notifies only at processed commitment. */
class UnconfirmedConnection extends Connection {
  override onLogs(...[filter, callback, commitment]: Parameters<Connection['onLogs']>): number {
    return commitment === 'processed' ? super.onLogs(filter, callback, commitment) : -1;
  }

  override async removeOnLogsListener(id: number): Promise<void> {
    if (id !== -1) await super.removeOnLogsListener(id);
  }
}

function web3Feeds(): FeedLibrary {
  const connections = new WeakMap<NodeUrls, Connection>();
  const connectionTo = (node: NodeUrls) => {
    const Class = node.onlyProcessed === true ? UnconfirmedConnection : Connection;
    const existing = connections.get(node);
    const connection = new Class(node.rpcUrl, { commitment: 'confirmed', wsEndpoint: node.wsUrl });
    if (existing === undefined) connections.set(node, connection);
    return existing ?? connection;
  };
  const sourceOf = (source: Source) => ('transactions' in source ? source : connectionTo(source));
  return {
    ...web3,
    CurvekitError,
    InvalidArgumentError,
    openFeed: (source, options) => web3.openFeed(sourceOf(source), options),
    fetchHistory: (source, options) => web3.fetchHistory(sourceOf(source), options),
    nodeSource: (node, options) => web3.nodeSource(connectionTo(node), options),
  };
}

async function kitFeeds(major: KitMajor): Promise<FeedLibrary> {
  const kit = await kitFeed(major);
  const ofKit = new WeakMap<web3.TransactionSource, kitTypes.TransactionSource>();
  const sourceOf = (source: Source) =>
    'transactions' in source ? (ofKit.get(source) ?? kitSource(source)) : kitNode(source);
  return {
    ...(kit as unknown as Feeds & Pick<KitFeed, 'CurvekitError' | 'InvalidArgumentError'>),
    openFeed<K extends web3.RecordKind>(source: Source, options?: web3.FeedOptions<K>) {
      const feed = kit.openFeed(sourceOf(source), kitOptions(options));
      const events = mapped(feed, (event) => eventOf(event) as web3.FeedEvent<web3.RecordOf<K>>);
      return { ...feed, [Symbol.asyncIterator]: events };
    },
    fetchHistory<K extends web3.RecordKind>(source: Source, options?: web3.HistoryOptions<K>) {
      const history = kit.fetchHistory(sourceOf(source), kitOptions(options));
      return { [Symbol.asyncIterator]: mapped(history, (record) => recordOf(record) as web3.RecordOf<K>) };
    },
    nodeSource(node, options) {
      const source = { transactions: () => mapped([], (item: web3.SourceItem) => item)() };
      ofKit.set(source, kit.nodeSource(kitNode(node), options));
      return source;
    },
  };
}

export function kitNode({ rpcUrl, wsUrl, onlyProcessed = false }: NodeUrls): kitTypes.FeedNode {
  const rpcSubscriptions = createSolanaRpcSubscriptions(wsUrl);
  if (!onlyProcessed) return { rpc: createSolanaRpc(rpcUrl), rpcSubscriptions };
  const logsNotifications: typeof rpcSubscriptions.logsNotifications = (filter, config) => {
    const pending = rpcSubscriptions.logsNotifications(filter as 'all', config);
    if (config?.commitment === 'processed') return pending;
    return { ...pending, subscribe: ({ abortSignal }) => nothing(abortSignal) };
  };
  return { rpc: createSolanaRpc(rpcUrl), rpcSubscriptions: { ...rpcSubscriptions, logsNotifications } };
}

/** A subscription without notifications. */
function nothing(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  );
}

function kitSource(source: web3.TransactionSource): kitTypes.TransactionSource {
  return {
    async *transactions({ programId, mentions, from, ...request }) {
      const items = source.transactions({
        ...request,
        programId: new PublicKey(programId),
        mentions: mentions.map((address) => new PublicKey(address)),
        from: typeof from === 'string' ? from : { ...from, slot: Number(from.slot) },
      });
      for await (const item of items) {
        const kit = item === 'caughtUp' ? item : { ...item, slot: BigInt(item.slot) };
        yield kit as kitTypes.SourceItem;
      }
    },
  };
}

/** Leaves values of a wrong type unchanged, so that the library refuses them. */
function kitOptions({ mints, from, ...rest }: Pick<web3.FeedOptions, 'mints' | 'from'> = {}): object {
  const addresses = mints?.map((mint) => (mint instanceof PublicKey ? mint.toBase58() : mint) as Address);
  const start = typeof from === 'object' ? { ...from, slot: BigInt(from.slot) } : from;
  return { ...rest, mints: addresses, from: start };
}

function eventOf(event: kitTypes.FeedEvent<kitTypes.AnyRecord>): web3.FeedEvent<web3.AnyRecord> {
  if (event.type === 'undone') return { ...event, slot: Number(event.slot) };
  return event.type === 'records' ? { ...event, records: event.records.map(recordOf) } : event;
}

function recordOf(record: kitTypes.AnyRecord): web3.AnyRecord {
  return { ...record, slot: Number(record.slot) } as unknown as web3.AnyRecord;
}

function mapped<T, R>(items: AsyncIterable<T> | Iterable<T>, map: (item: T) => R) {
  return async function* () {
    for await (const item of items) yield map(item);
  };
}
