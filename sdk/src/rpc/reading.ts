// The Connection that the SDK reads with: every request has a timeout and retries, and fails with an RpcError.
import type {
  AccountInfo,
  Commitment,
  Connection,
  GetRecentPrioritizationFeesConfig,
  PublicKey,
  RpcResponseAndContext,
  SimulatedTransactionResponse,
  SimulateTransactionConfig,
  VersionedTransaction,
} from '../chain/types.js';
import { requireKnown, requireObject } from '../checks/options.js';
import { notA } from '../errors/base.js';
import { InvalidArgumentError } from '../errors/index.js';
import { ask, requireRpcOptions, RPC_OPTIONS, type RpcOptions } from './ask.js';
import { behindError, NodeAnswerError } from './failure.js';
import { clientOf, lastLanded } from './landed-slots.js';

interface AtLeast {
  readonly minContextSlot?: number;
}

interface JsonRpc {
  _rpcRequest(method: string, params: readonly unknown[]): Promise<unknown>;
}

/** The reads of the SDK's functions. */
export type Reader = Pick<
  Connection,
  | 'getAccountInfo'
  | 'getAccountInfoAndContext'
  | 'getMultipleAccountsInfo'
  | 'getLatestBlockhashAndContext'
  | 'getRecentPrioritizationFees'
  | 'simulateTransaction'
  | 'rpcEndpoint'
> & {
  /** Another method's result. */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
};

/**
 * A Connection whose reads have a timeout and retries. Accounts and simulations are at least as new as the last
 * transaction that landed through the same connection: a node that is behind is asked again.
 *
 * @throws InvalidArgumentError for an option out of range, and for a value that is not a connection
 */
export function reading(connection: Connection, options: RpcOptions = {}): Reader {
  requireConnection(connection);
  requireRpcOptions(options);
  return readerOf(connection, options);
}

/** The same, of arguments that are checked. */
export function readerOf(connection: Connection, options: RpcOptions): Reader {
  const endpoint = connection.rpcEndpoint;
  const call = <T>(method: string, request: () => Promise<T>) => ask({ method, endpoint }, request, options);
  /** Asks for a state that includes the last transaction that landed. */
  const current = <T extends RpcResponseAndContext<unknown>>(
    method: string,
    request: (atLeast: AtLeast) => Promise<T>,
  ): Promise<T> => {
    const minContextSlot = lastLanded(connection);
    return call(method, async () => {
      const answer = await request(minContextSlot === undefined ? {} : { minContextSlot });
      const slot = slotOf(answer);
      // Not every node obeys `minContextSlot`.
      if (slot < (minContextSlot ?? 0)) throw behindError({ method, endpoint }, slot, minContextSlot!);
      return answer;
    });
  };
  const getAccountInfoAndContext = (key: PublicKey, commitment?: Commitment) =>
    current<RpcResponseAndContext<AccountInfo<Buffer> | null>>('getAccountInfo', (atLeast) =>
      connection.getAccountInfoAndContext(key, configOf(commitment, atLeast)),
    );
  const reader = {
    client: clientOf(connection),
    rpcEndpoint: endpoint,
    getAccountInfoAndContext,
    getAccountInfo: async (key: PublicKey, commitment?: Commitment) =>
      (await getAccountInfoAndContext(key, commitment)).value,
    getMultipleAccountsInfo: async (keys: PublicKey[], commitment?: Commitment) => {
      const { value } = await current<RpcResponseAndContext<(AccountInfo<Buffer> | null)[]>>(
        'getMultipleAccounts',
        (atLeast) => connection.getMultipleAccountsInfoAndContext(keys, configOf(commitment, atLeast)),
      );
      return value;
    },
    getLatestBlockhashAndContext: (commitment?: Commitment) =>
      call('getLatestBlockhash', () => connection.getLatestBlockhashAndContext(commitment)),
    getRecentPrioritizationFees: (config: GetRecentPrioritizationFeesConfig) =>
      call('getRecentPrioritizationFees', () => connection.getRecentPrioritizationFees(config)),
    simulateTransaction: (transaction: VersionedTransaction, config: SimulateTransactionConfig) =>
      current<RpcResponseAndContext<SimulatedTransactionResponse>>('simulateTransaction', (atLeast) =>
        connection.simulateTransaction(transaction, { ...config, ...atLeast }),
      ),
    // The request behind web3.js's methods, with the connection's own headers, fetch and retries.
    request: (method: string, params: readonly unknown[]) =>
      call(method, async () => {
        return resultOf(await (connection as unknown as JsonRpc)._rpcRequest(method, params));
      }),
  };
  return reader as unknown as Reader;
}

/** @throws InvalidArgumentError unless the value can be a connection */
export function requireConnection(connection: Connection, needed?: keyof Connection): void {
  const given: unknown = connection;
  if (typeof given === 'object' && given !== null && (needed === undefined || needed in given)) return;
  const hint = typeof given === 'string' ? '; for a URL, pass new Connection(url)' : '';
  throw new InvalidArgumentError('connection', `must be a Connection of @solana/web3.js${hint}`);
}

function configOf(commitment: Commitment | undefined, atLeast: AtLeast) {
  return { ...(commitment === undefined ? {} : { commitment }), ...atLeast };
}

/** @throws NodeAnswerError for an answer without a slot. Kit does not check answers */
function slotOf(answer: unknown): number {
  const { slot } = Object((Object(answer) as { context?: unknown }).context) as { slot?: unknown };
  if (typeof slot !== 'number') throw new NodeAnswerError('its answer has an unknown form', undefined);
  return slot;
}

/** The result in a JSON-RPC answer. @throws NodeAnswerError */
function resultOf(answer: unknown): unknown {
  const { result, error } = Object(answer) as { result?: unknown; error?: unknown };
  if (error === undefined || error === null) return result;
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : 'no reason';
  throw new NodeAnswerError(text, typeof code === 'number' ? code : undefined);
}

/**
 * Makes a read of your own with the timeout, the retries and the errors of the SDK's reads:
 * `readNode(connection, 'getBalance', () => connection.getBalance(wallet))`.
 *
 * @param method the JSON-RPC method, for the error @throws RpcError; the signal's reason
 */
export async function readNode<T>(
  connection: Pick<Connection, 'rpcEndpoint'>,
  method: string,
  request: () => Promise<T>,
  options: RpcOptions = {},
): Promise<T> {
  requireObject('connection', connection);
  if (typeof request !== 'function') throw notA('request', 'a function', request);
  requireKnown('options', options, RPC_OPTIONS);
  requireRpcOptions(options);
  return ask({ method, endpoint: connection.rpcEndpoint }, request, options);
}
