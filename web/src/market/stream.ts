// The SDK's stream for components. It is closed while the page is hidden, and delivers its events once per frame.
import {
  openMarketStream,
  type MarketEvent,
  type MarketStream,
  type MarketTopic,
} from '@curvekit/sdk/market';
import { useEffect, useRef, useState } from 'react';

export interface StreamHandlers {
  readonly onEvents: (events: readonly MarketEvent[]) => void;
  /** Called when events were missed, so the data must be loaded again. */
  readonly onMissed: () => void;
  readonly onState: (open: boolean) => void;
}

/**
 * A hidden page keeps no connection, because over HTTP/1.1 a browser has only six for all tabs of a host. When shown
 * again, the stream continues after its last event.
 *
 * @returns a function that closes the stream
 */
export function followStream(topics: readonly MarketTopic[], handlers: StreamHandlers): () => void {
  let stream: MarketStream | undefined;
  let lastEventId: string | undefined;
  let waiting: MarketEvent[] = [];
  let frame = 0;
  const flush = () => {
    frame = 0;
    const events = waiting;
    waiting = [];
    if (events.some(({ type }) => type === 'reset')) handlers.onMissed();
    handlers.onEvents(events);
  };
  const close = () => {
    lastEventId = stream?.lastEventId ?? lastEventId;
    stream?.close();
    stream = undefined;
  };
  const look = () => {
    if (document.visibilityState === 'hidden') close();
    else
      stream ??= openMarketStream({
        baseUrl: '',
        topics,
        lastEventId,
        onEvent: (event) => {
          waiting.push(event);
          if (frame === 0) frame = requestAnimationFrame(flush);
        },
        onState: (state) => {
          if (state !== 'closed') handlers.onState(state === 'open');
        },
      });
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    cancelAnimationFrame(frame);
    close();
  };
}

/**
 * A stream of topics while a component is mounted. While the stream is closed and the page visible, `onMissed` runs every
 * `pollMs` milliseconds.
 *
 * @returns whether the stream is open; undefined before the first answer
 */
export function useStream(
  topics: readonly MarketTopic[],
  { pollMs, ...handlers }: Omit<StreamHandlers, 'onState'> & { readonly pollMs: number },
): boolean | undefined {
  const [open, setOpen] = useState<boolean>();
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const key = topics.join(' ');
  useEffect(
    () =>
      followStream(key.split(' ') as MarketTopic[], {
        onEvents: (events) => latest.current.onEvents(events),
        onMissed: () => latest.current.onMissed(),
        onState: setOpen,
      }),
    [key],
  );
  useEffect(() => {
    if (open !== false) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current.onMissed();
    }, pollMs);
    return () => clearInterval(timer);
  }, [open, pollMs]);
  return open;
}
