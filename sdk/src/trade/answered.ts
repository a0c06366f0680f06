import { withTimeout } from '../timeout.js';
import { unlessAborted } from '../unless-aborted.js';

const REQUEST_TIMEOUT_MS = 20_000;

/** The RPC node's answer. @throws TimeoutError when it hangs; the signal's reason as soon as it is aborted */
export function answered<T>(request: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return unlessAborted(withTimeout(request, REQUEST_TIMEOUT_MS, 'the RPC node'), signal);
}
