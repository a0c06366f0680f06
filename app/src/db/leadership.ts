// Chooses the leader, the instance that runs the jobs. One lease covers all jobs. Jobs on other instances wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { callWithin } from '../base/call-within.js';
import type { Lease } from './database.js';

export const LEADER = 'leader';
/** How often a follower tries to get the lease. */
const POLL_MS = 2_000;
const LEAVE_MS = 3_000;

export class Leadership {
  readonly #tryLead: () => Promise<Lease | undefined>;
  readonly #waiting = new Set<(lease: Lease) => void>();
  #members = 0;
  #leaving = new AbortController();
  #running: Promise<void> | undefined;
  #lease: Lease | undefined;

  /** @param tryLead tries to get the leader's lease */
  constructor(tryLead: () => Promise<Lease | undefined>) {
    this.#tryLead = tryLead;
  }

  /** Whether this instance believes that it is the leader. */
  get leads(): boolean {
    return this.#lease !== undefined && !this.#lease.lost.aborted;
  }

  /** Starts to request the lease. @param onError called for each failed attempt */
  join(onError: (error: unknown) => void): void {
    this.#members += 1;
    if (this.#members > 1) return;
    this.#leaving = new AbortController();
    this.#running = this.#follow(this.#leaving.signal, onError);
  }

  /** Stops requesting. The lease is released when every caller of `join` has left. */
  async leave(): Promise<void> {
    this.#members -= 1;
    if (this.#members > 0) return;
    this.#leaving.abort();
    const running = this.#running;
    // A database that does not answer ends the lease by itself.
    await callWithin({ what: 'the database', limitMs: LEAVE_MS }, async () => running).catch(() => undefined);
  }

  /** Waits until this instance is the leader; undefined when the signal aborts first. */
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
