// The market's stream for components. It is closed while the page is hidden, and delivers its events with a frame.
import type { IndexProgress, MarketEvent, MarketTopic } from '@curvekit/sdk/market';
import { useEffect, useRef, useState } from 'react';
import { subscribe } from './shared-stream.js';

export interface StreamHandlers {
  readonly onEvents: (events: readonly MarketEvent[]) => void;
  /** Called when events were missed, so the data must be loaded again. */
  readonly onMissed: () => void;
  readonly onState: (open: boolean) => void;
  readonly onIndex: (progress: IndexProgress) => void;
}

/** Whether data is current: `late` while the service's index is behind the chain, `away` without a connection. */
export type Liveness = 'live' | 'late' | 'away';

/** Above this, the index is behind. It is usually behind by a second or two. */
const LATE_MS = 5_000;

/** Of the index, as the stream told last. */
let ageMs = 0;

/** Whole seconds by which the index is behind the chain; 0 when it is not late. */
export const secondsBehind = () => (ageMs > LATE_MS ? Math.round(ageMs / 1_000) : 0);

/** From frame to frame with events. The first event of a quiet time does not wait, and nobody reads more of a busy one. */
const PAUSE_MS = 200;

/**
 * A hidden page keeps no connection. When shown again, the stream continues after its last event.
 *
 * @returns a function that closes the stream
 */
export function followStream(topics: readonly MarketTopic[], handlers: StreamHandlers): () => void {
  let end: (() => string | undefined) | undefined;
  let last: string | undefined;
  let waiting: MarketEvent[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushedAt = -Infinity;
  let isOffline = false;
  const flush = () => {
    timer = undefined;
    flushedAt = performance.now();
    const events = waiting;
    waiting = [];
    if (events.some(({ type }) => type === 'reset')) handlers.onMissed();
    handlers.onEvents(events);
  };
  const heard = () => {
    if (isOffline) handlers.onState(true);
    isOffline = false;
  };
  const close = () => {
    last = end?.() ?? last;
    end = undefined;
  };
  const look = () => {
    if (document.visibilityState === 'hidden') return close();
    end ??= subscribe(
      topics,
      {
        onEvent: (event) => {
          heard();
          waiting.push(event);
          timer ??= setTimeout(
            () => (frame = requestAnimationFrame(flush)),
            flushedAt + PAUSE_MS - performance.now(),
          );
        },
        onIndex: (progress) => {
          heard();
          ageMs = progress.ageMs ?? 0;
          handlers.onIndex(progress);
        },
        onState: (open) => handlers.onState(open),
      },
      last,
    );
  };
  // The browser knows at once. The connection would time out after 25 s.
  const offline = () => {
    isOffline = true;
    handlers.onState(false);
  };
  look();
  document.addEventListener('visibilitychange', look);
  addEventListener('offline', offline);
  return () => {
    document.removeEventListener('visibilitychange', look);
    removeEventListener('offline', offline);
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    close();
  };
}

/**
 * A stream of topics while a component is mounted. While the stream is closed and the page visible, `onMissed` runs every
 * `pollMs` milliseconds.
 *
 * @returns whether the data is current, undefined before the first answer; and the slot up to which the index has everything
 */
export function useStream(
  topics: readonly MarketTopic[],
  { pollMs, ...handlers }: Pick<StreamHandlers, 'onEvents' | 'onMissed'> & { readonly pollMs: number },
): { readonly liveness: Liveness | undefined; readonly slot: number } {
  const [open, setOpen] = useState<boolean>();
  const [index, setIndex] = useState<IndexProgress>();
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
        onIndex: setIndex,
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
  const isLate = (index?.ageMs ?? 0) > LATE_MS;
  const liveness = open === undefined ? undefined : !open ? 'away' : isLate ? 'late' : 'live';
  return { liveness, slot: index?.slot ?? 0 };
}
