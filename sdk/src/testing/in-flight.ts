/** Runs a task as soon as fewer than the limit are under way, in the order they came. */
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
      // The place goes straight to the next in line, so that nobody can slip in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
