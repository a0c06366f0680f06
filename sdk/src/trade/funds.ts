// Checks whether a wallet can pay for a transaction.
import type { PublicKey } from '../chain/types.js';
import type { Rent } from '../rpc/rent.js';
import {
  InsufficientSolError,
  InsufficientTokensError,
  NoTokenAccountError,
  type SolCosts,
} from './errors.js';
import type { TraderState } from './state.js';

export const TOKEN_ACCOUNT_SIZE = 165;

/** @throws InsufficientSolError when the wallet has less than the costs and the lamports that must stay */
export function requireSol(
  wallet: PublicKey,
  lamports: bigint,
  costs: Omit<SolCosts, 'kept'>,
  rent: Rent,
): void {
  // A wallet's balance must be zero or at least this.
  const least = rent(0);
  const left = lamports - costs.amount - costs.rent - costs.fees;
  if (left < 0n) throw new InsufficientSolError(wallet, { ...costs, kept: 0n }, lamports);
  // A sale pays the wallet before the runtime checks the rule. A wallet that was below the limit before may stay below
  // it.
  const isBelow = left > 0n && left < least && lamports >= least;
  if (costs.amount > 0n && isBelow) {
    throw new InsufficientSolError(wallet, { ...costs, kept: least }, lamports);
  }
}

/** Rent of the wallet's account for the token, when the trade creates it. */
export function rentOfTokens({ tokens }: TraderState, side: 'buy' | 'sell', rent: Rent): bigint {
  return side === 'buy' && tokens === undefined ? rent(TOKEN_ACCOUNT_SIZE) : 0n;
}

/** Rent of the account for wrapped SOL, which the trade creates and closes. */
export function rentOfWrappedSol({ market, hasWrappedSol }: TraderState, rent: Rent): bigint {
  return market.venue === 'pool' && !hasWrappedSol ? rent(TOKEN_ACCOUNT_SIZE) : 0n;
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
