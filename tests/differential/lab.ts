// Runs sequences of steps, each in a new arena.
import { openArena, type Arena, type ArenaSpec } from './arena.js';
import type { Pair } from './pair.js';
import { play, type Played } from './play.js';
import type { Step } from './steps.js';

/** The result of a sequence of steps, which ends at the first difference. */
export interface Run {
  readonly played: readonly Played[];
  /** The difference between the builds, in the step after the last of `played`. */
  readonly difference?: Error;
}

export class Lab {
  readonly #pair: Pair;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Opens an arena in reset machines. @throws Difference when the builds differ while it is opened */
  open(spec: ArenaSpec): { readonly pair: Pair; readonly arena: Arena } {
    this.#pair.reset();
    return { pair: this.#pair, arena: openArena(this.#pair, spec) };
  }

  /** Resets the machines for another lab. */
  close(): void {
    this.#pair.reset();
  }

  /** Executes the steps in a new arena. */
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
