// Quotes: the result of a trade, with everything that a trader needs to see before signing. Built on curve.ts; no RPC.
// Each function takes a curve, or a market from fetchMarket. A market is quoted where the token trades: on the curve, or in the pool.
import type { PoolState } from '../amm/maths.js';
import type { PublicKey } from '../chain/types.js';
import { requireInteger, U64_MAX } from '../checks/numbers.js';
import { requireObject } from '../checks/options.js';
import { buyExactIn, leastSolForTokens, leastTokensForSol, sellExactIn } from '../curve/curve.js';
import { priceImpactBps, type Price } from '../curve/price.js';
import { refused } from '../curve/refused.js';
import { maximumAfterSlippage, minimumAfterSlippage } from '../curve/slippage.js';
import { ProgramError, TradingMovedError } from '../errors/index.js';
import {
  GRADUATION_VIRTUAL_TOKEN,
  MAX_PLATFORM_FEE_BPS,
  STATUS_FINALIZED,
  STATUS_MIGRATED,
  STATUS_TRADING,
  TOKEN_SUPPLY,
} from '../generated/constants.js';
import { requireOpen, type Market } from './market.js';
import {
  quotePoolBuy,
  quotePoolSell,
  requireLeastIn,
  type PoolBuyQuote,
  type PoolSellQuote,
} from './pool-quotes.js';

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
  const { pool, curve } = venueOf(from);
  if (pool !== undefined) return quotePoolBuy(pool, solToSpend, slippageBps);
  const feeBps = requireTrading(curve);
  const { virtualSol, virtualToken } = curve;
  const after = buyExactIn(virtualSol, virtualToken, feeBps, solToSpend);
  const { tokenOut, net, fee, graduates, clipped } = after;
  const solSpent = net + fee;
  // The program compares a clipped buy's price with solToSpend / minTokenToReceive. For a very large solToSpend the
  // scaled minimum would exceed u64.
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
  const { pool, curve } = venueOf(from);
  if (pool !== undefined) return quotePoolSell(pool, tokenToSpend, slippageBps);
  const feeBps = requireTrading(curve);
  const { virtualSol, virtualToken } = curve;
  const after = sellExactIn(virtualSol, virtualToken, feeBps, tokenToSpend);
  const { gross, fee, solOut } = after;
  const most = circulating(curve);
  if (tokenToSpend > most) throw refused('tokenToSpend', `is ${tokenToSpend}; only ${most} circulate`);
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
  const { pool, curve } = venueOf(from);
  if (pool !== undefined) {
    const least = requireLeastIn(pool, 'sol', 'tokenToReceive', tokenToReceive);
    const quote = quotePoolBuy(pool, maximumAfterSlippage(least, slippageBps), 0);
    return { ...quote, minTokenToReceive: tokenToReceive };
  }
  const feeBps = requireTrading(curve);
  const least = leastSolForTokens(curve.virtualSol, curve.virtualToken, feeBps, tokenToReceive);
  return { ...quoteBuy(curve, maximumAfterSlippage(least, slippageBps)), minTokenToReceive: tokenToReceive };
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
  const { pool, curve } = venueOf(from);
  if (pool !== undefined) {
    const least = requireLeastIn(pool, 'token', 'solToReceive', solToReceive);
    const quote = quotePoolSell(pool, maximumAfterSlippage(least, slippageBps), 0);
    return { ...quote, minSolToReceive: solToReceive };
  }
  const feeBps = requireTrading(curve);
  const least = leastTokensForSol(curve.virtualSol, curve.virtualToken, feeBps, solToReceive);
  const [most, all] = [maximumAfterSlippage(least, slippageBps), circulating(curve)];
  const tokenToSpend = most > all && least <= all ? all : most;
  return { ...quoteSell(curve, tokenToSpend), minSolToReceive: solToReceive };
}

type Venue =
  | { readonly pool: PoolState; readonly curve?: undefined }
  | { readonly pool?: undefined; readonly curve: CurveState };

function venueOf(from: CurveState | Market): Venue {
  requireObject('curve', from);
  if (!('venue' in from)) return { curve: from };
  const market = requireOpen(from);
  return market.venue === 'pool' ? { pool: market.pool } : { curve: market.curve };
}

/** The fee of a curve that trades, in basis points. */
function requireTrading({ initialized, platformFeeBps, poolAddress, virtualToken }: CurveState): bigint {
  const status =
    initialized ?? (virtualToken === GRADUATION_VIRTUAL_TOKEN ? STATUS_FINALIZED : STATUS_TRADING);
  if (status === STATUS_FINALIZED) throw new TradingMovedError('graduating', poolAddress);
  if (status === STATUS_MIGRATED) throw new TradingMovedError(poolAddress ? 'pool' : 'unknown', poolAddress);
  if (status !== STATUS_TRADING) throw new ProgramError(6001, { argument: 'initialized' });
  return BigInt(requireInteger('platformFeeBps', platformFeeBps, MAX_PLATFORM_FEE_BPS));
}

/** Token units that can be sold. */
function circulating({ highestVirtualToken, virtualToken }: CurveState): bigint {
  return highestVirtualToken === undefined ? TOKEN_SUPPLY : highestVirtualToken - virtualToken;
}
