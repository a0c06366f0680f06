// Presents Kit's clients of a node as the Connection with which the core reads transactions.
import type {
  GetFirstAvailableBlockApi,
  GetSignaturesForAddressApi,
  GetTransactionApi,
  LogsNotificationsApi,
  Rpc,
  RpcSubscriptions,
} from '@solana/kit';
import type { PublicKey } from '../../chain/keys.js';
import type { Connection } from '../../chain/types.js';
import { InvalidArgumentError } from '../../errors/index.js';
import { requestsOf } from '../rpc/requests.js';
import { LogListeners } from './logs.js';

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
