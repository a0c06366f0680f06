// Quotes: the result of a trade, with everything that a trader needs to see before signing. These check the arguments, quoting.ts computes; no RPC.
// Each function takes a curve, or a market from fetchMarket. A market is quoted where the token trades: on the curve, or in the pool.
import type { PublicKey } from '../chain/types.js';
import { requireInteger, requirePositiveU64, requireU64 } from '../checks/numbers.js';
import { requireObject } from '../checks/options.js';
import type { Price } from '../curve/price.js';
import { BASIS_POINTS, MAX_PLATFORM_FEE_BPS } from '../generated/constants.js';
import { requireOpen, type Market } from './market.js';
import {
  buyOutQuote,
  buyQuote,
  type PoolBuyQuote,
  type PoolSellQuote,
  sellOutQuote,
  sellQuote,
  type Venue,
  venueOf,
} from './quoting.js';

/** The state of a curve that a quote needs: `{ ...tokenOwnerData, platformFeeBps: properties.platformFeeBps }`. */
export interface CurveState {
  /** Virtual SOL reserve in lamports. */
  readonly virtualSol: bigint;
  /** Virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Platform fee in basis points, from the properties account. Every trade uses the current value. */
  readonly platformFeeBps: number;
  /** Status of the curve. Without it the token reserve decides whether the curve trades. */
  readonly initialized?: number;
  /**
   * Virtual token reserve when every token is back in the vault. No sale can exceed it, so no sale needs more SOL than
   * the curve holds. Trades do not change it.
   */
  readonly highestVirtualToken?: bigint | undefined;
  /** Where the token trades after graduation, if known. The error for a graduated curve contains it. */
  readonly poolAddress?: PublicKey | undefined;
}

/** Quote of a buy. Lamports and smallest token units. */
export interface BuyQuote {
  /** Lamports to pass to `buy`. */
  readonly solToSpend: bigint;
  /** Minimum to pass to `buy`, after slippage. For a clipped buy it is scaled so that it limits the price. */
  readonly minTokenToReceive: bigint;
  /** Token units the buyer receives. */
  readonly tokenOut: bigint;
  /** Lamports that the buyer actually pays: `net + fee`. Less than `solToSpend` when clipped. */
  readonly solSpent: bigint;
  /** Lamports that enter the curve. */
  readonly net: bigint;
  /** Lamports that go to the fee receiver. */
  readonly fee: bigint;
  /** Whether the buy is clipped at the graduation reserve. */
  readonly clipped: boolean;
  /** Whether the buy finalizes the curve. */
  readonly graduates: boolean;
  /** Price before the buy. */
  readonly priceBefore: Price;
  /** Price after the buy. */
  readonly priceAfter: Price;
  /** How much the buy's own size worsens its average price, before the fee, in basis points, rounded up. */
  readonly priceImpactBps: number;
  /** Virtual SOL reserve after the buy. */
  readonly virtualSol: bigint;
  /** Virtual token reserve after the buy. */
  readonly virtualToken: bigint;
}

/** Quote of a sell. Lamports and smallest token units. */
export interface SellQuote {
  /** Token units to pass to `sell`. */
  readonly tokenToSpend: bigint;
  /** Minimum to pass to `sell`, after slippage. */
  readonly minSolToReceive: bigint;
  /** Lamports the seller receives: `gross − fee`. */
  readonly solOut: bigint;
  /** Lamports that leave the curve. */
  readonly gross: bigint;
  /** Lamports that go to the fee receiver. */
  readonly fee: bigint;
  /** Price before the sell. */
  readonly priceBefore: Price;
  /** Price after the sell. */
  readonly priceAfter: Price;
  /** How much the sell's own size worsens its average price, before the fee, in basis points, rounded up. */
  readonly priceImpactBps: number;
  /** Virtual SOL reserve after the sell. */
  readonly virtualSol: bigint;
  /** Virtual token reserve after the sell. */
  readonly virtualToken: bigint;
}

/**
 * Quotes a buy that spends up to `solToSpend` lamports, fee included.
 *
 * @param slippageBps how much less than quoted the trader accepts, in basis points; 0 accepts nothing less
 * @throws TradingMovedError for a curve that has graduated; it says where the token trades
 * @throws ProgramError as the program would: `TradingClosed`, or `LogicalError` for an amount too small or too large
 * @throws InvalidArgumentError for an argument out of range
 */
export function quoteBuy(curve: CurveState, solToSpend: bigint, slippageBps?: number): BuyQuote;
export function quoteBuy(market: Market, solToSpend: bigint, slippageBps?: number): BuyQuote | PoolBuyQuote;
export function quoteBuy(
  from: CurveState | Market,
  solToSpend: bigint,
  slippageBps = 0,
): BuyQuote | PoolBuyQuote {
  return buyQuote(checked(from, slippageBps, 'solToSpend', solToSpend), solToSpend, slippageBps);
}

/**
 * Quotes a sell of exactly `tokenToSpend` token units.
 *
 * @param slippageBps how much less than quoted the trader accepts, in basis points; 0 accepts nothing less
 * @throws TradingMovedError for a curve that has graduated; it says where the token trades
 * @throws ProgramError as the program would: `TradingClosed`, or `LogicalError` for an amount too small or too large
 * @throws InvalidArgumentError for an argument out of range
 */
export function quoteSell(curve: CurveState, tokenToSpend: bigint, slippageBps?: number): SellQuote;
export function quoteSell(
  market: Market,
  tokenToSpend: bigint,
  slippageBps?: number,
): SellQuote | PoolSellQuote;
export function quoteSell(
  from: CurveState | Market,
  tokenToSpend: bigint,
  slippageBps = 0,
): SellQuote | PoolSellQuote {
  return sellQuote(checked(from, slippageBps, 'tokenToSpend', tokenToSpend), tokenToSpend, slippageBps);
}

/**
 * Quotes a buy of at least `tokenToReceive` token units. `minTokenToReceive` is always `tokenToReceive`. The slippage
 * limits the SOL instead: `solToSpend` is the least that buys this amount now, plus `slippageBps`, rounded down to the
 * lamport.
 *
 * The program spends all of `solToSpend`, so the slippage buys extra tokens. Without slippage the cost is the least to
 * the lamport, and the extra tokens are those of the last lamport. If another buy leaves too few tokens, this buy is
 * clipped at graduation: it yields the remaining tokens, at no higher price per token.
 *
 * @throws TradingMovedError for a curve that has graduated; it says where the token trades
 * @throws InvalidArgumentError for an argument out of range, or more tokens than the market still sells
 */
export function quoteBuyExactOut(curve: CurveState, tokenToReceive: bigint, slippageBps?: number): BuyQuote;
export function quoteBuyExactOut(
  market: Market,
  tokenToReceive: bigint,
  slippageBps?: number,
): BuyQuote | PoolBuyQuote;
export function quoteBuyExactOut(
  from: CurveState | Market,
  tokenToReceive: bigint,
  slippageBps = 0,
): BuyQuote | PoolBuyQuote {
  return buyOutQuote(
    checkedOut(from, slippageBps, 'tokenToReceive', tokenToReceive),
    tokenToReceive,
    slippageBps,
  );
}

/**
 * Quotes a sell that yields at least `solToReceive` lamports after the fee. `minSolToReceive` is always `solToReceive`.
 * The slippage limits the tokens instead: `tokenToSpend` is the least that yields this amount now, plus `slippageBps`,
 * rounded down to the unit, but no more than circulate.
 *
 * The program takes all of `tokenToSpend`, so the slippage yields extra lamports. Without slippage the tokens are the
 * least to the unit, and the extra lamports are those of the last unit.
 *
 * @throws TradingMovedError for a curve that has graduated; it says where the token trades
 * @throws InvalidArgumentError for an argument out of range, or more SOL than any sale yields
 */
export function quoteSellExactOut(curve: CurveState, solToReceive: bigint, slippageBps?: number): SellQuote;
export function quoteSellExactOut(
  market: Market,
  solToReceive: bigint,
  slippageBps?: number,
): SellQuote | PoolSellQuote;
export function quoteSellExactOut(
  from: CurveState | Market,
  solToReceive: bigint,
  slippageBps = 0,
): SellQuote | PoolSellQuote {
  return sellOutQuote(checkedOut(from, slippageBps, 'solToReceive', solToReceive), solToReceive, slippageBps);
}

/** Where to quote. @throws InvalidArgumentError; TradingMovedError for a market that does not trade */
function checked(
  from: CurveState | Market,
  slippageBps: number,
  argument: string,
  amount: bigint,
  requireAmount = requireU64,
): Venue {
  requireObject('curve', from);
  const venue = 'venue' in from ? venueOf(requireOpen(from)) : { curve: from };
  if (venue.curve !== undefined) {
    requireAmount('virtualSol', venue.curve.virtualSol);
    requireAmount('virtualToken', venue.curve.virtualToken);
    requireInteger('platformFeeBps', venue.curve.platformFeeBps, MAX_PLATFORM_FEE_BPS);
  }
  requireAmount(argument, amount);
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  return venue;
}

/** The same for an exact amount that the trade yields. */
const checkedOut: typeof checked = (from, slippageBps, argument, amount) =>
  checked(from, slippageBps, argument, amount, requirePositiveU64);
