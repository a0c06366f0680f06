// Parses the form for the quotes, and checks the wallet's balance.
import type { TokenSummary } from '../market/types.js';
import { displayText } from '../format.js';
import type { Balances } from '../wallet/balances.js';
import { words } from '../words/words.js';
import { parseAmount, SOL_DECIMALS, TOKEN_DECIMALS, whyNoAmount } from './amount-text.js';
import type { Asked, Quote } from './quote.js';
import { MOST_NETWORK_FEE, solToKeep } from './reserve.js';
import { MOST_SLIPPAGE_BPS, type TradeInputs } from './use-form.js';

interface Read {
  readonly asked?: Asked;
  /** Also undefined for an empty field, which is not an error. */
  readonly problem?: string;
}

/** The largest amount that a transaction can name (u64). */
const MOST_UNITS = 2n ** 64n - 1n;

export function readAsked({ side, unit, text, slippageBps }: TradeInputs): Read {
  if (text === '') return {};
  const amount = parseAmount(text, unit === 'sol' ? SOL_DECIMALS : TOKEN_DECIMALS);
  if (amount === undefined) return { problem: whyNoAmount(text) };
  if (amount > MOST_UNITS) return { problem: words.trade.moreThanExists };
  if (slippageBps > MOST_SLIPPAGE_BPS) return { problem: words.trade.slippageTooHigh };
  if (amount === 0n) return {};
  return { asked: { side, unit, amount, slippageBps } };
}

/** The most lamports that a buy can spend. */
export function mostToSpend(token: TokenSummary, { sol, tokens, rent }: Balances): bigint {
  const needs = { opensAccount: !tokens.has(token.mint), wrapsSol: token.venue === 'pool' };
  const keep = solToKeep(needs, rent);
  return sol > keep ? sol - keep : 0n;
}

export function problemWithFunds(
  quote: Quote,
  token: TokenSummary,
  balances: Balances | undefined,
): string | undefined {
  if (balances === undefined) return undefined;
  if (quote.side === 'sell') {
    const held = balances.tokens.get(token.mint) ?? 0n;
    return quote.token > held ? words.trade.tooMuchTokens(displayText(token.symbol)) : undefined;
  }
  return lacksSol(quote, token, balances) ? words.trade.tooMuchSol : undefined;
}

/** Whether the wallet has too little SOL for the buy, or for the fees of a sale. */
export function lacksSol(
  quote: Quote | undefined,
  token: TokenSummary,
  balances: Balances | undefined,
): boolean {
  if (quote === undefined || balances === undefined) return false;
  return quote.side === 'buy' ? quote.sol > mostToSpend(token, balances) : balances.sol < MOST_NETWORK_FEE;
}
