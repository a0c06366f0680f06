/** Runs tasks in the order they came, each as soon as fewer than the limit are running. */
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
      // The place goes straight to the next task in line, so that no later one gets it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
