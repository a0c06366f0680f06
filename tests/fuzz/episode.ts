// Plays episodes.
import { createHash } from 'node:crypto';
import { audit, play } from './play.js';
import type { Episode, Step } from './steps.js';
import type { World } from './world.js';

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
