import { formatSol } from '@curvekit/sdk';
import { Refusal } from './message.js';
import { Counter, type Registry } from 'prom-client';
import { measure } from '../base/metrics.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The limit of a day refuses a signature. */
export class LimitReached extends Refusal {}

interface Minute {
  readonly began: number;
  last: number;
  lamports: bigint;
}

/** How long a refusal counts as the state of the limit. */
const REFUSING_MS = 600_000;

/** Lamports that may leave in any 24 hours. In memory: a restart forgets what was signed before it. */
export class SpendingLimit {
  /** One for each minute at most. */
  readonly #signed: Minute[] = [];
  #sum = 0n;
  #refusals = 0;
  #refused: { readonly at: number; readonly reason: string } | undefined;

  /** @param lamports undefined for no limit */
  constructor(
    readonly lamports: bigint | undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** Lamports that count now. */
  get signed(): bigint {
    while (this.#signed[0] !== undefined && this.#signed[0].last <= this.now() - DAY_MS)
      this.#sum -= this.#signed.shift()!.lamports;
    return this.#sum;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** Why it refused something in the last ten minutes. */
  get problem(): string | undefined {
    if (this.#refused === undefined || this.#refused.at <= this.now() - REFUSING_MS) return undefined;
    return this.#refused.reason;
  }

  /** Counts lamports. @returns takes them back: only for what certainly never lands @throws LimitReached */
  take(lamports: bigint): () => void {
    const now = this.now();
    if (this.lamports !== undefined && this.signed + lamports > this.lamports) {
      const reason = `with ${formatSol(lamports)} SOL more than the ${formatSol(this.lamports)} SOL of --sol-per-day would leave the treasury in 24 hours; ${formatSol(this.#sum)} are signed`;
      this.#refusals += 1;
      this.#refused = { at: now, reason };
      throw new LimitReached(reason);
    }
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

/** Measures the limit of a day of a signer that pays claims. */
export function measureLimit(limit: SpendingLimit, registry: Registry): void {
  measure(
    registry,
    'curvekit_signer_day_limit_lamports',
    'Lamports that may leave the treasury in 24 hours, by --sol-per-day; +Inf without it',
    () => Number(limit.lamports ?? Infinity),
  );
  measure(
    registry,
    'curvekit_signer_day_signed_lamports',
    'Lamports signed in the last 24 hours, without claims that never land',
    () => Number(limit.signed),
  );
  new Counter({
    name: 'curvekit_signer_day_refusals_total',
    help: 'Signatures refused because of --sol-per-day',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(limit.refusals);
    },
  });
}
