import { withTimeout } from '../time/timeout.js';
import { unlessAborted } from '../time/unless-aborted.js';

/** The RPC node's answer. @throws TimeoutError when it hangs; the signal's reason as soon as it is aborted */
export function answered<T>(
  request: Promise<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return unlessAborted(withTimeout(request, limitMs, 'the RPC node'), signal);
}
