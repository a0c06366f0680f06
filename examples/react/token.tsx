import { useState } from 'react';
import type { Connection, PublicKey } from '@solana/web3.js';
import { formatPrice, formatTokens, parseSol, priceOf } from '@curvekit/sdk';
import { trade, type TraderWallet } from '@curvekit/sdk/trade';
import { useMarket } from './use-market.js';

interface TokenProps {
  readonly connection: Connection;
  readonly mint: PublicKey;
  readonly wallet: TraderWallet;
}

/** A token's price, live, and a button that buys it. */
export function Token({ connection, mint, wallet }: TokenProps) {
  const market = useMarket(connection, mint);
  const [said, say] = useState('');
  if (market === undefined) return <p>Reading …</p>;
  if (market === null) return <p>There is no such token.</p>;

  const buy = async () => {
    say('Buying …');
    const { tokenAmount } = await trade(connection, { wallet, mint, solToSpend: parseSol('0.1') });
    say(`Bought ${formatTokens(tokenAmount)} tokens.`);
  };
  return (
    <main>
      <p>
        {market.venue === 'curve' ? `${formatPrice(priceOf(market.curve))} SOL for one token` : market.venue}
      </p>
      <button onClick={() => void buy().catch((error: Error) => say(error.message))}>Buy for 0.1 SOL</button>
      <p role="status">{said}</p>
    </main>
  );
}
