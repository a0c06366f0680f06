// Requests of Kit's RPC client as the core makes them: with numbers for bigints, and the errors that the core reads.
import { nodeError, withNumbers } from './node-errors.js';

type Requests = Record<string, (...params: unknown[]) => { send(): Promise<unknown> }>;
/** Asks a node. @throws the error of the node as web3.js would throw it */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** @param rpc with the requests that will be made; the types of the public functions say which */
export function requestsOf(rpc: object): { readonly ask: Ask; readonly rpcRequest: Ask } {
  const ask: Ask = async (method, ...params) => {
    try {
      return withNumbers(await (rpc as Requests)[method]!(...params).send());
    } catch (error) {
      throw nodeError(error);
    }
  };
  return { ask, rpcRequest: (method, params) => answered(ask(method, ...(params as unknown[]))) };
}

/** The answer as JSON-RPC has it: a result, or the node's error. */
async function answered(asked: Promise<unknown>): Promise<unknown> {
  try {
    return { result: await asked };
  } catch (error) {
    if (typeof (error as { readonly code?: unknown } | null)?.code !== 'number') throw error;
    return { error };
  }
}
