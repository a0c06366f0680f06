// Checks what callers pass, for the formulas in maths.ts. Amounts are bigints: lamports for SOL, smallest units for tokens.
import { requirePositiveU64, requireU64 } from '../checks/numbers.js';
import { InvalidArgumentError } from '../errors/index.js';
import { bought, leastSol, leastTokens, sold, type Buy, type Sell } from './maths.js';

export type { Buy, Sell } from './maths.js';

const U16_MAX = 0xffffn;

/**
 * Spends up to `solToSpend` lamports, fee included, for at least `minTokenToReceive` token units.
 *
 * `fee = ⌈sol · bps / 10,000⌉`, `net = sol − fee`, `out = ⌊vT · net / (vS + net)⌋`. A buy that would take `vT` below
 * the graduation reserve is clipped to it: `net = ⌈vS · out / (vT − out)⌉`, `fee = ⌈net · bps / (10,000 − bps)⌉`. For a
 * clipped buy the minimum limits the price instead of the amount.
 *
 * @param platformFeeBps fee in basis points, as a bigint to avoid a conversion per call
 * @throws ProgramError `LogicalError` for a zero amount, a zero result, or reserves beyond u64; `SlippageError` below
 *   the minimum
 * @throws InvalidArgumentError for an argument that is not a bigint of the program's width
 */
export function buyExactIn(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  solToSpend: bigint,
  minTokenToReceive = 0n,
  graduationReserve?: bigint,
): Buy {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requireU64('solToSpend', solToSpend);
  requireU64('minTokenToReceive', minTokenToReceive);
  return bought(virtualSol, virtualToken, platformFeeBps, solToSpend, minTokenToReceive, graduationReserve);
}

/**
 * Sells exactly `tokenToSpend` token units for at least `minSolToReceive` lamports after the fee.
 *
 * `gross = ⌊vS · t / (vT + t)⌋`, `fee = ⌈gross · bps / 10,000⌉`; the seller receives `gross − fee`.
 *
 * @param platformFeeBps fee in basis points, as a bigint to avoid a conversion per call
 * @throws ProgramError `LogicalError` for a zero amount, a zero result, or reserves beyond u64; `SlippageError` below
 *   the minimum
 * @throws InvalidArgumentError for an argument that is not a bigint of the program's width
 */
export function sellExactIn(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  tokenToSpend: bigint,
  minSolToReceive = 0n,
): Sell {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requireU64('tokenToSpend', tokenToSpend);
  requireU64('minSolToReceive', minSolToReceive);
  return sold(virtualSol, virtualToken, platformFeeBps, tokenToSpend, minSolToReceive);
}

/**
 * The least lamports, fee included, that buy at least `tokenToReceive` token units.
 *
 * The inverse of {@link buyExactIn}, each step rounded up. `net = ⌈vS · out / (vT − out)⌉` is the least that yields
 * `out`, because `⌊vT · net / (vS + net)⌋ ≥ out ⟺ net · (vT − out) ≥ vS · out`. And because
 * `sol − ⌈sol · bps / 10,000⌉ = ⌊sol · (10,000 − bps) / 10,000⌋`, the least `sol` that leaves `net` is
 * `⌈net · 10,000 / (10,000 − bps)⌉`.
 *
 * @throws InvalidArgumentError when the curve has fewer tokens left to sell, or the cost exceeds u64
 */
export function leastSolForTokens(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  tokenToReceive: bigint,
  graduationReserve?: bigint,
): bigint {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requirePositiveU64('virtualSol', virtualSol);
  requirePositiveU64('tokenToReceive', tokenToReceive);
  return leastSol(virtualSol, virtualToken, platformFeeBps, tokenToReceive, graduationReserve);
}

/**
 * The least token units whose sale yields at least `solToReceive` lamports after the fee.
 *
 * The inverse of {@link sellExactIn}, each step rounded up: `gross = ⌈sol · 10,000 / (10,000 − bps)⌉`, and
 * `t = ⌈gross · vT / (vS − gross)⌉`, because `⌊vS · t / (vT + t)⌋ ≥ gross ⟺ t · (vS − gross) ≥ gross · vT`.
 *
 * @throws InvalidArgumentError when no number of tokens yields as much
 */
export function leastTokensForSol(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  solToReceive: bigint,
): bigint {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requirePositiveU64('virtualToken', virtualToken);
  requirePositiveU64('solToReceive', solToReceive);
  return leastTokens(virtualSol, virtualToken, platformFeeBps, solToReceive);
}

function requireCurve(virtualSol: bigint, virtualToken: bigint, platformFeeBps: bigint): void {
  requireU64('virtualSol', virtualSol);
  requireU64('virtualToken', virtualToken);
  requireU64('platformFeeBps', platformFeeBps);
  if (platformFeeBps > U16_MAX) {
    throw new InvalidArgumentError(
      'platformFeeBps',
      `is ${platformFeeBps}; it must not exceed ${U16_MAX} (u16)`,
    );
  }
}
