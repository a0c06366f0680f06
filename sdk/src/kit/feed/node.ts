// Presents Kit's clients of a node as the Connection with which the core reads transactions.
import type {
  Address,
  Commitment,
  GetFirstAvailableBlockApi,
  GetSignaturesForAddressApi,
  GetTransactionApi,
  LogsNotificationsApi,
  Rpc,
  RpcSubscriptions,
} from '@solana/kit';
import type { PublicKey } from '../../chain/keys.js';
import type { Connection, LogsCallback } from '../../chain/types.js';
import { InvalidArgumentError } from '../../errors/index.js';
import { requestsOf } from '../rpc/requests.js';
import { Backoff } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';

/** An RPC node that lists and returns past transactions. */
export interface HistoryNode {
  /** For example `createSolanaRpc(url)`. */
  readonly rpc: Rpc<GetFirstAvailableBlockApi & GetSignaturesForAddressApi & GetTransactionApi>;
}

/** An RPC node that also announces new transactions. */
export interface FeedNode extends HistoryNode {
  /** For example `createSolanaRpcSubscriptions(url)`. */
  readonly rpcSubscriptions: RpcSubscriptions<LogsNotificationsApi>;
}

/** @param onError called for each websocket that ends; errors that it throws are ignored */
export function nodeConnection(node: FeedNode, onError: ((error: unknown) => void) | undefined): Connection {
  const { rpc, rpcSubscriptions } = node;
  const { ask, rpcRequest } = requestsOf(rpc);
  const logs = new LogListeners(rpcSubscriptions, (error) => {
    try {
      onError?.(error);
    } catch {
      // An error thrown by the callback must not end the subscription.
    }
  });
  return {
    getFirstAvailableBlock: () => ask('getFirstAvailableBlock'),
    getSignaturesForAddress: (address: PublicKey, options: object, commitment: string) =>
      ask('getSignaturesForAddress', address.toBase58(), { ...options, commitment }),
    onLogs: logs.onLogs.bind(logs),
    removeOnLogsListener: logs.removeOnLogsListener.bind(logs),
    _rpcRequest: rpcRequest,
  } as unknown as Connection;
}

/** @throws InvalidArgumentError that says which client is missing */
export function requireNode<N extends HistoryNode>(node: N, clients: readonly (keyof N & string)[]): N {
  for (const name of clients) {
    const client: unknown = (node as N | null | undefined)?.[name];
    // A Kit client has a method of every name, so a client that was passed instead of the node appears as a function
    // here.
    if (typeof client !== 'object' || client === null)
      throw new InvalidArgumentError(name, `is missing; give the node as { ${clients.join(', ')} }`);
  }
  return node;
}

// A node's log notifications through Kit's subscriptions. A subscription ends with its websocket; this code then
// resubscribes.
const RETRY_PAUSES = { firstMs: 100, longestMs: 5_000 };

interface Listening {
  readonly address: PublicKey;
  readonly callback: LogsCallback;
  readonly commitment: Commitment;
}

/** A node's log notifications, with the two methods of web3.js's Connection. */
class LogListeners {
  readonly #listeners: { readonly stop: () => void; readonly stopped: Promise<void> }[] = [];

  constructor(
    private readonly subscriptions: RpcSubscriptions<LogsNotificationsApi>,
    private readonly onError: (error: unknown) => void,
  ) {}

  onLogs(address: PublicKey, callback: LogsCallback, commitment: Commitment): number {
    const controller = new AbortController();
    const stopped = this.#listen({ address, callback, commitment }, controller.signal);
    return this.#listeners.push({ stop: () => controller.abort(), stopped }) - 1;
  }

  async removeOnLogsListener(id: number): Promise<void> {
    const { stop, stopped } = this.#listeners[id]!;
    stop();
    await stopped;
  }

  async #listen(listening: Listening, signal: AbortSignal): Promise<void> {
    let backoff = new Backoff(RETRY_PAUSES);
    while (!signal.aborted) {
      // One controller per attempt: Kit reuses a failed connection until every subscriber of it has aborted.
      const attempt = new AbortController();
      const stop = () => attempt.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await this.#tell(listening, attempt.signal, () => (backoff = new Backoff(RETRY_PAUSES)));
      } catch (error) {
        if (!signal.aborted) this.onError(error);
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
      await sleep(backoff.next(), signal).catch(() => undefined);
    }
  }

  /** Delivers notifications until the subscription ends. */
  async #tell(
    { address, callback, commitment }: Listening,
    signal: AbortSignal,
    onSubscribed: () => void,
  ): Promise<void> {
    const mentions: [Address] = [address.toBase58() as Address];
    const pending = this.subscriptions.logsNotifications({ mentions }, { commitment });
    const notifications = await pending.subscribe({ abortSignal: signal });
    onSubscribed();
    for await (const { context, value } of notifications) {
      const { signature, err } = value;
      callback({ signature, err: err, logs: [] }, { slot: Number(context.slot) });
    }
  }
}
