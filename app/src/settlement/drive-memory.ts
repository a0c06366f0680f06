// What the service's job remembers about open settlements between its turns.
import { Backoff } from '@curvekit/sdk';

/** An attempt that was interrupted is retried after this time, later after twice the time before. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/** State by settlement id. */
export interface DriveMemory {
  /** Time of the next attempt. */
  readonly resting: Map<number, number>;
  /** Of settlements whose last attempt was interrupted. */
  readonly retries: Map<number, Backoff>;
  readonly lastSample: Map<number, number>;
  readonly lastLogged: Map<number, number>;
}

export function newMemory(): DriveMemory {
  return { resting: new Map(), retries: new Map(), lastSample: new Map(), lastLogged: new Map() };
}

export function newRetries(): Backoff {
  return new Backoff({ firstMs: FIRST_RETRY_MS, longestMs: LONGEST_RETRY_MS });
}

/** Milliseconds until the next attempt of an interrupted settlement. */
export function nextRetryMs({ retries }: DriveMemory, id: number): number {
  const backoff = retries.get(id) ?? newRetries();
  retries.set(id, backoff);
  return backoff.next();
}

/** Drops the memory of settlements that have ended. */
export function keepOnly(memory: DriveMemory, isOpen: (id: number) => boolean): void {
  for (const map of Object.values(memory) as Map<number, unknown>[]) {
    for (const id of map.keys()) if (!isOpen(id)) map.delete(id);
  }
}
