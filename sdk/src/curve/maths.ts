/**
 * The curve's formulas: exact integer maths of a constant product over virtual reserves, equal to those of
 * `programs/interface/src/curve.rs` to the unit. Every rounding favours the pool. The arguments are of the program's widths
 * already: `curve.ts` checks those of callers, and the decoders give no others.
 */
import { U64_MAX, WHOLE_BPS } from '../checks/numbers.js';
import { InvalidArgumentError, ProgramError } from '../errors/index.js';
import { BASIS_POINTS, GRADUATION_VIRTUAL_TOKEN } from '../generated/constants.js';

const WHOLE_BPS_LESS_ONE = WHOLE_BPS - 1n;

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

/** The formula is at `buyExactIn`. */
export function bought(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  solToSpend: bigint,
  minTokenToReceive = 0n,
  graduationReserve: bigint = GRADUATION_VIRTUAL_TOKEN,
): Buy {
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

/** The formula is at `sellExactIn`. */
export function sold(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  tokenToSpend: bigint,
  minSolToReceive = 0n,
): Sell {
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

/** The formula is at `leastSolForTokens`. */
export function leastSol(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  tokenToReceive: bigint,
  graduationReserve: bigint = GRADUATION_VIRTUAL_TOKEN,
): bigint {
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

/** The formula is at `leastTokensForSol`. */
export function leastTokens(
  virtualSol: bigint,
  virtualToken: bigint,
  platformFeeBps: bigint,
  solToReceive: bigint,
): bigint {
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

function slippage(explanation: string): ProgramError {
  return new ProgramError(6003, { explanation });
}

function unreachable(argument: string, amount: bigint): InvalidArgumentError {
  return new InvalidArgumentError(
    argument,
    `is ${amount}; no amount that fits u64 yields as much on this curve`,
  );
}

const converted: bigint[] = [];
/** Basis points as a bigint. A conversion takes longer than to look it up. */
export const bpsOf = (bps: number): bigint => (converted[bps] ??= BigInt(bps));

/** `⌈amount · (10,000 − slippageBps) / 10,000⌉ = amount − ⌊amount · slippageBps / 10,000⌋` */
export function leastAfterSlippage(amount: bigint, slippageBps: number): bigint {
  return amount - (amount * bpsOf(slippageBps)) / WHOLE_BPS;
}

/** `⌊amount · (10,000 + slippageBps) / 10,000⌋` */
export function mostAfterSlippage(amount: bigint, slippageBps: number): bigint {
  return 2n * amount - leastAfterSlippage(amount, slippageBps);
}

/** `⌈(1 − actual / ideal) · 10,000⌉` */
export function impactBps(ideal: bigint, actual: bigint): number {
  return ideal === 0n ? 0 : Number(((ideal - actual) * WHOLE_BPS + ideal - 1n) / ideal);
}

const words = /* @__PURE__ */ new Uint32Array(2);
const word64 = /* @__PURE__ */ new BigUint64Array(words.buffer);
/** `Number(value)` of a u64, five times as fast. */
function rounded(value: bigint): number {
  word64[0] = value;
  return words[1]! * 2 ** 32 + words[0]!;
}

/** Far above the error of `near` in {@link impactOf}, which is below 10⁻¹¹. */
const SURELY = 1e-6;

/**
 * {@link impactBps} of a trade: of `amountIn · reserveOut` and `amountOut · reserveIn`. The division of such bigints takes
 * longer than the rest of a quote, so it is left to the trades for which rounded numbers do not decide.
 */
export function impactOf(amountIn: bigint, reserveIn: bigint, amountOut: bigint, reserveOut: bigint): number {
  const kept = (rounded(amountOut) * rounded(reserveIn)) / (rounded(amountIn) * rounded(reserveOut));
  const near = (1 - kept) * BASIS_POINTS;
  const rest = near % 1;
  const isSure = rest > SURELY && rest < 1 - SURELY;
  return isSure ? Math.ceil(near) : impactBps(amountIn * reserveOut, amountOut * reserveIn);
}

/** The program's `LogicalError`, for an argument that it would refuse. */
export function refused(argument: string, problem: string): ProgramError {
  return new ProgramError(6005, { argument, explanation: `${argument} ${problem}` });
}
