// A token's largest holders, loaded again after trades.
import { useEffect, useRef } from 'react';
import { market } from '../market/api.js';
import type { TokenSummary } from '../market/types.js';
import { useLoad } from '../market/use-load.js';

export const MOST_HOLDERS = 50;
/** The service reads them from the node at most this often. */
const EVERY_MS = 30_000;

/** Nobody holds what the curve and the pool sell. */
export const isPerson = ({ is }: { readonly is: string | null }) => is !== 'curve' && is !== 'pool';

export function useHolders({ mint, trades }: Pick<TokenSummary, 'mint' | 'trades'>) {
  const load = useLoad(mint, (options) => market.holders(mint, { limit: MOST_HOLDERS, ...options }));
  const { reload } = load;
  const loadedAt = useRef({ mint, trades });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const { current } = loadedAt;
    if (current.mint === mint && (current.trades === trades || timer.current !== undefined)) return;
    if (current.mint !== mint) loadedAt.current = { mint, trades };
    else
      timer.current = setTimeout(() => {
        timer.current = undefined;
        reload();
      }, EVERY_MS);
    loadedAt.current = { mint, trades };
  }, [mint, trades, reload]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return load;
}
