import type { OptionNames } from '../../checks/options.js';
import type { ApiError } from '../errors.js';
import type { MarketEvent } from './events.js';

/** `waiting`: disconnected, will reconnect by itself. `closed`: closed permanently. */
export type MarketStreamState = 'open' | 'waiting' | 'closed';

/** `board`: all tokens, with their changes every 250 ms. One token or one wallet: each event immediately. */
export type MarketTopic = 'board' | `token:${string}` | `wallet:${string}`;

/** How far the service's index is. Null when the service does not know. */
export interface IndexProgress {
  /** Everything up to this slot is in the index. */
  readonly slot: number | null;
  /** Milliseconds by which the index is behind the cluster's finalized blocks. */
  readonly ageMs: number | null;
}

/** Topics and callbacks of a stream. */
export interface MarketStreamOptions {
  /** URL of the service: `https://api.example.com`. Relative in browsers: '' for the page's origin. */
  readonly baseUrl: string;
  /** From 1 to 10 topics. */
  readonly topics: readonly MarketTopic[];
  /** Called for each event, in order. */
  readonly onEvent: (event: MarketEvent) => void;
  /** Called when the stream opens, waits or closes. */
  readonly onState?: (state: MarketStreamState) => void;
  /** Called with how far the service's index is: when the stream opens, and every 15 s. */
  readonly onIndex?: (progress: IndexProgress) => void;
  /** Called when the stream closes permanently because the service refuses it. */
  readonly onError?: (error: ApiError) => void;
  /** Resumes after this event, such as the `lastEventId` of a stream that was closed earlier. */
  readonly lastEventId?: string | undefined;
  /** Replaces the platform's fetch. With this option the stream is read by `fetch` also in browsers. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The service sends something every 15 s. A connection that is silent for longer than this is broken. */
export const SILENCE_MS = 25_000;

export const STREAM_OPTIONS = {
  baseUrl: true,
  topics: true,
  onEvent: true,
  onState: true,
  onIndex: true,
  onError: true,
  lastEventId: true,
  fetch: true,
} as const satisfies OptionNames<MarketStreamOptions>;

/** An open stream. */
export interface MarketStream {
  /** Id of the last event, or of the start of the stream. Undefined before the first answer. */
  readonly lastEventId: string | undefined;
  /** Closes the stream permanently. */
  close(): void;
}

/** The URL of the event stream of some topics. */
export function streamUrl({ baseUrl, topics }: MarketStreamOptions, lastEventId: string | undefined): string {
  const query = new URLSearchParams(topics.map((topic) => ['topic', topic]));
  if (lastEventId !== undefined) query.set('lastEventId', lastEventId);
  return `${baseUrl.replace(/\/+$/, '')}/v1/market/stream?${query.toString()}`;
}
