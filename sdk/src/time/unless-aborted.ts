import { abortReason } from '../platform/abort.js';

/**
 * The promise's result. @throws the signal's reason as soon as it is aborted; the promise continues, but its result is
 * ignored
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(abortReason(signal));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
