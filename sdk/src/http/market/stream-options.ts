import type { ApiError } from '../errors.js';
import type { MarketEvent } from './events.js';

/** `open`; `waiting` while it is not connected and comes back by itself; `closed` for good. */
export type MarketStreamState = 'open' | 'waiting' | 'closed';

/** `board` for all tokens, with their changes every 250 ms; or one token, or one wallet, at once. */
export type MarketTopic = 'board' | `token:${string}` | `wallet:${string}`;

/** What to listen to, and whom to tell. */
export interface MarketStreamOptions {
  /** Where the service is: `https://api.example.com`. Relative in browsers: '' for the page's own. */
  readonly baseUrl: string;
  /** From 1 to 10. */
  readonly topics: readonly MarketTopic[];
  /** Told of each event, in order. */
  readonly onEvent: (event: MarketEvent) => void;
  /** Told when the stream opens, waits or closes. */
  readonly onState?: (state: MarketStreamState) => void;
  /** Why the stream is closed for good: the service refuses it. */
  readonly onError?: (error: ApiError) => void;
  /** Go on after this event, such as `lastEventId` of a stream that was closed while nobody looked. */
  readonly lastEventId?: string | undefined;
  /** Another fetch than the platform's; the stream is then read by it, also in browsers. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** An open stream. */
export interface MarketStream {
  /** The last event, or where the stream began. Undefined before the first answer. */
  readonly lastEventId: string | undefined;
  /** Closes it for good. */
  close(): void;
}

/** Where the events of some topics are. */
export function streamUrl({ baseUrl, topics }: MarketStreamOptions, lastEventId: string | undefined): string {
  const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
  if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
  return `${baseUrl.replace(/\/+$/, '')}/v1/market/stream?${query.toString()}`;
}
