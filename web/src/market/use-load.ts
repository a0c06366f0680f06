// Data of a request while a component is mounted, with its error and a way to load it again.
import { useCallback, useEffect, useRef, useState } from 'react';
import { RequestError } from './api.js';

export interface Load<T> {
  readonly data: T | undefined;
  readonly problem: RequestError | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
  readonly setData: (change: (before: T | undefined) => T | undefined) => void;
}

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** Whether to bypass the browser's cache, which can be outdated. */
  readonly fresh: boolean;
}

const LONGEST_WAIT_MS = 30_000;

/**
 * @param key names the data. Another key starts another request
 * @param first data to show until the first answer
 */
export function useLoad<T>(key: string, load: (options: LoadOptions) => Promise<T>, first?: T): Load<T> {
  const [state, setState] = useState<{ key: string; data: T } | undefined>(
    first === undefined ? undefined : { key, data: first },
  );
  const [problem, setProblem] = useState<RequestError>();
  const [loading, setLoading] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    const stopping = new AbortController();
    let again: ReturnType<typeof setTimeout> | undefined;
    setLoading(true);
    latest.current({ signal: stopping.signal, fresh: attempt > 0 }).then(
      (data) => {
        if (stopping.signal.aborted) return;
        setState({ key, data });
        setProblem(undefined);
        setLoading(false);
      },
      (error: unknown) => {
        if (stopping.signal.aborted) return;
        const known = RequestError.of(error);
        setProblem(known);
        setLoading(false);
        if (known.retryAfterMs !== undefined)
          again = setTimeout(
            () => setAttempt((before) => before + 1),
            Math.min(known.retryAfterMs, LONGEST_WAIT_MS),
          );
      },
    );
    return () => {
      stopping.abort();
      clearTimeout(again);
    };
  }, [key, attempt]);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  const setData = useCallback(
    (change: (before: T | undefined) => T | undefined) =>
      setState((before) => {
        const data = change(before?.data);
        return data === undefined || before === undefined ? before : { key: before.key, data };
      }),
    [],
  );
  return { data: state?.key === key ? state.data : undefined, problem, loading, reload, setData };
}
