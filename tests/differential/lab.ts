// Takes sequences of steps, each in an arena of its own.
import { openArena, type Arena, type ArenaSpec } from './arena.js';
import type { Pair } from './pair.js';
import { play, type Played } from './play.js';
import type { Step } from './steps.js';

/** A sequence of steps, taken until the builds differed, if they did. */
export interface Run {
  readonly played: readonly Played[];
  /** Where the builds differ, after the last of `played`. */
  readonly difference?: Error;
}

export class Lab {
  readonly #pair: Pair;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** An arena in machines that know of no other. @throws Difference where the builds do not open it alike */
  open(spec: ArenaSpec): { readonly pair: Pair; readonly arena: Arena } {
    this.#pair.reset();
    return { pair: this.#pair, arena: openArena(this.#pair, spec) };
  }

  /** Leaves the machines as they were, for another lab. */
  close(): void {
    this.#pair.reset();
  }

  /** Takes the steps in an arena of its own. */
  run(spec: ArenaSpec, steps: readonly Step[]): Run {
    const played: Played[] = [];
    try {
      const { pair, arena } = this.open(spec);
      for (const step of steps) played.push(play(pair, arena, step));
      return { played };
    } catch (difference) {
      return { played, difference: difference as Error };
    }
  }
}
