// Hands out arenas: two fresh machines where the last two cannot be used any more.
import { openArena, type Arena, type ArenaSpec } from './arena.js';
import { Pair, type Builds } from './pair.js';
import { play, type Played } from './play.js';
import type { Step } from './steps.js';

/** So that the machines do not grow for ever. */
const ARENAS_PER_PAIR = 200;

/** A sequence of steps, taken until the builds differed, if they did. */
export interface Run {
  readonly played: readonly Played[];
  /** Where the builds differ, after the last of `played`. */
  readonly difference?: Error;
}

export class Lab {
  #pair: Pair | undefined;
  readonly #seeds = new Set<number>();

  constructor(readonly builds: Builds) {}

  /** @throws Difference where the builds do not open it alike */
  open(spec: ArenaSpec): { readonly pair: Pair; readonly arena: Arena } {
    // The same seed makes the same addresses, which must have nothing yet.
    if (this.#seeds.has(spec.seed) || this.#seeds.size >= ARENAS_PER_PAIR) this.discard();
    this.#seeds.add(spec.seed);
    const pair = (this.#pair ??= new Pair(this.builds));
    return { pair, arena: openArena(pair, spec) };
  }

  /** The machines differ: neither is used again. */
  discard(): void {
    this.#pair = undefined;
    this.#seeds.clear();
  }

  /** Takes the steps in an arena of its own. */
  run(spec: ArenaSpec, steps: readonly Step[]): Run {
    const played: Played[] = [];
    try {
      const { pair, arena } = this.open(spec);
      for (const step of steps) played.push(play(pair, arena, step));
      return { played };
    } catch (difference) {
      this.discard();
      return { played, difference: difference as Error };
    }
  }
}
