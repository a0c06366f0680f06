// One EventSource for the page. Events that arrive between two frames are handed over together: a burst costs one render.
import { useEffect, useRef, useState } from 'react';
import type { MarketEvent } from './types.js';

const TYPES = [
  'token',
  'trade',
  'update',
  'graduated',
  'migrated',
  'metadata',
  'dropped',
  'reset',
] as const satisfies readonly MarketEvent['type'][];

/** While a hidden tab draws no frames, so many events wait at most. */
const MOST_WAITING = 5_000;

export interface StreamHandlers {
  readonly onEvents: (events: readonly MarketEvent[]) => void;
  /** Events may have been missed: read again. */
  readonly onMissed: () => void;
  readonly onState: (open: boolean) => void;
}

/**
 * A hidden page holds no connection: over HTTP/1.1 a browser has six for all tabs of a host. A page that is shown again
 * has missed events.
 *
 * @returns a function that ends it
 */
export function openStream(topics: readonly string[], handlers: StreamHandlers): () => void {
  const query = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join('&');
  let source: EventSource | undefined;
  let waiting: MarketEvent[] = [];
  let frame = 0;
  let hasBeenOpen = false;

  const flush = () => {
    frame = 0;
    const events = waiting;
    waiting = [];
    if (events.some(({ type }) => type === 'reset')) handlers.onMissed();
    handlers.onEvents(events);
  };
  const receive = (event: MarketEvent) => {
    if (waiting.length < MOST_WAITING) waiting.push(event);
    if (frame === 0) frame = requestAnimationFrame(flush);
  };
  const open = () => {
    source = new EventSource(`/v1/market/stream?${query}`);
    const isAgain = hasBeenOpen;
    let isFirst = true;
    source.onopen = () => {
      hasBeenOpen = true;
      handlers.onState(true);
      // The browser resumes the same EventSource by its last id. A new one has no last id.
      if (isAgain && isFirst) handlers.onMissed();
      isFirst = false;
    };
    source.onerror = () => {
      handlers.onState(false);
      // After an answer that is not a stream, the browser gives up.
      if (source?.readyState === EventSource.CLOSED) retryLater();
    };
    for (const type of TYPES) {
      source.addEventListener(type, (event: MessageEvent<string>) =>
        receive({ type, data: JSON.parse(event.data) as unknown } as MarketEvent),
      );
    }
  };
  let retry: ReturnType<typeof setTimeout> | undefined;
  const retryLater = () => {
    source = undefined;
    clearTimeout(retry);
    retry = setTimeout(look, 2_000 + Math.random() * 3_000);
  };
  const look = () => {
    if (document.visibilityState === 'hidden') {
      source?.close();
      source = undefined;
    } else if (source === undefined) open();
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(retry);
    cancelAnimationFrame(frame);
    source?.close();
  };
}

/** The stream of some topics while a component is shown. @returns whether it is open; undefined before the first answer */
export function useStream(
  topics: readonly string[],
  handlers: Omit<StreamHandlers, 'onState'>,
): boolean | undefined {
  const [open, setOpen] = useState<boolean>();
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const key = topics.join(' ');
  useEffect(
    () =>
      openStream(key.split(' '), {
        onEvents: (events) => latest.current.onEvents(events),
        onMissed: () => latest.current.onMissed(),
        onState: setOpen,
      }),
    [key],
  );
  return open;
}
