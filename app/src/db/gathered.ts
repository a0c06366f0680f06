// Reads of many at once: what is asked for while reads are under way is asked of the database together, by the next one.
// Under load that is one query for many requests; without any, each request has its own at once.

const LARGEST_READ = 100;
const PARALLEL_READS = 2;

interface Asked<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads values by their keys, several by one query. A value is always read after it was asked for, never kept. */
export class Gathered<Value> {
  readonly #read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** Not begun. */
  #waiting = new Map<string, Asked<Value>>();
  #reading = 0;
  #scheduled = false;

  /** @param read reads the values of the keys, leaving out those that there are none of */
  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#read = read;
  }

  /** The key's value. Fails as the read fails that it is part of. */
  get(key: string): Promise<Value | undefined> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.answer;
    const asked = open<Value>();
    this.#waiting.set(key, asked);
    this.#schedule();
    return asked.answer;
  }

  /** What is asked for in one turn of the event loop belongs together. */
  #schedule(): void {
    if (this.#scheduled || this.#reading >= PARALLEL_READS) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#readWaiting();
    });
  }

  async #readWaiting(): Promise<void> {
    const batch = [...this.#waiting].slice(0, LARGEST_READ);
    if (batch.length === 0) return;
    for (const [key] of batch) this.#waiting.delete(key);
    this.#reading += 1;
    if (this.#waiting.size > 0) this.#schedule();
    try {
      const values = await this.#read(batch.map(([key]) => key));
      for (const [key, { resolve }] of batch) resolve(values.get(key));
    } catch (error) {
      for (const [, { reject }] of batch) reject(error);
    } finally {
      this.#reading -= 1;
      if (this.#waiting.size > 0) this.#schedule();
    }
  }
}

function open<Value>(): Asked<Value> {
  let resolve!: Asked<Value>['resolve'];
  let reject!: Asked<Value>['reject'];
  const answer = new Promise<Value | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { answer, resolve, reject };
}
