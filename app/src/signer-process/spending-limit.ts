import { formatSol } from '@curvekit/sdk';
import { Refusal } from './message.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Lamports that may leave in any 24 hours. In memory: a restart forgets what was signed before it. */
export class SpendingLimit {
  /** One for each minute at most. */
  readonly #signed: { readonly began: number; last: number; lamports: bigint }[] = [];
  #sum = 0n;

  /** @param lamports undefined for no limit */
  constructor(
    private readonly lamports: bigint | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts lamports, also those of a transaction that never lands. @throws Refusal */
  take(lamports: bigint): void {
    const now = this.now();
    while (this.#signed[0] !== undefined && this.#signed[0].last <= now - DAY_MS)
      this.#sum -= this.#signed.shift()!.lamports;
    if (this.lamports !== undefined && this.#sum + lamports > this.lamports)
      throw new Refusal(
        `with ${formatSol(lamports)} SOL more than the ${formatSol(this.lamports)} SOL of --sol-per-day would leave the treasury in 24 hours; ${formatSol(this.#sum)} are signed`,
      );
    this.#sum += lamports;
    const minute = this.#signed.at(-1);
    if (minute !== undefined && now < minute.began + MINUTE_MS) {
      minute.last = now;
      minute.lamports += lamports;
    } else this.#signed.push({ began: now, last: now, lamports });
  }
}
