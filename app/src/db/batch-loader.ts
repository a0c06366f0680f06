// Batches reads: keys requested while reads are running are read together by the next one. Under load one query serves many
// requests; without load each request reads at once.

const LARGEST_READ = 100;
const PARALLEL_READS = 2;

interface PendingRead<Value> {
  readonly answer: Promise<Value | undefined>;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads values by their keys, several in one query. Nothing is cached: each read starts after its request. */
export class BatchLoader<Value> {
  readonly #read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** Reads that have not started. */
  #waiting = new Map<string, PendingRead<Value>>();
  #reading = 0;
  #scheduled = false;

  /** @param read reads the values of the keys; keys without a value are left out */
  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#read = read;
  }

  /** The key's value. Rejects when its batch fails. */
  get(key: string): Promise<Value | undefined> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting.answer;
    const asked = pendingRead<Value>();
    this.#waiting.set(key, asked);
    this.#schedule();
    return asked.answer;
  }

  /** Batches the requests of one turn of the event loop. */
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

function pendingRead<Value>(): PendingRead<Value> {
  let resolve!: PendingRead<Value>['resolve'];
  let reject!: PendingRead<Value>['reject'];
  const answer = new Promise<Value | undefined>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { answer, resolve, reject };
}
