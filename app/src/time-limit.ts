/** Something outside did not answer in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The promise's result, unless it takes longer. @throws TimeoutError */
export async function withinTime<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`${what} did not answer in ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
