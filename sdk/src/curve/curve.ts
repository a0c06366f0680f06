/**
 * The curve: exact integer maths of a constant product over virtual reserves. The results equal those of
 * `programs/interface/src/curve.rs` to the unit. No RPC, no floating point.
 *
 * Amounts are bigints: lamports for SOL, smallest units for tokens. Every rounding favours the pool.
 */
import { requirePositiveU64, requireU64, U64_MAX, WHOLE_BPS } from '../checks/numbers.js';
import { InvalidArgumentError, ProgramError } from '../errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN } from '../generated/constants.js';
import { refused } from './refused.js';

const WHOLE_BPS_LESS_ONE = WHOLE_BPS - 1n;
const U16_MAX = 0xffffn;

/** The result of a buy. */
export interface Buy {
  /** Token units that leave the vault. */
  readonly tokenOut: bigint;
  /** Lamports that enter the curve. */
  readonly net: bigint;
  /** Lamports that go to the fee receiver. The buyer pays `net + fee`. */
  readonly fee: bigint;
  /** Virtual SOL reserve afterwards, in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve afterwards, in smallest units. */
  readonly virtualToken: bigint;
  /** Whether the buy takes the last tokens above the graduation reserve. Such a buy finalizes the curve. */
  readonly graduates: boolean;
  /** Whether the curve had fewer tokens than the lamports could buy. The buyer keeps the remaining lamports. */
  readonly clipped: boolean;
}

/** The result of a sell. */
export interface Sell {
  /** Lamports that leave the curve. */
  readonly gross: bigint;
  /** The part of `gross` that goes to the fee receiver. */
  readonly fee: bigint;
  /** The part that the seller receives: `gross − fee`. */
  readonly solOut: bigint;
  /** Virtual SOL reserve afterwards, in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve afterwards, in smallest units. */
  readonly virtualToken: bigint;
}

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
  graduationReserve: bigint = GRADUATION_VIRTUAL_TOKEN,
): Buy {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requireU64('solToSpend', solToSpend);
  requireU64('minTokenToReceive', minTokenToReceive);
  if (solToSpend === 0n) throw refused('solToSpend', 'is 0; a buy spends at least 1 lamport');
  const available = virtualToken - graduationReserve;
  if (available < 0n) throw refused('virtualToken', 'is below the graduation reserve');

  let fee = (solToSpend * platformFeeBps + WHOLE_BPS_LESS_ONE) / WHOLE_BPS;
  let net = solToSpend - fee;
  if (net < 0n) throw refused('platformFeeBps', 'exceeds a whole');
  let newVirtualSol = virtualSol + net;
  if (newVirtualSol === 0n) throw refused('virtualSol', 'is 0; the curve has no price');
  let tokenOut = (virtualToken * net) / newVirtualSol;

  const clipped = tokenOut > available;
  if (clipped) {
    if (graduationReserve === 0n) throw refused('virtualToken', 'cannot all be bought');
    tokenOut = available;
    net = ceilDiv(virtualSol * tokenOut, graduationReserve);
    const kept = WHOLE_BPS - platformFeeBps;
    fee = (net * platformFeeBps + kept - 1n) / kept;
    newVirtualSol = virtualSol + net;
    const spent = net + fee;
    if (tokenOut * solToSpend < minTokenToReceive * spent) {
      throw slippage(
        `the last ${tokenOut} units for ${spent} lamports cost more each than minTokenToReceive allows`,
      );
    }
  } else if (tokenOut < minTokenToReceive) {
    throw slippage(`the buy yields ${tokenOut} units, less than minTokenToReceive, ${minTokenToReceive}`);
  }
  if (tokenOut === 0n) throw refused('solToSpend', `${solToSpend} lamports buy less than one unit`);
  if (newVirtualSol > U64_MAX) throw refused('solToSpend', 'takes virtualSol beyond u64');

  return {
    tokenOut,
    net,
    fee,
    virtualSol: newVirtualSol,
    virtualToken: virtualToken - tokenOut,
    graduates: tokenOut === available,
    clipped,
  };
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
  if (tokenToSpend === 0n) throw refused('tokenToSpend', 'is 0; a sell spends at least 1 unit');
  const newVirtualToken = virtualToken + tokenToSpend;
  if (newVirtualToken > U64_MAX) throw refused('tokenToSpend', 'takes virtualToken beyond u64');

  const gross = (virtualSol * tokenToSpend) / newVirtualToken;
  const fee = (gross * platformFeeBps + WHOLE_BPS_LESS_ONE) / WHOLE_BPS;
  const solOut = gross - fee;
  if (solOut < 0n) throw refused('platformFeeBps', 'exceeds a whole');
  if (solOut < minSolToReceive) {
    throw slippage(`the sell yields ${solOut} lamports, less than minSolToReceive, ${minSolToReceive}`);
  }
  if (solOut === 0n)
    throw refused('tokenToSpend', `${tokenToSpend} units sell for less than one lamport after the fee`);

  return { gross, fee, solOut, virtualSol: virtualSol - gross, virtualToken: newVirtualToken };
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
  graduationReserve: bigint = GRADUATION_VIRTUAL_TOKEN,
): bigint {
  requireCurve(virtualSol, virtualToken, platformFeeBps);
  requirePositiveU64('virtualSol', virtualSol);
  requirePositiveU64('tokenToReceive', tokenToReceive);
  const available = virtualToken - graduationReserve;
  if (tokenToReceive > available) {
    const left = available < 0n ? 0n : available;
    throw new InvalidArgumentError(
      'tokenToReceive',
      `is ${tokenToReceive}; the curve sells only ${left} more`,
    );
  }
  const left = virtualToken - tokenToReceive;
  if (left === 0n) throw unreachable('tokenToReceive', tokenToReceive);
  const net = ceilDiv(virtualSol * tokenToReceive, left);
  const solToSpend = leastGross(net, platformFeeBps);
  if (solToSpend === undefined || solToSpend > U64_MAX || virtualSol + net > U64_MAX) {
    throw unreachable('tokenToReceive', tokenToReceive);
  }
  return solToSpend;
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
  const gross = leastGross(solToReceive, platformFeeBps);
  // A sale can never pay out the last lamport of the virtual reserve.
  if (gross === undefined || gross >= virtualSol) throw unreachable('solToReceive', solToReceive);
  const tokenToSpend = ceilDiv(gross * virtualToken, virtualSol - gross);
  if (virtualToken + tokenToSpend > U64_MAX) throw unreachable('solToReceive', solToReceive);
  return tokenToSpend;
}

/** The least amount that leaves `net` after the fee. Undefined when the fee takes everything. */
function leastGross(net: bigint, platformFeeBps: bigint): bigint | undefined {
  const kept = WHOLE_BPS - platformFeeBps;
  return kept > 0n ? ceilDiv(net * WHOLE_BPS, kept) : undefined;
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
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

function slippage(explanation: string): ProgramError {
  return new ProgramError(6003, { explanation });
}

function unreachable(argument: string, amount: bigint): InvalidArgumentError {
  return new InvalidArgumentError(
    argument,
    `is ${amount}; no amount that fits u64 yields as much on this curve`,
  );
}
