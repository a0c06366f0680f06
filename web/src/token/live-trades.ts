// Some trades of a token, with the new ones among them.
import { useEffect } from 'react';
import type { Page, Trade } from '../market/types.js';
import { type Load, type LoadOptions, useLoad } from '../market/use-load.js';
import type { TokenFeed } from './token-feed.js';

/**
 * @param key names what `isAdded` and `read` take. Another key starts another request
 * @param isAdded whether a new trade is put before the others
 */
export function useLiveTrades(
  key: string,
  feed: TokenFeed,
  isAdded: (trade: Trade) => boolean,
  read: (options: LoadOptions) => Promise<Page<Trade>>,
): Load<Page<Trade>> {
  const load = useLoad(key, read);
  const { setData, reload } = load;
  useEffect(
    () =>
      feed.subscribe({
        onTrades: (news) => {
          const added = news.filter(isAdded).reverse();
          if (added.length > 0)
            setData((before) => before && { ...before, items: [...added, ...before.items] });
        },
        onMissed: reload,
      }),
    [feed, key],
  );
  return load;
}
