// One token: its details and newest trades, kept up to date by the stream.
import { useCallback, useEffect, useState } from 'react';
import { market } from '../market/api.js';
import { useStream } from '../market/stream.js';
import type { MarketEvent, Page, TokenDetail, Trade } from '../market/types.js';
import { useLoad } from '../market/use-load.js';

const PAGE = 50;
const MOST_KEPT = 500;
/** How often the page asks while it hears nothing. */
const POLL_MS = 4_000;

export function useToken(mint: string) {
  const token = useLoad(mint, (options) => market.token(mint, options));
  const trades = useLoad(mint, (options) => market.tokenTrades(mint, { limit: PAGE, ...options }));
  /** Trades since the page was opened, as they came: for the chart. */
  const [fresh, setFresh] = useState<readonly Trade[]>([]);
  /** Grows when what was shown may be wrong: the chart reads again. */
  const [version, setVersion] = useState(0);
  const [graduatedNow, setGraduatedNow] = useState(false);

  const reload = useCallback(() => {
    token.reload();
    trades.reload();
    setVersion((before) => before + 1);
  }, [token.reload, trades.reload]);

  const open = useStream([`token:${mint}`], {
    onMissed: reload,
    onEvents: (events) => {
      const happened = events.filter((event) => (event.data as { mint?: string } | null)?.mint === mint);
      const news = happened.flatMap((event) => (event.type === 'trade' ? [event.data] : []));
      if (news.length > 0) {
        setFresh(news);
        trades.setData((page) => page && withTrades(page, news));
      }
      token.setData((before) => before && withEvents(before, happened));
      if (happened.some(({ type }) => type === 'graduated')) setGraduatedNow(true);
      // Details that events do not carry: the pool's address, the community's words.
      if (happened.some(({ type }) => type === 'migrated' || type === 'metadata')) token.reload();
      if (happened.some(({ type }) => type === 'dropped')) reload();
    },
  });

  useEffect(() => {
    if (open !== false) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [open, reload]);

  const cursor = trades.data?.next ?? null;
  const more = async () => {
    if (cursor === null) return;
    const page = await market.tokenTrades(mint, { limit: PAGE, cursor });
    trades.setData((before) => before && { items: [...before.items, ...page.items], next: page.next });
  };
  return { token, trades, fresh, version, open, graduatedNow, reload, more };
}

function withTrades(page: Page<Trade>, news: readonly Trade[]): Page<Trade> {
  const known = new Set(page.items.map(({ id }) => id));
  const added = news.filter(({ id }) => !known.has(id)).reverse();
  return { ...page, items: [...added, ...page.items].slice(0, MOST_KEPT) };
}

function withEvents(token: TokenDetail, events: readonly MarketEvent[]): TokenDetail {
  return events.reduce<TokenDetail>((before, event) => {
    if (event.type === 'update') return { ...before, ...event.data };
    // A trade comes before the update of its token: the curve moves with it at once.
    if (event.type !== 'trade') return before;
    const { virtualSol, virtualToken, graduated } = event.data;
    const closing = graduated ? ({ status: 'graduated', venue: 'graduating' } as const) : {};
    return { ...before, virtualSol, virtualToken, ...closing };
  }, token);
}
