import { useEffect, useState } from 'react';
import type { Connection, PublicKey } from '@solana/web3.js';
import { fetchMarket, type Market } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';

/** A token's market, fetched again after each of its records. Undefined until it is known, null for an unknown token. */
export function useMarket(connection: Connection, mint: PublicKey): Market | null | undefined {
  const [market, setMarket] = useState<Market | null>();
  useEffect(() => {
    const feed = openFeed(connection, { mints: [mint], batch: 100, onError: console.warn });
    void (async () => {
      // The first event is `caughtUp`. From then on no record is missed.
      for await (const event of feed)
        if (event.type !== 'undone') setMarket(await fetchMarket(connection, mint));
    })().catch(console.error);
    return () => feed.close();
  }, [connection, mint]);
  return market;
}
