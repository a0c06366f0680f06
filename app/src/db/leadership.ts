// Chooses the instance that runs the jobs. Every instance asks for one lease for all its jobs. The jobs of the holder run, those
// of the other instances wait.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from './database.js';

/** The lease of the instance that leads. */
export const LEADER = 'leader';
/** How often a follower asks. */
const POLL_MS = 2_000;

export class Leadership {
  readonly #tryLead: () => Promise<Lease | undefined>;
  readonly #waiting = new Set<(lease: Lease) => void>();
  #members = 0;
  #leaving = new AbortController();
  #running: Promise<void> | undefined;
  #lease: Lease | undefined;

  /** @param tryLead asks for the lease of the leader */
  constructor(tryLead: () => Promise<Lease | undefined>) {
    this.#tryLead = tryLead;
  }

  /** Whether this instance leads, as far as it knows. */
  get leads(): boolean {
    return this.#lease !== undefined && !this.#lease.lost.aborted;
  }

  /** Takes part: asks for the lease from now on. @param onError told of each question that failed */
  join(onError: (error: unknown) => void): void {
    this.#members += 1;
    if (this.#members > 1) return;
    this.#leaving = new AbortController();
    this.#running = this.#follow(this.#leaving.signal, onError);
  }

  /** Takes part no more; the last one to leave gives the lease up. */
  async leave(): Promise<void> {
    this.#members -= 1;
    if (this.#members > 0) return;
    this.#leaving.abort();
    await this.#running;
  }

  /** The lease, as soon as this instance leads; undefined when the signal aborts before. */
  async lease(signal: AbortSignal): Promise<Lease | undefined> {
    if (signal.aborted) return undefined;
    if (this.#lease !== undefined && !this.#lease.lost.aborted) return this.#lease;
    return new Promise((resolve) => {
      const give = (lease: Lease | undefined) => {
        this.#waiting.delete(give);
        signal.removeEventListener('abort', onAbort);
        resolve(lease);
      };
      const onAbort = () => give(undefined);
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(give);
    });
  }

  async #follow(leaving: AbortSignal, onError: (error: unknown) => void): Promise<void> {
    while (!leaving.aborted) {
      try {
        const lease = await this.#tryLead();
        if (lease !== undefined) await this.#lead(lease, leaving);
      } catch (error) {
        if (!leaving.aborted) onError(error);
      }
      await sleep(POLL_MS, undefined, { signal: leaving }).catch(() => undefined);
    }
  }

  async #lead(lease: Lease, leaving: AbortSignal): Promise<void> {
    this.#lease = lease;
    try {
      for (const give of [...this.#waiting]) give(lease);
      const over = AbortSignal.any([leaving, lease.lost]);
      if (!over.aborted) {
        await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
      }
    } finally {
      this.#lease = undefined;
      await lease.release();
    }
  }
}
