// Some of a token's trades, or from the oldest on.
import type { RequestOptions } from '@curvekit/sdk/market';
import { market } from '../market/api.js';
import { pageWithItems } from '../market/page-with-items.js';
import type { TokenSummary, Trade } from '../market/types.js';
import { Notice } from '../parts/notice.js';
import { words } from '../words/words.js';
import { useLiveTrades } from './live-trades.js';
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
  const isAdded = (trade: Trade) => order === 'newest' && isListed(trade);
  const trades = useLiveTrades('some', feed, isAdded, (options) => read(undefined, options));
  const more = async () => {
    const next = trades.data?.next ?? undefined;
    if (next === undefined) return;
    const page = await read(next);
    trades.setData((before) => before && { items: [...before.items, ...page.items], next: page.next });
  };
  if (trades.data?.items.length === 0 && trades.data.next === null)
    return <Notice title={words.tokenPage.noSuchTrades} />;
  return <TradeList {...{ token, trades, wallet }} onMore={more} />;
}
