import type { ApiError } from '#sdk/http/errors.js';
import type { MarketEvent as SdkEvent } from '#sdk/http/market/events.js';
import {
  openMarketStream,
  type IndexProgress,
  type MarketStream,
  type MarketStreamState,
  type MarketTopic,
} from '#sdk/http/market/stream.js';
import { eventually } from '#tests/service/service.js';

/** Subscribes to topics, as the page does. */
export class Follower {
  readonly events: SdkEvent[] = [];
  readonly states: MarketStreamState[] = [];
  readonly errors: ApiError[] = [];
  readonly progress: IndexProgress[] = [];
  readonly #stream: MarketStream;

  constructor(baseUrl: string, topics: readonly MarketTopic[], lastEventId?: string) {
    this.#stream = openMarketStream({
      baseUrl,
      topics,
      lastEventId,
      onEvent: (event) => this.events.push(event),
      onIndex: (progress) => this.progress.push(progress),
      onState: (state) => this.states.push(state),
      onError: (error) => this.errors.push(error),
    });
  }

  get lastEventId() {
    return this.#stream.lastEventId;
  }
  /** Ids of trades, in the order of arrival. */
  get trades(): number[] {
    return this.events.flatMap((event) => (event.type === 'trade' ? [Number(event.data.id)] : []));
  }
  get types(): string[] {
    return this.events.map(({ type }) => type);
  }
  untilOpen() {
    return eventually(() => this.lastEventId !== undefined, 'the stream to be open');
  }
  untilTypes(...types: readonly string[]) {
    return eventually(
      () => this.types.join() === types.join(),
      () => `${types.join()}; there were ${this.types.join().slice(0, 500)}`,
    );
  }
  close() {
    this.#stream.close();
  }
}
