import { useEffect, useState } from 'react';
import type { PublicKey } from '@solana/web3.js';
import { fetchMarket, type Market } from '@curvekit/sdk';
import { openFeed } from '@curvekit/sdk/feed';
import type { Launchpad } from '@curvekit/sdk/launchpad';

/** A token's market, fetched again after each of its records. Undefined until it is known, null for an unknown token. */
export function useMarket({ connection, deployment }: Launchpad, mint: PublicKey): Market | null | undefined {
  const [market, setMarket] = useState<Market | null>();
  useEffect(() => {
    const feed = openFeed(connection, { deployment, mints: [mint], batch: 100, onError: console.warn });
    void (async () => {
      // The first event is `caughtUp`. From then on no record is missed.
      for await (const event of feed)
        if (event.type !== 'undone') setMarket(await fetchMarket(connection, mint, { deployment }));
    })().catch(console.error);
    return () => feed.close();
  }, [connection, deployment, mint]);
  return market;
}
