import { withTimeout } from '@curvekit/sdk';

/** Also used for several requests in a row. */
const NODE_TIMEOUT_MS = 15_000;

/**
 * Adds a timeout to a request. Without it, a request could hang and resume after its lease has ended.
 *
 * @throws TimeoutError
 */
export function askNode<T>(answer: Promise<T>, limitMs = NODE_TIMEOUT_MS): Promise<T> {
  return withTimeout(answer, limitMs, 'the RPC node');
}
