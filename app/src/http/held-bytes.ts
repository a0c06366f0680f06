// Bounds the memory of answers that clients have asked for and not read yet.
import { clientCounters } from './client-address.js';

export interface HeldLimits {
  /** In all, in bytes. */
  readonly total: number;
  readonly perClient: number;
}

/** The bytes held for one answer. */
export interface Held {
  /** @returns false when a limit would be passed; then nothing is added */
  add(bytes: number): boolean;
  /** Call it when the answer is sent, or its client is gone. Safe to call twice. */
  release(): void;
}

export class HeldBytes {
  readonly #byClient = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: HeldLimits) {}

  /** In bytes. */
  get total(): number {
    return this.#total;
  }

  /** Begins an answer for the client at this address. */
  hold(ip: string | undefined): Held {
    const { client } = clientCounters(ip);
    let held = 0;
    return {
      add: (bytes) => {
        const ofClient = (this.#byClient.get(client) ?? 0) + bytes;
        if (ofClient > this.limits.perClient || this.#total + bytes > this.limits.total) return false;
        held += bytes;
        this.#total += bytes;
        this.#byClient.set(client, ofClient);
        return true;
      },
      release: () => {
        const left = (this.#byClient.get(client) ?? 0) - held;
        this.#total -= held;
        held = 0;
        if (left > 0) this.#byClient.set(client, left);
        else this.#byClient.delete(client);
      },
    };
  }
}
