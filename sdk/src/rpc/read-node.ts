import type { Connection } from '../chain/types.js';
import { notA } from '../errors/base.js';
import { requireKnown, requireObject } from '../checks/options.js';
import { ask, requireRpcOptions, RPC_OPTIONS, type RpcOptions } from './ask.js';

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
