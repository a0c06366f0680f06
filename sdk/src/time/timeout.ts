import { CurvekitError } from '../errors/index.js';
import { abortReason } from '../platform/abort.js';

/** No answer within the timeout. */
export class TimeoutError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'TimeoutError';
  constructor(message: string) {
    super(message);
  }
}

/**
 * The promise's result, or a TimeoutError when it takes too long.
 *
 * @param what name in the error of what did not answer
 * @throws TimeoutError
 */
export async function withTimeout<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${what} did not answer in ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

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
