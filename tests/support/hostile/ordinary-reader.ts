import { Worker } from 'node:worker_threads';

interface Reading {
  /** 0: the connection broke. */
  readonly status: number;
  readonly ms: number;
}

export interface Readings {
  readonly count: number;
  /** In milliseconds. */
  readonly p99: number;
  /** Statuses other than 200. */
  readonly failures: readonly number[];
}

const EVERY_MS = 20;
/** Enough that no address reaches its rate limit. */
const ADDRESSES = 200;

/** Reads the paths 50 times a second until it is stopped, from other addresses than any attack. */
export class OrdinaryReader {
  readonly #worker: Worker;
  #readings: Reading[] = [];

  constructor(url: string, paths: readonly string[]) {
    this.#worker = new Worker(new URL('./reader-thread.mjs', import.meta.url), {
      workerData: { url, paths, everyMs: EVERY_MS, addresses: ADDRESSES },
      // Without the loaders of this process.
      execArgv: [],
    });
    this.#worker.on('message', (reading: Reading) => this.#readings.push(reading));
  }

  /** The answers since the last call. */
  take(): Readings {
    const taken = this.#readings;
    this.#readings = [];
    const sorted = taken.map(({ ms }) => ms).sort((a, b) => a - b);
    return {
      count: taken.length,
      p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Infinity,
      failures: taken.map(({ status }) => status).filter((status) => status !== 200),
    };
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
