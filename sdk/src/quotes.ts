// Quotes: what a trade does, with everything a trader wants to see before signing. Built on curve.ts; no RPC.
import { buyExactIn, leastSolForTokens, leastTokensForSol, sellExactIn } from './curve.js';
import { ProgramError } from './errors.js';
import { BASIS_POINTS, MAX_PLATFORM_FEE_BPS } from './generated/program.js';
import { priceImpactBps, type Price } from './price.js';
import { CurveStatus } from './status.js';
import { requireInteger, requireU64, U64_MAX } from './validation.js';

/** What a quote needs to know: `{ ...tokenOwnerData, platformFeeBps: properties.platformFeeBps }`. */
export interface CurveState {
  /** Virtual SOL reserve in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Platform fee in basis points, from the properties account: it is read live by every trade. */
  readonly platformFeeBps: number;
  /** Status of the curve; left out, the curve is taken to be trading. */
  readonly initialized?: number;
}

/** A buy before it is sent. Lamports and smallest token units. */
export interface BuyQuote {
  /** Lamports to pass to `buy`. */
  readonly solToSpend: bigint;
  /** Minimum to pass to `buy`, with the slippage taken off; for a clipped buy scaled so that it binds the price. */
  readonly minTokenToReceive: bigint;
  /** Token units the buyer receives. */
  readonly tokenOut: bigint;
  /** Lamports the buyer really pays: `net + fee`. Less than `solToSpend` when clipped. */
  readonly solSpent: bigint;
  /** Lamports that enter the curve. */
  readonly net: bigint;
  /** Lamports that go to the fee receiver. */
  readonly fee: bigint;
  /** Whether the buy is cut at the graduation reserve. */
  readonly clipped: boolean;
  /** Whether the buy finalizes the curve. */
  readonly graduates: boolean;
  /** Price before the buy. */
  readonly priceBefore: Price;
  /** Price after it. */
  readonly priceAfter: Price;
  /** How far the buy's own size worsens its average price, before the fee, in basis points, rounded up. */
  readonly priceImpactBps: number;
  /** Virtual SOL reserve afterwards. */
  readonly virtualSol: bigint;
  /** Virtual token reserve afterwards. */
  readonly virtualToken: bigint;
}

/** A sell before it is sent. Lamports and smallest token units. */
export interface SellQuote {
  /** Token units to pass to `sell`. */
  readonly tokenToSpend: bigint;
  /** Minimum to pass to `sell`, with the slippage taken off. */
  readonly minSolToReceive: bigint;
  /** Lamports the seller receives: `gross − fee`. */
  readonly solOut: bigint;
  /** Lamports that leave the curve. */
  readonly gross: bigint;
  /** Lamports that go to the fee receiver. */
  readonly fee: bigint;
  /** Price before the sell. */
  readonly priceBefore: Price;
  /** Price after it. */
  readonly priceAfter: Price;
  /** How far the sell's own size worsens its average price, before the fee, in basis points, rounded up. */
  readonly priceImpactBps: number;
  /** Virtual SOL reserve afterwards. */
  readonly virtualSol: bigint;
  /** Virtual token reserve afterwards. */
  readonly virtualToken: bigint;
}

/**
 * Quotes a buy that spends up to `solToSpend` lamports, fee included.
 *
 * @param slippageBps what the trader accepts less than quoted, in basis points; 0 accepts nothing less
 * @throws ProgramError as the program would: `TradingClosed`, or `LogicalError` for an amount too small or too large
 * @throws InvalidArgumentError for an argument out of range
 */
export function quoteBuy(curve: CurveState, solToSpend: bigint, slippageBps = 0): BuyQuote {
  const feeBps = requireTrading(curve);
  const { virtualSol, virtualToken } = curve;
  const { tokenOut, net, fee, graduates, clipped, ...after } = buyExactIn(
    virtualSol,
    virtualToken,
    feeBps,
    solToSpend,
  );
  const solSpent = net + fee;
  // The program compares a clipped buy's price with solToSpend / minTokenToReceive. For lamports without end that may be
  // more than a minimum can express.
  const wouldBuy = clipped ? (tokenOut * solToSpend) / solSpent : tokenOut;
  const quoted = wouldBuy < U64_MAX ? wouldBuy : U64_MAX;
  return {
    solToSpend,
    minTokenToReceive: minimumAfterSlippage(quoted, slippageBps),
    tokenOut,
    solSpent,
    net,
    fee,
    clipped,
    graduates,
    priceBefore: { lamports: virtualSol, tokenUnits: virtualToken },
    priceAfter: { lamports: after.virtualSol, tokenUnits: after.virtualToken },
    priceImpactBps: priceImpactBps(net * virtualToken, tokenOut * virtualSol),
    virtualSol: after.virtualSol,
    virtualToken: after.virtualToken,
  };
}

/**
 * Quotes a sell of exactly `tokenToSpend` token units.
 *
 * @param slippageBps what the trader accepts less than quoted, in basis points; 0 accepts nothing less
 * @throws ProgramError as the program would: `TradingClosed`, or `LogicalError` for an amount too small or too large
 * @throws InvalidArgumentError for an argument out of range
 */
export function quoteSell(curve: CurveState, tokenToSpend: bigint, slippageBps = 0): SellQuote {
  const feeBps = requireTrading(curve);
  const { virtualSol, virtualToken } = curve;
  const { gross, fee, solOut, ...after } = sellExactIn(virtualSol, virtualToken, feeBps, tokenToSpend);
  return {
    tokenToSpend,
    minSolToReceive: minimumAfterSlippage(solOut, slippageBps),
    solOut,
    gross,
    fee,
    priceBefore: { lamports: virtualSol, tokenUnits: virtualToken },
    priceAfter: { lamports: after.virtualSol, tokenUnits: after.virtualToken },
    priceImpactBps: priceImpactBps(tokenToSpend * virtualSol, gross * virtualToken),
    virtualSol: after.virtualSol,
    virtualToken: after.virtualToken,
  };
}

/**
 * Quotes the cheapest buy that yields at least `tokenToReceive` token units (rounding may add some). `minTokenToReceive`
 * is `tokenToReceive` less the slippage.
 *
 * @throws ProgramError `TradingClosed`
 * @throws InvalidArgumentError for an argument out of range, or more tokens than the curve still sells
 */
export function quoteBuyExactOut(curve: CurveState, tokenToReceive: bigint, slippageBps = 0): BuyQuote {
  const feeBps = requireTrading(curve);
  const solToSpend = leastSolForTokens(curve.virtualSol, curve.virtualToken, feeBps, tokenToReceive);
  const minTokenToReceive = minimumAfterSlippage(tokenToReceive, slippageBps);
  return { ...quoteBuy(curve, solToSpend), minTokenToReceive };
}

/**
 * Quotes the smallest sell that yields at least `solToReceive` lamports after the fee (rounding may add some).
 * `minSolToReceive` is `solToReceive` less the slippage.
 *
 * @throws ProgramError `TradingClosed`
 * @throws InvalidArgumentError for an argument out of range, or more SOL than any sale yields
 */
export function quoteSellExactOut(curve: CurveState, solToReceive: bigint, slippageBps = 0): SellQuote {
  const feeBps = requireTrading(curve);
  const tokenToSpend = leastTokensForSol(curve.virtualSol, curve.virtualToken, feeBps, solToReceive);
  const minSolToReceive = minimumAfterSlippage(solToReceive, slippageBps);
  return { ...quoteSell(curve, tokenToSpend), minSolToReceive };
}

/**
 * The least amount a trader accepts: `⌈amount · (10,000 − slippageBps) / 10,000⌉`. Rounded up, so that it is never
 * below what the tolerance allows.
 *
 * @throws InvalidArgumentError for an amount that is not a u64, or a slippage outside 0 to 10,000
 */
export function minimumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  requireU64('amount', amount);
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  if (slippageBps === 0) return amount;
  const whole = BigInt(BASIS_POINTS);
  return (amount * (whole - BigInt(slippageBps)) + whole - 1n) / whole;
}

/** The fee in basis points of a curve that trades. */
function requireTrading({ initialized, platformFeeBps }: CurveState): bigint {
  if (initialized !== undefined && initialized !== CurveStatus.Trading) {
    throw new ProgramError(6001, { argument: 'initialized' });
  }
  return BigInt(requireInteger('platformFeeBps', platformFeeBps, MAX_PLATFORM_FEE_BPS));
}
