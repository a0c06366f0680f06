import { withTimeout } from '@curvekit/sdk';

/** Several requests in a row may share it. */
const NODE_TIMEOUT_MS = 15_000;

/**
 * What the RPC node answers, in time: whoever waits for ever keeps its place, and comes back when others have gone on.
 *
 * @throws TimeoutError
 */
export function askNode<T>(answer: Promise<T>, limitMs = NODE_TIMEOUT_MS): Promise<T> {
  return withTimeout(answer, limitMs, 'the RPC node');
}
