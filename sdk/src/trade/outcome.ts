// What is known of a transaction that was signed.
import { CurvekitError, OutcomeUnknownError } from '../errors/index.js';
import { RpcError } from '../rpc/rpc-error.js';
import { TimeoutError } from '../time/timeout.js';

/** A landed transaction. */
export interface Landed {
  readonly signature: string;
  readonly slot: number;
}

/** The error of a transaction that may have been sent. The caller's own abort and a node's failure say nothing of it. */
export function unlessKnown(signal: AbortSignal | undefined, signature: string, error: unknown): unknown {
  const isOfNode = error instanceof RpcError || error instanceof TimeoutError;
  if (error instanceof CurvekitError && !isOfNode) return error;
  const problem = signal?.aborted === true ? 'the caller stopped waiting for it' : 'the RPC node failed';
  return new OutcomeUnknownError(signature, problem, error);
}
