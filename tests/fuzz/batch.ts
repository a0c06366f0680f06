// Plays episodes, and batches of them: the unit of work of a worker process.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AMM, DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { keyOf } from '../differential/call.js';
import { Svm, type Program } from '../differential/svm.js';
import { episodeOf, STEPS_OF_EPISODE } from './generate.js';
import { audit, play } from './play.js';
import type { Episode, Step } from './steps.js';
import { World } from './world.js';

export interface Files {
  readonly curve: string;
  /** Another build of the curve's program, which must do the same. */
  readonly reference?: string;
  readonly graduation: string;
  /** The last one cheats. */
  readonly amms: readonly string[];
}

export interface Batch {
  readonly seed: number;
  /** Index of the first episode. */
  readonly from: number;
  readonly episodes: number;
}

export interface BatchResult {
  readonly steps: number;
  readonly tally: Readonly<Record<string, number>>;
  /** The digest of each episode, as hex. */
  readonly digests: readonly string[];
  readonly failed?: { readonly index: number; readonly episode: Episode; readonly failure: Failure };
}

/** Worlds by AMM, each made when it is first needed: a machine takes half a second and 30 MB. */
export class Worlds {
  readonly #files: Files;
  readonly #called: readonly Program[];
  readonly #made = new Map<number, World>();

  /** @param called the programs that the programs call, without the AMM */
  constructor(files: Files, called: readonly Program[]) {
    this.#files = files;
    this.#called = called;
  }

  get amms(): number {
    return this.#files.amms.length;
  }

  at(amm: number): World {
    const index = amm % this.amms;
    const made = this.#made.get(index);
    if (made !== undefined) return made;
    const { curve, reference, graduation, amms } = this.#files;
    const of = (key: Program['key'], file: string): Program => ({ key, binary: readFileSync(file) });
    const machine = (build: string): Svm =>
      new Svm([
        ...this.#called,
        of(keyOf(DEFAULT_DEPLOYMENT.programId), build),
        of(keyOf(DEFAULT_DEPLOYMENT.graduation.programId), graduation),
        of(keyOf(AMM.programId), amms[index]!),
      ]);
    const others = reference === undefined ? [] : [machine(reference)];
    const world = new World([machine(curve), ...others], index < this.amms - 1);
    this.#made.set(index, world);
    return world;
  }
}

export async function playBatch(worlds: Worlds, { seed, from, episodes }: Batch): Promise<BatchResult> {
  const tally: Record<string, number> = {};
  const digests: string[] = [];
  let steps = 0;
  for (let index = from; index < from + episodes; index += 1) {
    // The memory of the machine's objects is freed only when the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
    const episode = episodeOf(seed, index, STEPS_OF_EPISODE, worlds.amms);
    const played = playEpisode(worlds.at(episode.spec.amm), episode);
    steps += played.steps;
    for (const [key, count] of played.tally) tally[key] = (tally[key] ?? 0) + count;
    digests.push(played.digest.toString('hex'));
    const { failure } = played;
    if (failure !== undefined) return { steps, tally, digests, failed: { index, episode, failure } };
  }
  return { steps, tally, digests };
}

/** How many steps lie between two comparisons of everything. */
const AUDIT_EVERY = 64;

export interface Failure {
  /** Index of the step. The number of steps when the last comparison failed. */
  readonly step: number;
  readonly message: string;
}

export interface Played {
  readonly steps: number;
  /** How many steps of each kind succeeded and were refused. */
  readonly tally: ReadonlyMap<string, number>;
  /** SHA-256 of all results and of the final state. */
  readonly digest: Buffer;
  readonly failure?: Failure;
}

export function playEpisode(world: World, { spec, steps }: Episode): Played {
  world.reset(spec);
  const tally = new Map<string, number>();
  const results: string[] = [];
  let step = 0;
  try {
    for (; step < steps.length; step += 1) {
      const result = play(world, steps[step]!);
      // Which of several faults is reported is no promise.
      results.push(result === undefined ? 'done' : 'refused');
      count(tally, steps[step]!, result);
      if (step % AUDIT_EVERY === AUDIT_EVERY - 1) audit(world);
    }
    audit(world);
  } catch (error) {
    return { steps: step, tally, digest: digestOf(world, results), failure: { step, message: text(error) } };
  }
  return { steps: step, tally, digest: digestOf(world, results) };
}

function text(error: unknown): string {
  const { name, message, stack } = error as Error;
  // Anything but a violation is a fault of the fuzzer itself, or an account in a form that it does not expect.
  return name === 'Violation' ? message : (stack ?? message);
}

function count(tally: Map<string, number>, step: Step, result: string | undefined): void {
  const hostile = 'alteration' in step ? 'hostile ' : '';
  const key = `${hostile}${step.is}: ${result === undefined ? 'done' : 'refused'}`;
  tally.set(key, (tally.get(key) ?? 0) + 1);
}

function digestOf(world: World, results: readonly string[]): Buffer {
  const state = [
    ...world.traders,
    world.feeReceiver,
    ...world.tokens.flatMap((token) => [
      token.status,
      token.virtualSol,
      token.virtualToken,
      token.curveLamports,
      token.vault,
      token.supply,
      ...token.held,
    ]),
  ];
  return createHash('sha256').update(results.join()).update('\n').update(state.join()).digest();
}
