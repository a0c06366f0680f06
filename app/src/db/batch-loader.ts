// Batches reads: keys that are requested while a read is running are read together by the next query. Under load one query
// serves many requests; without load each request reads at once.
import DataLoader from 'dataloader';
import pLimit from 'p-limit';

const LARGEST_READ = 100;
/** A read that takes longer no longer holds back the next one. One lost connection must not stop all requests. */
const SLOW_MS = 20;
const MOST_READS = 2;

/** Reads values by their keys, several in one query. Nothing is cached: each read starts after its request. */
export class BatchLoader<Value> {
  readonly #loader: DataLoader<string, Value | undefined>;
  readonly #running = new Set<Promise<unknown>>();
  #latest: Promise<unknown> = Promise.resolve();

  /** @param read reads the values of the keys, and omits keys that have no value */
  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    // One after the other, because two reads at once are half as long and cost as much each.
    const inTurn = pLimit(1);
    this.#loader = new DataLoader<string, Value | undefined>(
      async (keys) => {
        // A later request must not get the result of this read.
        for (const key of keys) this.#loader.clear(key);
        const values = await this.#run(read(keys));
        return keys.map((key) => values.get(key));
      },
      {
        maxBatchSize: LARGEST_READ,
        batchScheduleFn: (dispatch) =>
          void inTurn(async () => {
            while (this.#running.size >= MOST_READS) await Promise.race(this.#running);
            await new Promise(setImmediate);
            dispatch();
            await this.#endOrTooSlow();
          }),
      },
    );
  }

  /** The key's value. Rejects when its batch fails. */
  get(key: string): Promise<Value | undefined> {
    return this.#loader.load(key);
  }

  async #run<T>(reading: Promise<T>): Promise<T> {
    const ended = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    this.#latest = ended;
    try {
      return await reading;
    } finally {
      this.#running.delete(ended);
    }
  }

  /** Waits for the read that was started last, for a limited time. An earlier one that is slow delays nobody. */
  async #endOrTooSlow(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooSlow = new Promise((resolve) => (timer = setTimeout(resolve, SLOW_MS)));
    await Promise.race([this.#latest, tooSlow]);
    clearTimeout(timer);
  }
}
