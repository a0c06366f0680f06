// Batches reads: keys that are requested while a read is running are read together by the next query. Under load one query
// serves many requests; without load each request reads at once.
import DataLoader from 'dataloader';
import pLimit from 'p-limit';

const LARGEST_READ = 100;
const PARALLEL_READS = 2;

/** Reads values by their keys, several in one query. Nothing is cached: each read starts after its request. */
export class BatchLoader<Value> {
  readonly #loader: DataLoader<string, Value | undefined>;
  #reading: Promise<unknown> = Promise.resolve();

  /** @param read reads the values of the keys, and omits keys that have no value */
  constructor(read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    const limit = pLimit(PARALLEL_READS);
    this.#loader = new DataLoader<string, Value | undefined>(
      async (keys) => {
        // A later request must not get the result of this read.
        for (const key of keys) this.#loader.clear(key);
        const reading = read(keys);
        this.#reading = reading;
        const values = await reading;
        return keys.map((key) => values.get(key));
      },
      {
        maxBatchSize: LARGEST_READ,
        batchScheduleFn: (dispatch) =>
          void limit(async () => {
            await new Promise(setImmediate);
            dispatch();
            await this.#reading.catch(() => undefined);
          }),
      },
    );
  }

  /** The key's value. Rejects when its batch fails. */
  get(key: string): Promise<Value | undefined> {
    return this.#loader.load(key);
  }
}
