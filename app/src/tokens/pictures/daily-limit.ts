import { clientCounters } from '../../http/client-address.js';
import { HttpProblem } from '../../http/problem.js';
import type { LimitStores } from '../../http/rate-limit-store.js';

const DAY_SECONDS = 86_400;

/** Counts uploads by wallet and by IP address, and refuses uploads over the daily limit of either. */
export class DailyLimit {
  readonly #counters;

  constructor(
    stores: LimitStores,
    private readonly most: number,
  ) {
    this.#counters = stores.create('uploads-day', DAY_SECONDS);
  }

  /** @throws HttpProblem 429 */
  async count(wallet: string, ip: string | undefined): Promise<void> {
    // The IP address is counted first, so that a client with invented wallets creates no counters beyond its own limit.
    for (const key of [clientCounters(ip).client, wallet]) {
      const { requests, resetAt } = await this.#counters.add(key);
      if (requests > this.most) throw tooMany(this.most, resetAt);
    }
  }
}

function tooMany(most: number, resetAt: number): HttpProblem {
  const seconds = Math.max(1, Math.ceil((resetAt - Date.now()) / 1_000));
  return new HttpProblem(
    429,
    'RATE_LIMIT_EXCEEDED',
    `This wallet or address has uploaded ${most} pictures in 24 hours, which is the limit; try again later`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
