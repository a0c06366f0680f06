// Checks whether a wallet can pay for a transaction.
import type { PublicKey } from '../chain/types.js';
import {
  InsufficientSolError,
  InsufficientTokensError,
  NoTokenAccountError,
  type SolCosts,
} from './errors.js';
import type { TraderState } from './state.js';

/** Rent exemption of a token account in lamports: `(128 + 165) bytes · 3,480 lamports a year · 2 years`. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;
/** Rent exemption of an account without data. A wallet's balance must be zero or at least this. */
const WALLET_RENT = 890_880n;

/** @throws InsufficientSolError when the wallet has less than the costs and the lamports that must stay */
export function requireSol(wallet: PublicKey, lamports: bigint, costs: Omit<SolCosts, 'kept'>): void {
  const left = lamports - costs.amount - costs.rent - costs.fees;
  if (left < 0n) throw new InsufficientSolError(wallet, { ...costs, kept: 0n }, lamports);
  // A sale pays the wallet before the runtime checks the rule. A wallet that was below the limit before may stay below
  // it.
  const isBelow = left > 0n && left < WALLET_RENT && lamports >= WALLET_RENT;
  if (costs.amount > 0n && isBelow) {
    throw new InsufficientSolError(wallet, { ...costs, kept: WALLET_RENT }, lamports);
  }
}

/** Rent of the token accounts that a trade creates, even if it closes them again. */
export function rentOfTrade({ market, tokens, hasWrappedSol }: TraderState, side: 'buy' | 'sell'): bigint {
  const forTokens = side === 'buy' && tokens === undefined ? TOKEN_ACCOUNT_RENT : 0n;
  const forSol = market.venue === 'pool' && !hasWrappedSol ? TOKEN_ACCOUNT_RENT : 0n;
  return forTokens + forSol;
}

/** The token units that a sale can spend. @throws NoTokenAccountError */
export function requireTokenAccount({ wallet, market, tokens, tokenAccount }: TraderState): bigint {
  if (tokens === undefined) throw new NoTokenAccountError(wallet, market.mint, tokenAccount);
  return tokens;
}

/** @throws NoTokenAccountError, InsufficientTokensError */
export function requireTokens(state: TraderState, needed: bigint): void {
  const held = requireTokenAccount(state);
  if (held < needed) throw new InsufficientTokensError(state.wallet, state.market.mint, needed, held);
}
