// One connection for all windows of a browser, because over HTTP/1.1 a browser has only six for a host. The visible window
// that holds the lock reads the stream and broadcasts it. When it closes or is hidden, the next visible window takes over.
import {
  openMarketStream,
  type IndexProgress,
  type MarketEvent,
  type MarketStream,
  type MarketTopic,
} from '@curvekit/sdk/market';

export interface Subscriber {
  readonly onEvent: (event: MarketEvent) => void;
  readonly onIndex: (progress: IndexProgress) => void;
  readonly onState: (open: boolean) => void;
}

/** The board has a stream of its own, because the service sends all topics of a stream with the board at its slower pace. */
type Kind = 'board' | 'rest';

interface Want {
  readonly id: string;
  readonly topics: readonly MarketTopic[];
  /** The last event that the window has. Undefined for one that begins now. */
  readonly after: string | undefined;
}

type News =
  | { readonly is: 'event'; readonly kind: Kind; readonly event: MarketEvent }
  | { readonly is: 'index'; readonly kind: Kind; readonly id: string; readonly progress: IndexProgress }
  | { readonly is: 'state'; readonly kind: Kind; readonly open: boolean; readonly topics: readonly string[] };
type Message =
  | News
  | { readonly is: 'want'; readonly want: Want }
  | { readonly is: 'leave'; readonly id: string }
  | { readonly is: 'ask' };

/** With the version of the messages: windows of an earlier build have a stream of their own. */
const NAME = 'curvekit:stream:2';
/** The service's limit for a stream. Windows beyond it poll. */
const MOST_TOPICS = 10;
/** Windows answer a new reader within this time, so that it opens one stream for all. */
const GATHER_MS = 30;
/** News for other windows are sent together, in their order: a message costs as much as its events. */
const SHARE_MS = 100;
/** The service sends something every 15 s. A reader that is silent for longer hangs. */
const SILENCE_MS = 27_000;

const canShare = typeof BroadcastChannel === 'function' && typeof navigator.locks?.request === 'function';
const channel = canShare ? new BroadcastChannel(NAME) : undefined;
const kindOf = ([topic]: readonly MarketTopic[]): Kind => (topic === 'board' ? 'board' : 'rest');
const isAfter = (id: string, other: string | undefined) => other === undefined || BigInt(id) > BigInt(other);

/** Subscriptions of this window. */
const mine = new Map<
  string,
  Subscriber & { readonly topics: readonly MarketTopic[]; last: string | undefined }
>();
let reader: Reader | undefined;
let leaving: (() => void) | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;

/** Reads the stream for all windows. */
class Reader {
  readonly #wants = new Map<string, Want>();
  readonly #streams = new Map<Kind, { stream: MarketStream; topics: string; news: Map<string, News> }>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  take(want: Want): void {
    this.#wants.set(want.id, want);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#open('board');
      this.#open('rest');
    }, GATHER_MS);
  }

  drop(id: string): void {
    this.#wants.delete(id);
    for (const kind of ['board', 'rest'] as const) if (this.#of(kind).length === 0) this.#close(kind);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#close('board');
    this.#close('rest');
  }

  #of(kind: Kind): Want[] {
    return [...this.#wants.values()].filter(({ topics }) => kindOf(topics) === kind);
  }

  #close(kind: Kind): void {
    this.#streams.get(kind)?.stream.close();
    this.#streams.delete(kind);
  }

  #open(kind: Kind): void {
    const wants = this.#of(kind);
    if (wants.length === 0) return;
    const current = this.#streams.get(kind);
    const at = current?.stream.lastEventId;
    const topics = [...new Set(wants.flatMap((want) => want.topics))].sort().slice(0, MOST_TOPICS);
    const isMissing = wants.some(
      ({ after }) => after !== undefined && at !== undefined && isAfter(at, after),
    );
    if (current !== undefined && current.topics === topics.join() && !isMissing) {
      // A window that has just come knows neither the state nor the position.
      for (const news of current.news.values()) share(news);
      return;
    }
    const known = wants.flatMap(({ after }) => (after === undefined ? [] : [after]));
    const oldest = [...known, ...(at === undefined ? [] : [at])].reduce<string | undefined>(
      (least, id) => (least === undefined || isAfter(least, id) ? id : least),
      undefined,
    );
    this.#close(kind);
    // From here on, these windows get what this stream reads.
    for (const { id, topics: own } of wants) this.#wants.set(id, { id, topics: own, after: undefined });
    const news = new Map<string, News>();
    const tell = (one: News) => {
      if (one.is !== 'event') news.set(one.is, one);
      share(one);
    };
    const stream: MarketStream = openMarketStream({
      baseUrl: '',
      topics,
      lastEventId: oldest,
      onEvent: (event) => tell({ is: 'event', kind, event }),
      onIndex: (progress) => tell({ is: 'index', kind, id: stream.lastEventId ?? '0', progress }),
      onState: (state) => {
        if (state !== 'closed') tell({ is: 'state', kind, open: state === 'open', topics });
      },
    });
    this.#streams.set(kind, { stream, topics: topics.join(), news });
  }
}

/** @returns a function that ends the subscription; its result is where to continue */
export function subscribe(
  topics: readonly MarketTopic[],
  subscriber: Subscriber,
  after: string | undefined,
): () => string | undefined {
  const id = `${Date.now().toString(36)}${Math.random()}`;
  const own = { ...subscriber, topics, last: after };
  mine.set(id, own);
  lead();
  send({ is: 'want', want: { id, topics, after } });
  return () => {
    mine.delete(id);
    send({ is: 'leave', id });
    if (mine.size === 0) stopLeading();
    return own.last;
  };
}

/** Waits for its turn to read for all windows. Without locks, each window reads for itself. */
function lead(): void {
  listen();
  if (leaving !== undefined) return;
  const waiting = new AbortController();
  leaving = () => waiting.abort();
  const begin = () => {
    reader = new Reader();
    send({ is: 'ask' });
  };
  if (!canShare) return begin();
  navigator.locks
    .request(NAME, { signal: waiting.signal }, () => {
      if (waiting.signal.aborted) return undefined;
      begin();
      return new Promise<void>((resolve) => (leaving = resolve));
    })
    .catch(() => undefined);
}

function stopLeading(): void {
  clearTimeout(silence);
  reader?.stop();
  reader = undefined;
  leaving?.();
  leaving = undefined;
}

function listen(): void {
  clearTimeout(silence);
  silence = setTimeout(() => {
    for (const { onState } of mine.values()) onState(false);
  }, SILENCE_MS);
}

const unshared: News[] = [];

function share(news: News): void {
  if (channel !== undefined && unshared.push(news) === 1)
    setTimeout(() => channel.postMessage(unshared.splice(0)), SHARE_MS);
  hear(news);
}

function send(message: Message): void {
  channel?.postMessage(message);
  hear(message);
}

channel?.addEventListener('message', ({ data }: MessageEvent<Message | News[]>) =>
  [data].flat().forEach(hear),
);
// A closed window does not run the cleanup of its components.
addEventListener('pagehide', () => {
  for (const id of mine.keys()) send({ is: 'leave', id });
});

function hear(message: Message): void {
  if (message.is === 'want') return reader?.take(message.want);
  if (message.is === 'leave') return reader?.drop(message.id);
  if (message.is === 'ask') {
    for (const [id, { topics, last }] of mine) send({ is: 'want', want: { id, topics, after: last } });
    return;
  }
  if (mine.size > 0) listen();
  for (const own of mine.values()) if (kindOf(own.topics) === message.kind) deliver(own, message);
}

function deliver(
  own: Subscriber & { readonly topics: readonly MarketTopic[]; last: string | undefined },
  news: News,
): void {
  if (news.is === 'state')
    return own.onState(news.open && own.topics.every((topic) => news.topics.includes(topic)));
  const id = news.is === 'event' ? news.event.id : news.id;
  const isNew = isAfter(id, own.last);
  if (isNew) own.last = id;
  if (news.is === 'index') return own.onIndex(news.progress);
  // A stream that continues for a window that was hidden repeats events for the others.
  if (isNew && own.topics.some((topic) => isOf(topic, news.event))) own.onEvent(news.event);
}

function isOf(topic: MarketTopic, { type, data }: MarketEvent): boolean {
  if (type === 'reset' || topic === 'board') return true;
  const [of, address] = topic.split(':');
  const { mint, trader, creator } = data as { mint?: string; trader?: string; creator?: string };
  if (of === 'token') return mint === address;
  return type === 'dropped' || trader === address || creator === address;
}
