// The candles of a chart. They grow in place with each trade, because a busy token must not render the page for each bar.
import type { Candle, Trade } from '../market/types.js';
import { barOf, grow, type Bar, type Scale } from './bars.js';

export class BarSeries {
  /** As the service answered. */
  candles: readonly Candle[] = [];
  #bars: Bar[] | undefined;
  /** Trades since the candles were requested. */
  #early: readonly Trade[] = [];
  readonly #listeners = new Set<(changed: readonly Bar[]) => void>();

  constructor(private readonly scale: Scale) {}

  get bars(): readonly Bar[] {
    return this.#bars ?? [];
  }

  /** Takes the service's answer, and adds the trades that came before it. */
  fill(candles: readonly Candle[]): void {
    this.candles = candles;
    this.#bars = candles.map(barOf);
    grow(this.#bars, this.#early, this.scale);
  }

  add(trades: readonly Trade[]): void {
    if (this.#bars === undefined) {
      this.#early = [...this.#early, ...trades];
      return;
    }
    const changed = grow(this.#bars, trades, this.scale);
    for (const listener of this.#listeners) listener(changed);
  }

  /** @param listener gets the changed bars @returns a function that ends the subscription */
  subscribe(listener: (changed: readonly Bar[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
