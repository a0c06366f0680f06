// Payments of settlements that are built by hand, and the names that their memos give them.
import type { Payment } from '#app/graduation/settlement/payment/transaction.js';
import type { Division } from '#app/graduation/settlement/payment/memo.js';
import { splitSol, splitTokens, type Shares } from '#app/graduation/settlement/payment/split.js';

export interface Settled {
  readonly sol: bigint;
  readonly units: bigint;
  readonly hasHolders: boolean;
  /** Whether the creator's parts are credited instead of paid. */
  readonly isCredited: boolean;
}

/** The amounts that a settlement pays, and its division. */
export function settledAs({ sol, units, hasHolders, isCredited }: Settled, shares: Shares) {
  const ofSol = splitSol(sol, shares, hasHolders);
  const ofTokens = splitTokens(units, shares, hasHolders);
  const division: Division = {
    solHolders: ofSol.holders,
    tokenHolders: ofTokens.holders,
    solCreatorCredited: isCredited ? ofSol.creator : 0n,
    tokenCreatorCredited: isCredited ? ofTokens.creator : 0n,
  };
  const amounts: Pick<Payment, 'sol' | 'token'> = {
    sol: {
      taken: sol,
      treasury: ofSol.holders + division.solCreatorCredited,
      lp: ofSol.lp,
      creator: ofSol.creator - division.solCreatorCredited,
    },
    token: {
      burned: ofTokens.burn,
      treasury: ofTokens.holders + division.tokenCreatorCredited,
      lp: ofTokens.lp,
      creator: ofTokens.creator - division.tokenCreatorCredited,
    },
  };
  return { division, amounts };
}
