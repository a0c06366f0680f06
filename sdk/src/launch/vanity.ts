// Looks for a mint whose address begins or ends with chosen characters, on several threads of Node.
import type * as OperatingSystem from 'node:os';
import type * as WorkerThreads from 'node:worker_threads';
import { Keypair } from '@solana/web3.js';
import { CurvekitError } from '../errors.js';
import { requireInteger } from '../validation.js';
import { expectedTries, requirePattern, type VanityPattern } from './vanity-odds.js';
import { VANITY_WORKER } from './vanity-worker.js';

/** How far a search is. */
export interface VanityProgress {
  /** Keys looked at so far. */
  readonly tried: number;
  readonly perSecond: number;
  /** Keys that it takes on average. There is no memory: after so many, as many lie ahead. */
  readonly expected: number;
}

/** What to search, and how. */
export interface VanityOptions extends VanityPattern {
  /** 1 to 64. All but one that the machine has, by default. */
  readonly threads?: number | undefined;
  /** Called about every `progressMs`. */
  readonly onProgress?: ((progress: VanityProgress) => void) | undefined;
  /** 500 by default. */
  readonly progressMs?: number | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A key that fits. */
export interface VanityMint {
  /** Signs the creation of the token as `mint`, and nothing after it. */
  readonly mint: Keypair;
  readonly tried: number;
}

/** The platform has no worker threads: a browser, or another runtime than Node. */
export class VanityUnavailableError extends CurvekitError {
  constructor() {
    super(
      'a vanity mint is searched in worker threads, which only Node has; search on a server, or use Keypair.generate()',
    );
    this.name = 'VanityUnavailableError';
  }
}

/** What the threads send: how many keys they have looked at, and what they have found. */
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
 * Searches until a mint fits. Upper and lower case differ. Each character more takes 58 times as long: `expectedTries` tells.
 *
 * @throws InvalidArgumentError for the pattern or an option; VanityUnavailableError; the signal's reason
 */
export async function findVanityMint(options: VanityOptions): Promise<VanityMint> {
  const { onProgress, signal } = options;
  const pattern = requirePattern(options);
  const expected = expectedTries(pattern);
  const reportMs = requireInteger('progressMs', options.progressMs ?? 500, LONGEST_PAUSE_MS, 10);
  // By name at run time, so that bundlers for browsers find nothing of Node.
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
