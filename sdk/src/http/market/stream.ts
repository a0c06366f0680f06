// Live market events over Server-Sent Events. The stream reconnects by itself and resumes after the last event.
import { requireKnown } from '../../checks/options.js';
import { InvalidArgumentError } from '../../errors/index.js';
import { EVENT_TYPES, POSITION, readEvent, readProgress } from './events.js';
import { readStream } from './stream-fetch.js';
import {
  SILENCE_MS,
  STREAM_OPTIONS,
  streamUrl,
  type MarketStream,
  type MarketStreamOptions,
} from './stream-options.js';

export type * from './stream-options.js';

/** The used part of a browser's EventSource. */
interface Source {
  readonly readyState: number;
  onopen: (() => void) | null;
  onerror: (() => void) | null;
  addEventListener(type: string, listener: (event: SourceEvent) => void): void;
  close(): void;
}
interface SourceEvent {
  readonly data: string;
  readonly lastEventId: string;
}

const CLOSED = 2;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

/**
 * Opens a stream of market events. No event is lost or duplicated while the service still keeps the missed events (an
 * hour, 1,000 events). After that the stream delivers `reset`. Browsers use their EventSource, other platforms `fetch`.
 *
 * @throws InvalidArgumentError for no topic or more than 10
 */
export function openMarketStream(options: MarketStreamOptions): MarketStream {
  requireKnown('options', options, STREAM_OPTIONS);
  const { topics, fetch } = options;
  if (!Array.isArray(topics)) throw new InvalidArgumentError('topics', 'must be a list of topics');
  if (topics.length === 0 || topics.length > 10)
    throw new InvalidArgumentError('topics', `has ${topics.length} of them; 1 to 10 are possible`);
  const { EventSource } = globalThis as { EventSource?: new (url: string) => Source };
  return EventSource === undefined || fetch !== undefined
    ? readStream(options)
    : ofBrowser(EventSource, options);
}

function ofBrowser(EventSource: new (url: string) => Source, options: MarketStreamOptions): MarketStream {
  const { onEvent, onIndex, onState } = options;
  let lastEventId = options.lastEventId;
  let source: Source | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let retryMs = FIRST_RETRY_MS;

  /** A browser keeps a connection whose other end has frozen. */
  function heard(): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      source?.close();
      clearTimeout(timer);
      onState?.('waiting');
      open();
    }, SILENCE_MS);
  }
  function open(): void {
    source = new EventSource(streamUrl(options, lastEventId));
    heard();
    source.onopen = () => {
      heard();
      retryMs = FIRST_RETRY_MS;
      onState?.('open');
    };
    source.onerror = () => {
      onState?.('waiting');
      // The browser stops reconnecting after an answer that is not an event stream.
      if (source?.readyState !== CLOSED) return;
      timer = setTimeout(open, retryMs * (0.5 + Math.random()));
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    };
    for (const type of [POSITION, ...EVENT_TYPES]) {
      source.addEventListener(type, (event) => {
        heard();
        lastEventId = event.lastEventId;
        const progress = type === POSITION ? readProgress(event.data) : undefined;
        if (progress !== undefined) onIndex?.(progress);
        const read = readEvent(type, event.lastEventId, event.data);
        if (read !== undefined) onEvent(read);
      });
    }
  }
  open();
  return {
    get lastEventId() {
      return lastEventId;
    },
    close: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      source?.close();
      onState?.('closed');
    },
  };
}
