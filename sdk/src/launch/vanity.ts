// Searches for a mint whose address begins or ends with chosen characters, on several Node threads.
import type * as OperatingSystem from 'node:os';
import type * as WorkerThreads from 'node:worker_threads';
import { Keypair } from '@solana/web3.js';
import { CurvekitError } from '../errors.js';
import { requireInteger } from '../validation.js';
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

/** A matching key. */
export interface VanityMint {
  /** Signs the creation of the token as `mint`. It is not needed after that. */
  readonly mint: Keypair;
  readonly tried: number;
}

/** The platform has no worker threads: a browser, or a runtime other than Node. */
export class VanityUnavailableError extends CurvekitError {
  constructor() {
    super(
      'a vanity mint is searched in worker threads, which only Node has; search on a server, or use Keypair.generate()',
    );
    this.name = 'VanityUnavailableError';
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

/**
 * Searches until a mint matches. Upper and lower case are different. Each additional character takes 58 times as long:
 * see `expectedTries`.
 *
 * @throws InvalidArgumentError for the pattern or an option; VanityUnavailableError; the signal's reason
 */
export async function findVanityMint(options: VanityOptions): Promise<VanityMint> {
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
  signal?.throwIfAborted();

  const startedAt = performance.now();
  let tried = 0;
  const workerData = { ...pattern, reportMs };
  const workers = Array.from(
    { length: threads },
    () => new node.Worker(VANITY_WORKER, { eval: true, workerData }),
  );
  const abortion = new AbortController();
  try {
    return await new Promise<VanityMint>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: abortion.signal });
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('message', (message: Message) => {
          tried += message.tried;
          if (message.secretKey !== undefined) {
            resolve({ mint: Keypair.fromSecretKey(message.secretKey), tried });
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
