// One token: its details and newest trades, updated by the stream.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isJustLaunched } from '../launch/just-launched.js';
import { market } from '../market/api.js';
import { first } from '../market/first.js';
import { useStream } from '../market/stream.js';
import type { MarketEvent, Page, TokenDetail, TokenUpdate, Trade } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { TokenFeed } from './token-feed.js';

const PAGE = 50;
const MOST_KEPT = 500;
/** Poll interval while the stream is closed. */
const POLL_MS = 4_000;

/** The trades last shown. A user who comes back to the token finds as many. */
let left: { readonly mint: string; readonly list: Page<Trade>; readonly at: number } | undefined;
const KEPT_MS = 5 * 60_000;
const leftTrades = (mint: string) =>
  left?.mint === mint && Date.now() - left.at < KEPT_MS ? left.list : undefined;

export function useToken(mint: string) {
  const opened = first.token?.mint === mint ? first.token : undefined;
  const token = useLoad(
    mint,
    // The browser's cache can be older than the data in the document.
    (options) => market.token(mint, { ...options, fresh: options.fresh || opened !== undefined }),
    opened,
  );
  const trades = useLoad(
    mint,
    async (options) =>
      withOlder(await market.tokenTrades(mint, { limit: PAGE, ...options }), leftTrades(mint)),
    leftTrades(mint),
  );
  useEffect(() => {
    if (trades.data !== undefined) left = { mint, list: trades.data, at: Date.now() };
  }, [mint, trades.data]);
  const feed = useMemo(() => new TokenFeed(), [mint]);
  const [graduatedNow, setGraduatedNow] = useState(false);

  const reload = useCallback(() => {
    token.reload();
    trades.reload();
    feed.missed();
  }, [token.reload, trades.reload, feed]);

  const stream = useStream([`token:${mint}`], {
    pollMs: POLL_MS,
    onMissed: reload,
    onEvents: (events) => {
      const happened = events.filter((event) => (event.data as { mint?: string } | null)?.mint === mint);
      const news = happened.flatMap((event) => (event.type === 'trade' ? [event.data] : []));
      if (news.length > 0) {
        feed.trades(news);
        trades.setData((page) => page && withTrades(page, news));
      }
      token.setData((before) => before && withEvents(before, happened));
      if (happened.some(({ type }) => type === 'graduated')) setGraduatedNow(true);
      // Events do not contain all details, such as the pool's address and the description.
      if (happened.some(({ type }) => type === 'migrated' || type === 'metadata')) token.reload();
      if (happened.some(({ type }) => type === 'dropped')) reload();
    },
  });

  useEffect(() => {
    // A new token's picture is read within a second or two, and told perhaps before the stream begins.
    const timer = isJustLaunched(mint) ? setTimeout(token.reload, POLL_MS) : undefined;
    return () => clearTimeout(timer);
  }, [mint, token.reload]);

  useEffect(
    () => () => {
      // The data in the document is outdated when the user comes back.
      first.token = undefined;
    },
    [],
  );

  const cursor = trades.data?.next ?? null;
  const more = async () => {
    if (cursor === null) return;
    const page = await market.tokenTrades(mint, { limit: PAGE, cursor });
    trades.setData((before) => before && { items: [...before.items, ...page.items], next: page.next });
  };
  const own = useOwnTrades(mint, stream.slot, trades.data);
  return {
    token: { ...token, data: token.data && own.pending.reduce(withTrade, token.data) },
    trades: { ...trades, data: trades.data && withPending(trades.data, own.pending) },
    ...{ feed, graduatedNow, reload, more, pending: own.pending, onTraded: own.add },
    liveness: token.data && (own.isLate && stream.liveness === 'live' ? 'late' : stream.liveness),
  };
}

/** The index usually has a trade within a second. */
const LATE_MS = 4_000;

/**
 * Trades of the page's own wallet that the index does not have yet. Quotes count them, because the next trade comes after them.
 *
 * @param slot the index has everything up to it
 */
function useOwnTrades(mint: string, slot: number, listed: Page<Trade> | undefined) {
  const [own, setOwn] = useState<readonly Trade[]>([]);
  const pending = own.filter(
    (trade) =>
      trade.mint === mint &&
      trade.slot > slot &&
      listed?.items.some((one) => one.signature === trade.signature || one.slot > trade.slot) !== true,
  );
  const oldest = pending[0]?.signature;
  const [late, setLate] = useState<string>();
  useEffect(() => {
    if (oldest === undefined) return undefined;
    const timer = setTimeout(() => setLate(oldest), LATE_MS);
    return () => clearTimeout(timer);
  }, [oldest]);
  const add = useCallback((trade: Trade) => setOwn((before) => [...before, trade]), []);
  return { pending, add, isLate: oldest !== undefined && late === oldest };
}

function withPending(page: Page<Trade>, pending: readonly Trade[]): Page<Trade> {
  return pending.length === 0 ? page : { ...page, items: [...[...pending].reverse(), ...page.items] };
}

/** The newest trades, and what was shown of older ones, unless there are others between. */
function withOlder(page: Page<Trade>, before: Page<Trade> | undefined): Page<Trade> {
  // Without a next page there is nothing older: it was dropped.
  if (page.next === null) return page;
  const last = page.items.at(-1)?.id;
  const at = before?.items.findIndex(({ id }) => id === last) ?? -1;
  if (before === undefined || at < 0 || at === before.items.length - 1) return page;
  return { items: [...page.items, ...before.items.slice(at + 1)], next: before.next };
}

function withTrades(page: Page<Trade>, news: readonly Trade[]): Page<Trade> {
  const known = new Set(page.items.map(({ id }) => id));
  const added = news.filter(({ id }) => !known.has(id)).reverse();
  const items = [...added, ...page.items];
  // After dropping old trades, the cursor would skip them, so there is no next page.
  return items.length > MOST_KEPT ? { items: items.slice(0, MOST_KEPT), next: null } : { ...page, items };
}

function withEvents(token: TokenDetail, events: readonly MarketEvent[]): TokenDetail {
  return events.reduce<TokenDetail>((before, event) => {
    if (event.type === 'update') return { ...before, ...event.data };
    return event.type === 'trade' ? withTrade(before, event.data) : before;
  }, token);
}

/** A trade arrives before the update of its token. Apply its reserves at once, unless newer ones are known. */
function withTrade(before: TokenDetail & Partial<TokenUpdate>, trade: Trade): TokenDetail {
  const { virtualSol, virtualToken, graduated, slot } = trade;
  const reserves = slot > (before.aheadSlot ?? -1) ? { virtualSol, virtualToken } : {};
  const closing = graduated ? ({ status: 'graduated', venue: 'graduating' } as const) : {};
  return { ...before, ...reserves, ...closing };
}
