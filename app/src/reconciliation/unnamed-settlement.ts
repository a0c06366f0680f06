// Settlements of earlier versions have no memo. What they divided is guessed from their amounts.
import type { Division } from '../graduation/settlement/payment/memo.js';
import { splitSol, splitTokens, type Shares } from '../graduation/settlement/payment/split.js';

/**
 * The divisions that such a settlement can have, in the order in which they are tried. Two of them can pay the same: a token
 * without holders whose creator is credited, and a token with holders and a credited creator. Then the treasury's part
 * counts as the holders'.
 */
export function* possibleDivisions(
  taken: { readonly sol: bigint; readonly token: bigint },
  shares: Shares,
): Generator<Division> {
  for (const hasHolders of [true, false]) {
    const sol = splitSol(taken.sol, shares, hasHolders);
    const token = splitTokens(taken.token, shares, hasHolders);
    for (const solCreatorCredited of [0n, sol.creator])
      for (const tokenCreatorCredited of [0n, token.creator])
        yield {
          solHolders: sol.holders,
          tokenHolders: token.holders,
          solCreatorCredited,
          tokenCreatorCredited,
        };
  }
}
