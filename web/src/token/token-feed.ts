// What a token's stream brings, for parts of the page that must not render for each trade. Not state of a component, which
// would lose the first of two batches before a render.
import type { Trade } from '../market/types.js';

export interface FeedListener {
  /** Called once per frame, oldest trade first. */
  readonly onTrades: (trades: readonly Trade[]) => void;
  /** Called when trades were missed or dropped: load everything again. */
  readonly onMissed: () => void;
}

export class TokenFeed {
  readonly #listeners = new Set<FeedListener>();

  /** @returns a function that ends the subscription */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  trades(trades: readonly Trade[]): void {
    for (const { onTrades } of this.#listeners) onTrades(trades);
  }

  missed(): void {
    for (const { onMissed } of this.#listeners) onMissed();
  }
}
