// The market for quotes: the curve or the pool, from the latest event of the stream.
import { useEffect, useMemo, useState } from 'react';
import type { PoolState } from '../chain/types.js';
import { useConfig } from '../config.js';
import type { TokenDetail } from '../market/types.js';
import type { QuotedMarket } from './quote.js';
import { loaded } from '../load.js';

/**
 * @param isWanted whether the pool's fees are needed now. Reading them loads Kit, which is not needed just to view
 *   the page
 * @returns undefined while the token does not trade, or its pool is not loaded yet
 */
export function useMarket(token: TokenDetail, isWanted: boolean): QuotedMarket | undefined {
  const config = useConfig();
  const { mint, venue, virtualSol, virtualToken } = token;
  const [pool, setPool] = useState<PoolState>();
  const isNeeded = isWanted && venue === 'pool';
  useEffect(() => {
    if (!isNeeded) return undefined;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout>;
    const read = async () => {
      try {
        const { readPool } = await loaded(() => import('../chain/trade.js'));
        const found = await readPool(config, mint);
        if (stopped) return;
        if (found !== undefined) return setPool(found);
      } catch (error) {
        console.warn('the pool cannot be read', error);
      }
      if (!stopped) timer = setTimeout(() => void read(), 1_500);
    };
    void read();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [isNeeded, config, mint]);
  return useMemo(() => {
    const [sol, held] = [BigInt(virtualSol), BigInt(virtualToken)];
    if (venue === 'pool') return pool && { venue, pool: { ...pool, sol, token: held } };
    if (venue !== 'curve') return undefined;
    return { venue, virtualSol: sol, virtualToken: held, platformFeeBps: config.platformFeeBps };
  }, [venue, virtualSol, virtualToken, pool, config]);
}
