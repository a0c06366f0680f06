// Whether a curve can buy back all of its tokens, from the accounts alone.
import { curveNow, type CurveNow } from './curve-account.js';
import { CURVE_BYTES } from './expected.js';
import { checkSolvency } from './invariants.js';
import type { TokenState } from './state.js';
import type { World } from './world.js';

const ACCOUNT_OVERHEAD = 128;

/** @param vault tokens in the curve's vault */
export function checkCover(token: TokenState, now: CurveNow, vault: bigint): void {
  const rent = token.rentPerByte * BigInt(ACCOUNT_OVERHEAD + CURVE_BYTES);
  checkSolvency(now, vault, token.initialSol, now.lamports - rent, token.paid, token.got);
}

/** Of all curves that trade or are sold out: what other wallets do to accounts must not change it. */
export function checkCovers(world: World): void {
  for (const token of world.tokens)
    if (token.status === 1 || token.status === 2)
      checkCover(token, curveNow(world, token), world.amount(token.keys.vault));
}
