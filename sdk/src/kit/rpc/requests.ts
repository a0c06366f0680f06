// Requests of Kit's RPC client in the form that the core expects: with numbers instead of bigints, and with web3.js's
// errors.
import { nodeError, withNumbers } from '../errors/node.js';

type Requests = Record<string, (...params: unknown[]) => { send(): Promise<unknown> }>;
/** Sends a request to a node. @throws the node's error as web3.js would throw it */
export type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** @returns `askRaw` without the conversion of bigints @param rpc a client with the required requests; the types of the public functions list them */
export function requestsOf(rpc: object): {
  readonly ask: Ask;
  readonly askRaw: Ask;
  readonly rpcRequest: Ask;
} {
  const askRaw: Ask = async (method, ...params) => {
    try {
      return await (rpc as Requests)[method]!(...params).send();
    } catch (error) {
      throw nodeError(error);
    }
  };
  const ask: Ask = async (method, ...params) => withNumbers(await askRaw(method, ...params));
  return { ask, askRaw, rpcRequest: (method, params) => answered(ask(method, ...(params as unknown[]))) };
}

/** The answer as in JSON-RPC: a result, or the node's error. */
async function answered(asked: Promise<unknown>): Promise<unknown> {
  try {
    return { result: await asked };
  } catch (error) {
    if (typeof (error as { readonly code?: unknown } | null)?.code !== 'number') throw error;
    return { error };
  }
}
