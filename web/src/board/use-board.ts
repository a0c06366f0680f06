// The board's tokens: a page of the API, updated by the stream. Updates do not change the order of the rows.
import { useCallback, useEffect, useRef, useState } from 'react';
import { market } from '../market/api.js';
import { first } from '../market/first.js';
import { pageWithItems } from '../market/page-with-items.js';
import { useStream } from '../market/stream.js';
import type { RequestOptions, TokenListOptions } from '@curvekit/sdk/market';
import type { MarketEvent, Page, TokenSummary } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { useWatched } from '../watch.js';

export const TABS = ['new', 'filling', 'trending', 'top', 'active', 'graduated', 'watched'] as const;
export type Tab = (typeof TABS)[number];

const QUERIES: Readonly<Record<Exclude<Tab, 'watched'>, TokenListOptions>> = {
  new: { sort: 'new' },
  filling: { sort: 'progress', status: 'trading' },
  trending: { sort: 'volume24h' },
  top: { sort: 'marketCap' },
  active: { sort: 'lastTrade' },
  graduated: { sort: 'lastTrade', status: 'migrated' },
};
const NONE: Page<TokenSummary> = { items: [], next: null };
const PAGE = 50;
const SOON = 3;
/** Poll interval while the stream is closed. */
const POLL_MS = 8_000;

/** The rows last shown of each tab. A user who comes back to the board, or to the tab, finds as many. */
const left = new Map<string, { readonly list: Page<TokenSummary>; readonly at: number }>();
const KEPT_MS = 5 * 60_000;
function leftBoard(key: string): Page<TokenSummary> | undefined {
  const found = left.get(key);
  return found !== undefined && Date.now() - found.at < KEPT_MS ? found.list : undefined;
}

/** Filters by what the address says: `vol` in SOL, `age` in seconds, `sold`. A value that the service refuses is left out. */
export const FILTERS = ['vol', 'age', 'sold'] as const;
export function filtersOf(query: URLSearchParams): TokenListOptions {
  const number = (name: (typeof FILTERS)[number]) => /^[1-9]\d{0,8}$/.exec(query.get(name) ?? '')?.[0];
  const [vol, age] = [number('vol'), number('age')];
  return {
    minVolume24h: vol && `${vol}000000000`,
    maxAge: age === undefined ? undefined : Number(age),
    creatorSold: query.get('sold') === 'none' ? 'none' : undefined,
  };
}

export type Board = ReturnType<typeof useBoard>;

export function useBoard(tab: Tab, q: string, filters: TokenListOptions) {
  const watched = useWatched();
  const key = `${tab} ${q} ${JSON.stringify(filters)}`;
  const load = async (options: RequestOptions, from?: string): Promise<Page<TokenSummary>> => {
    if (tab === 'watched') return watched.length === 0 ? NONE : market.tokens({ mints: watched, ...options });
    return pageWithItems(
      (cursor) =>
        market.tokens({
          ...QUERIES[tab],
          ...filters,
          q: q === '' ? undefined : q,
          limit: PAGE,
          cursor,
          ...options,
        }),
      from,
    );
  };
  /** The tab whose rows are those of a visit before. A reload shows the first page alone. */
  const restored = useRef<string>(undefined);
  const list = useLoad(
    key,
    async (options) => {
      const earlier = restored.current === key ? undefined : leftBoard(key);
      const page = await load(options);
      restored.current = key;
      if (earlier === undefined) return page;
      return { items: [...page.items, ...unseen(earlier, page)], next: earlier.next };
    },
    leftBoard(key),
  );
  useEffect(() => {
    if (list.data === undefined) return;
    left.delete(key);
    left.set(key, { list: list.data, at: Date.now() });
    for (const old of [...left.keys()].slice(0, -TABS.length)) left.delete(old);
  }, [key, list.data]);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const [loadingMore, setLoadingMore] = useState(false);

  const reload = useCallback(() => {
    setFresh(new Set());
    list.reload();
  }, [list.reload]);

  const { liveness } = useStream(['board'], {
    pollMs: POLL_MS,
    onMissed: reload,
    onEvents: (events) => {
      const launched = events.flatMap((event) => (event.type === 'token' ? [event.data.mint] : []));
      if (launched.length > 0) setFresh((before) => new Set([...before, ...launched]));
      list.setData((page) => page && applyEvents(page, events));
    },
  });

  const next = list.data?.next ?? null;
  const more = async () => {
    if (next === null || loadingMore) return;
    setLoadingMore(true);
    try {
      const page = await load({}, next);
      list.setData(
        (before) => before && { items: [...before.items, ...unseen(page, before)], next: page.next },
      );
    } catch {
      list.reload();
    } finally {
      setLoadingMore(false);
    }
  };
  return {
    list,
    liveness: list.data && liveness,
    fresh: unlisted(fresh, list.data),
    reload,
    more,
    loadingMore,
  };
}

/** The tokens closest to graduation. */
export function useSoon(): readonly TokenSummary[] {
  const soon = useLoad(
    'soon',
    (options) => market.tokens({ ...QUERIES.filling, limit: SOON, ...options }),
    first.soon,
  );
  useStream(['board'], {
    pollMs: POLL_MS,
    onMissed: soon.reload,
    onEvents: (events) => {
      soon.setData((page) => page && applyEvents(page, events));
      // Other tokens may be the closest now.
      if (events.some(({ type }) => type === 'graduated' || type === 'dropped')) soon.reload();
    },
  });
  return soon.data?.items ?? [];
}

function unseen(page: Page<TokenSummary>, before: Page<TokenSummary>): readonly TokenSummary[] {
  const known = new Set(before.items.map(({ mint }) => mint));
  return page.items.filter(({ mint }) => !known.has(mint));
}

function unlisted(fresh: ReadonlySet<string>, page: Page<TokenSummary> | undefined): number {
  const known = new Set(page?.items.map(({ mint }) => mint));
  return [...fresh].filter((mint) => !known.has(mint)).length;
}

function applyEvents(page: Page<TokenSummary>, events: readonly MarketEvent[]): Page<TokenSummary> {
  const changes = new Map<string, Partial<TokenSummary>>();
  for (const event of events) {
    if (event.type !== 'update' && event.type !== 'metadata') continue;
    changes.set(event.data.mint, { ...changes.get(event.data.mint), ...event.data });
  }
  if (!page.items.some(({ mint }) => changes.has(mint))) return page;
  const items = page.items.map((token) => {
    const change = changes.get(token.mint);
    return change === undefined ? token : { ...token, ...change };
  });
  return { ...page, items };
}
