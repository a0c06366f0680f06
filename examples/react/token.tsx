import { useState } from 'react';
import type { PublicKey } from '@solana/web3.js';
import { formatPrice, formatSol, formatTokens, parseSol, priceOf } from '@curvekit/sdk';
import type { Launchpad } from '@curvekit/sdk/launchpad';
import { trade, type TraderWallet } from '@curvekit/sdk/trade';
import { useMarket } from './use-market.js';

interface TokenProps {
  readonly launchpad: Launchpad;
  readonly mint: PublicKey;
  /** Undefined when the browser has no Solana wallet. */
  readonly wallet: TraderWallet | undefined;
}

/** A token's live price, and buttons to buy and sell it. */
export function Token({ launchpad, mint, wallet }: TokenProps) {
  const { connection, deployment } = launchpad;
  const market = useMarket(launchpad, mint);
  const [said, say] = useState('');
  if (market === undefined) return <p>Reading …</p>;
  if (market === null) return <p>There is no such token.</p>;

  const price = (
    <p>
      {market.venue === 'curve' ? `${formatPrice(priceOf(market.curve))} SOL for one token` : market.venue}
    </p>
  );
  if (wallet === undefined)
    return (
      <main>
        {price}
        <p role="status">To trade, open this page in a browser with a Solana wallet.</p>
      </main>
    );
  const order = { deployment, wallet, mint };
  const buy = async () => {
    say('Buying …');
    const { tokenAmount } = await trade(connection, { ...order, solToSpend: parseSol('0.1') });
    say(`Bought ${formatTokens(tokenAmount)} tokens.`);
  };
  const sell = async () => {
    say('Selling …');
    const { solAmount } = await trade(connection, { ...order, tokenToSpend: 'all' });
    say(`Sold for ${formatSol(solAmount)} SOL.`);
  };
  const told = (work: () => Promise<void>) => () => void work().catch((error: Error) => say(error.message));
  return (
    <main>
      {price}
      <button onClick={told(buy)}>Buy for 0.1 SOL</button>
      <button onClick={told(sell)}>Sell all</button>
      <p role="status">{said}</p>
    </main>
  );
}
