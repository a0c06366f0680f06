import { formatSol } from '@curvekit/sdk';
import { Refusal } from './message.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

interface Minute {
  readonly began: number;
  last: number;
  lamports: bigint;
}

/** Lamports that may leave in any 24 hours. In memory: a restart forgets what was signed before it. */
export class SpendingLimit {
  /** One for each minute at most. */
  readonly #signed: Minute[] = [];
  #sum = 0n;

  /** @param lamports undefined for no limit */
  constructor(
    private readonly lamports: bigint | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts lamports, also those of a transaction that never lands. @returns takes them back @throws Refusal */
  take(lamports: bigint): () => void {
    const now = this.now();
    while (this.#signed[0] !== undefined && this.#signed[0].last <= now - DAY_MS)
      this.#sum -= this.#signed.shift()!.lamports;
    if (this.lamports !== undefined && this.#sum + lamports > this.lamports)
      throw new Refusal(
        `with ${formatSol(lamports)} SOL more than the ${formatSol(this.lamports)} SOL of --sol-per-day would leave the treasury in 24 hours; ${formatSol(this.#sum)} are signed`,
      );
    this.#sum += lamports;
    const minute = this.#minuteOf(now);
    minute.last = now;
    minute.lamports += lamports;
    return () => {
      if (!this.#signed.includes(minute)) return;
      minute.lamports -= lamports;
      this.#sum -= lamports;
    };
  }

  #minuteOf(now: number): Minute {
    const newest = this.#signed.at(-1);
    if (newest !== undefined && now < newest.began + MINUTE_MS) return newest;
    const minute = { began: now, last: now, lamports: 0n };
    this.#signed.push(minute);
    return minute;
  }
}
