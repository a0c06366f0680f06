// The search for a vanity mint, without a Solana library.
import type * as OperatingSystem from 'node:os';
import type * as WorkerThreads from 'node:worker_threads';
import { requireInteger } from '../checks/numbers.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { CurvekitError } from '../errors/index.js';
import { abortReason, throwIfAborted } from '../platform/abort.js';
import { expectedTries, requirePattern, type VanityPattern } from './vanity-odds.js';
import { VANITY_WORKER } from './vanity-worker.js';

/** Progress of a search. */
export interface VanityProgress {
  /** Keys tried so far. */
  readonly tried: number;
  readonly perSecond: number;
  /**
   * Average number of keys that a search needs. Each key is independent, so the remaining number does not shrink as
   * keys are tried.
   */
  readonly expected: number;
}

/** Options of a search. */
export interface VanityOptions extends VanityPattern {
  /** 1 to 64. Default: one less than the machine has. */
  readonly threads?: number | undefined;
  /** Called about every `progressMs`. */
  readonly onProgress?: ((progress: VanityProgress) => void) | undefined;
  /** Default 500. */
  readonly progressMs?: number | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

const VANITY_OPTIONS = {
  prefix: true,
  suffix: true,
  threads: true,
  onProgress: true,
  progressMs: true,
  signal: true,
} as const satisfies OptionNames<VanityOptions>;

/** The secret key of a match: its seed, then its public key. */
export interface VanityKey {
  readonly secretKey: Uint8Array;
  readonly tried: number;
}

/** The platform has no worker threads: a browser, or a runtime other than Node. */
export class VanityUnavailableError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'VanityUnavailableError';
  constructor() {
    super(
      'a vanity mint is searched in worker threads, which only Node has; search on a server, or use a random key',
    );
  }
}

/** A thread's report: the number of tried keys, and the match. */
interface Message {
  readonly tried: number;
  readonly secretKey?: Uint8Array;
}

interface NodeProcess {
  readonly getBuiltinModule?: (name: string) => unknown;
}

const MOST_THREADS = 64;
const LONGEST_PAUSE_MS = 60_000;

/** @throws InvalidArgumentError for the pattern or an option; VanityUnavailableError; the signal's reason */
export async function searchVanity(options: VanityOptions): Promise<VanityKey> {
  requireKnown('options', options, VANITY_OPTIONS);
  const { onProgress, signal } = options;
  const pattern = requirePattern(options);
  const expected = expectedTries(pattern);
  const reportMs = requireInteger('progressMs', options.progressMs ?? 500, LONGEST_PAUSE_MS, 10);
  // Loaded by name at run time, so that browser bundlers see no Node modules.
  const { process } = globalThis as { process?: NodeProcess };
  const node = process?.getBuiltinModule?.('node:worker_threads') as typeof WorkerThreads | undefined;
  const os = process?.getBuiltinModule?.('node:os') as typeof OperatingSystem | undefined;
  if (node === undefined || os === undefined) throw new VanityUnavailableError();
  const most = Math.min(MOST_THREADS, Math.max(1, os.availableParallelism() - 1));
  const threads = requireInteger('threads', options.threads ?? most, MOST_THREADS, 1);
  throwIfAborted(signal);

  const startedAt = performance.now();
  let tried = 0;
  const workerData = { ...pattern, reportMs };
  const workers = Array.from(
    { length: threads },
    () => new node.Worker(VANITY_WORKER, { eval: true, workerData }),
  );
  const abortion = new AbortController();
  try {
    return await new Promise<VanityKey>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(abortReason(signal)), { signal: abortion.signal });
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('message', (message: Message) => {
          tried += message.tried;
          if (message.secretKey !== undefined) {
            resolve({ secretKey: message.secretKey, tried });
            return;
          }
          const perSecond = (1_000 * tried) / (performance.now() - startedAt);
          onProgress?.({ tried, perSecond, expected });
        });
      }
    });
  } finally {
    abortion.abort();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
