/** Runs tasks in their order, each as soon as fewer than the limit are running. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** A limiter for at most `limit` tasks at once. */
export function limitInFlight(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // Start the next waiting task directly, so that no later task takes its place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
