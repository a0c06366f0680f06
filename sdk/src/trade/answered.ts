import { withTimeout } from '../timeout.js';

const REQUEST_TIMEOUT_MS = 20_000;

/** The RPC node's answer. @throws TimeoutError when it hangs; the signal's reason as soon as it is aborted */
export async function answered<T>(request: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal?.reason as Error);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([withTimeout(request, REQUEST_TIMEOUT_MS, 'the RPC node'), aborted]);
  } finally {
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}
