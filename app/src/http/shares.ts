// Counts what clients hold: open requests, connections, bytes. Each client and all together have a limit.
import type { Most } from './bounds.js';

/** Which limit would be passed. */
export type Excess = 'client' | 'total';

export interface Held {
  /** @returns the limit that would be passed; then nothing is added */
  add(amount: number): Excess | undefined;
  /** Gives everything back. Safe to call twice. */
  release(): void;
}

/** Has one entry for each client that holds something now. */
export class Shares {
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(readonly most: Most) {}

  get total(): number {
    return this.#total;
  }

  /** @returns the limit that would be passed; then nothing is taken */
  take(client: string, amount = 1): Excess | undefined {
    const ofClient = (this.#byClient.get(client) ?? 0) + amount;
    if (ofClient > this.most.perClient) return 'client';
    if (this.#total + amount > this.most.total) return 'total';
    this.#byClient.set(client, ofClient);
    this.#total += amount;
    return undefined;
  }

  give(client: string, amount = 1): void {
    const left = (this.#byClient.get(client) ?? 0) - amount;
    this.#total -= amount;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }

  hold(client: string): Held {
    let held = 0;
    return {
      add: (amount) => {
        const excess = this.take(client, amount);
        if (excess === undefined) held += amount;
        return excess;
      },
      release: () => {
        if (held > 0) this.give(client, held);
        held = 0;
      },
    };
  }
}
