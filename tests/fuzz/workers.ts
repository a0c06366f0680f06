// Spreads batches over worker processes, and puts their results together.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { nextMessage } from '#tests/process/next-message.js';
import type { Program } from '../differential/svm.js';
import type { Batch, BatchResult, Files } from './batch.js';
import { STEPS_OF_EPISODE } from './generate.js';
import type { Start } from './worker.js';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const EPISODES_OF_BATCH = 25;

export interface Plan {
  readonly files: Files;
  readonly called: readonly Program[];
  readonly seed: number;
  /** Rounded up to whole episodes. */
  readonly steps: number;
  readonly workers: number;
  readonly onProgress?: (steps: number) => void;
}

export interface Total {
  readonly steps: number;
  readonly episodes: number;
  readonly tally: Readonly<Record<string, number>>;
  /** SHA-256 over the digests of all episodes in their order: the same for any number of workers. */
  readonly digest: string;
  /** The failure with the lowest index of those that were found. */
  readonly failed?: NonNullable<BatchResult['failed']>;
}

/** @throws Error when a worker process ends */
export async function runWorkers(plan: Plan): Promise<Total> {
  const episodes = Math.ceil(plan.steps / STEPS_OF_EPISODE);
  const results = new Map<number, BatchResult>();
  let [next, steps] = [0, 0];
  const nextBatch = (): Batch | undefined => {
    const failed = [...results.values()].some(({ failed }) => failed !== undefined);
    if (next >= episodes || failed) return undefined;
    const batch = { seed: plan.seed, from: next, episodes: Math.min(EPISODES_OF_BATCH, episodes - next) };
    next += batch.episodes;
    return batch;
  };
  const one = async (): Promise<void> => {
    const worker = fork(WORKER, {
      execArgv: ['--import=tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Programs are bytes, and episodes have bigints.
      serialization: 'advanced',
    });
    try {
      worker.send({ files: plan.files, called: plan.called } satisfies Start);
      for (let batch = nextBatch(); batch !== undefined; batch = nextBatch()) {
        worker.send(batch);
        const ended = `a worker of episodes ${batch.from} and later ended`;
        const result = await nextMessage<BatchResult>(worker, ended);
        results.set(batch.from, result);
        steps += result.steps;
        plan.onProgress?.(steps);
      }
    } finally {
      worker.kill();
    }
  };
  await Promise.all(Array.from({ length: plan.workers }, one));
  return totalOf(results);
}

function totalOf(results: ReadonlyMap<number, BatchResult>): Total {
  const hash = createHash('sha256');
  const tally: Record<string, number> = {};
  let [steps, episodes] = [0, 0];
  let failed: BatchResult['failed'];
  for (const from of [...results.keys()].sort((a, b) => a - b)) {
    const result = results.get(from)!;
    for (const digest of result.digests) hash.update(digest);
    for (const [key, count] of Object.entries(result.tally)) tally[key] = (tally[key] ?? 0) + count;
    steps += result.steps;
    episodes += result.digests.length;
    failed ??= result.failed;
  }
  return { steps, episodes, tally, digest: hash.digest('hex'), ...(failed === undefined ? {} : { failed }) };
}
