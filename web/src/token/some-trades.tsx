// Some of a token's trades, or from the oldest on.
import { useEffect } from 'react';
import type { RequestOptions } from '@curvekit/sdk/market';
import { market } from '../market/api.js';
import { pageWithItems } from '../market/page-with-items.js';
import type { TokenSummary, Trade } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { Notice } from '../parts/notice.js';
import { words } from '../words/words.js';
import type { TokenFeed } from './token-feed.js';
import { type Filter, TradeList } from './trades.js';

const PAGE = 200;
/** The reader asks for those that are older: nobody downloads all trades of a token by one press. */
const MOST_PAGES = 5;
const LARGE = 1_000_000_000n;

interface SomeProps {
  readonly token: TokenSummary;
  readonly feed: TokenFeed;
  readonly filter: Filter;
  readonly order: 'newest' | 'oldest';
  readonly wallet: string | undefined;
}

export default function Some({ token, feed, filter, order, wallet }: SomeProps) {
  const { mint, creator } = token;
  const trader = filter === 'mine' ? wallet : filter === 'creator' ? creator : undefined;
  const isListed = (trade: Trade) =>
    filter === 'large' ? BigInt(trade.solAmount) >= LARGE : trader === undefined || trade.trader === trader;
  const read = (from: string | undefined, options: RequestOptions = {}) =>
    pageWithItems(
      async (cursor) => {
        const page = await market.tokenTrades(mint, { order, trader, limit: PAGE, cursor, ...options });
        return { ...page, items: page.items.filter(isListed) };
      },
      from,
      MOST_PAGES,
    );
  const trades = useLoad('some', (options) => read(undefined, options));
  const { setData, reload } = trades;
  useEffect(
    () =>
      feed.subscribe({
        onTrades: (news) => {
          const added = news.filter(isListed).reverse();
          if (order === 'newest' && added.length > 0)
            setData((before) => before && { ...before, items: [...added, ...before.items] });
        },
        onMissed: reload,
      }),
    // The key of this component has all others.
    [feed],
  );
  const more = async () => {
    const next = trades.data?.next ?? undefined;
    if (next === undefined) return;
    const page = await read(next);
    setData((before) => before && { items: [...before.items, ...page.items], next: page.next });
  };
  if (trades.data?.items.length === 0 && trades.data.next === null)
    return <Notice title={words.tokenPage.noSuchTrades} />;
  return <TradeList {...{ token, trades, wallet }} onMore={more} />;
}
