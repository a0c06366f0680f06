import { useEffect, useState } from 'react';
import type { Connection, PublicKey } from '@solana/web3.js';
import { fetchMarket, type Market } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';

/** Where a token trades, read anew after each of its records: undefined until it is known, null when there is no such token. */
export function useMarket(connection: Connection, mint: PublicKey): Market | null | undefined {
  const [market, setMarket] = useState<Market | null>();
  useEffect(() => {
    const feed = openFeed(connection, { mints: [mint], batch: 100, onError: console.warn });
    void (async () => {
      // The event `caughtUp` comes first: by then nothing is missed.
      for await (const event of feed)
        if (event.type !== 'undone') setMarket(await fetchMarket(connection, mint));
    })().catch(console.error);
    return () => feed.close();
  }, [connection, mint]);
  return market;
}
