// Abort signals, also where the class has no `any`, `timeout`, `reason` and `throwIfAborted`: React Native.

/** Why a signal was aborted. An error named AbortError where the platform keeps no reason. */
export function abortReason(signal: AbortSignal): Error {
  const { reason } = signal as { readonly reason?: unknown };
  if (reason !== undefined) return reason as Error;
  return Object.assign(new Error('This operation was aborted'), { name: 'AbortError' });
}

/** @throws the signal's reason if it is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortReason(signal);
}

/** Aborts a controller when a signal is aborted. @returns ends that */
export function abortWith(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const abort = () => controller.abort(abortReason(signal));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort);
  return () => signal.removeEventListener('abort', abort);
}

/** A signal that is aborted by a timeout, and by the caller's signal. Call `end` when the work is done. */
export interface Limit {
  readonly signal: AbortSignal;
  readonly isLate: boolean;
  end(): void;
}

/** @param signal the caller's signal */
export function limit(timeoutMs: number, signal: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  const unlink = abortWith(controller, signal);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  return {
    signal: controller.signal,
    get isLate() {
      return isLate;
    },
    end: () => {
      clearTimeout(timer);
      unlink();
    },
  };
}
