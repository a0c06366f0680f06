import type { Traded } from '../chain/types.js';
import { sol, tokens } from '../format.js';
import { orderWords } from '../words/order.js';

/** What was traded: "Bought 5 COFFEE". */
export function whatOf({ side, tokenAmount }: Traded, symbol: string): string {
  const amount = `${tokens(tokenAmount)} ${symbol}`;
  return side === 'buy' ? orderWords.bought(amount) : orderWords.sold(amount);
}

export const resultOf = (traded: Traded, symbol: string) =>
  `${whatOf(traded, symbol)} · ${sol(traded.solAmount)} SOL`;
