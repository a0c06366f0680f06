import { TimeoutError } from '@curvekit/sdk';

export interface CallLimit {
  /** Who does not answer, for the error. */
  readonly what: string;
  readonly limitMs: number;
  /** Also ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one way to wait for something outside of this process. After the limit the call's signal aborts, so that its socket is closed, and
 * the caller goes on even if the call does not end.
 *
 * @throws TimeoutError, or the reason of `signal`
 */
export async function callWithin<T>(
  { what, limitMs, signal: outer }: CallLimit,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new TimeoutError(`${what} did not answer in ${limitMs} ms`)),
    limitMs,
  );
  const signal = outer === undefined ? late.signal : AbortSignal.any([late.signal, outer]);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, call(signal)]);
  } catch (error) {
    // A call that is aborted throws an error of its library.
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** How long work may take to end after it was told to. A stop of the service takes less than 20 s with it. */
const ENDING_MS = 10_000;

/** The work's result. @throws TimeoutError when the work goes on long after its signal has aborted; then nobody waits for it any more */
export async function endWithin<T>(work: Promise<T>, signal: AbortSignal, endingMs = ENDING_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let begin: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    begin = () => {
      timer = setTimeout(
        () => reject(new TimeoutError(`it goes on ${endingMs / 1_000} s after it was told to end`)),
        endingMs,
      );
    };
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}
