import { clientCounters } from '../../http/client-address.js';
import { HttpProblem } from '../../http/problem.js';

const RETRY_AFTER_SECONDS = '5';

/** Counts open streams by client. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** @returns a function that releases the stream @throws HttpProblem 429 */
  count(ip: string | undefined): () => void {
    const { client } = clientCounters(ip);
    const open = this.#open.get(client) ?? 0;
    if (open >= this.most) {
      throw new HttpProblem(
        429,
        'RATE_LIMIT_EXCEEDED',
        `This address has ${open} streams open, which is the limit; close one`,
        { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
      );
    }
    this.#open.set(client, open + 1);
    return () => {
      const left = (this.#open.get(client) ?? 1) - 1;
      if (left === 0) this.#open.delete(client);
      else this.#open.set(client, left);
    };
  }
}
