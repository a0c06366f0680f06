// Title and description of a token in shared links.
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { plainWords } from './head.js';
import type { Token } from '../market/reads/token.js';

export function wordsOf(token: Token) {
  return {
    title: `${plainWords(token.name)} (${plainWords(token.symbol)})`,
    description: `Market cap ${capOf(token)} SOL, ${placeOf(token)}.`,
  };
}

/** Formats lamports as SOL, shortened. */
export function capOf({ marketCap }: Token): string {
  return (Number(marketCap) / LAMPORTS_PER_SOL).toLocaleString('en', { maximumFractionDigits: 2 });
}

export function placeOf({ status, venue, progressBps }: Token): string {
  if (status === 'trading') return `${(progressBps / 100).toFixed(1)} % of the way to its pool`;
  return venue === 'pool' ? 'trading in its pool' : 'graduated';
}
