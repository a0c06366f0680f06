// Quotes of arguments that are checked: `quotes.ts` checks those of callers, and `trade` reads its own from the chain.
import { poolLeastIn, type PoolState, poolTrade } from '../amm/maths.js';
import { U64_MAX } from '../checks/numbers.js';
import {
  bought,
  bpsOf,
  impactOf,
  leastAfterSlippage,
  leastSol,
  leastTokens,
  mostAfterSlippage,
  refused,
  sold,
} from '../curve/maths.js';
import { InvalidArgumentError, ProgramError, TradingMovedError } from '../errors/index.js';
import {
  GRADUATION_VIRTUAL_TOKEN,
  STATUS_FINALIZED,
  STATUS_MIGRATED,
  STATUS_TRADING,
  TOKEN_SUPPLY,
} from '../generated/constants.js';
import type { CurveMarket, PoolMarket } from './market.js';
import type { BuyQuote, CurveState, SellQuote } from './quotes.js';
import type { PoolSide, PoolTrade } from '../amm/trade.js';
import type { Price } from '../curve/price.js';

export type Venue =
  | { readonly pool: PoolState; readonly curve?: undefined }
  | { readonly pool?: undefined; readonly curve: CurveState };

export const venueOf = (market: CurveMarket | PoolMarket): Venue =>
  market.venue === 'pool' ? { pool: market.pool } : { curve: market.curve };

export function buyQuote(
  { pool, curve }: Venue,
  solToSpend: bigint,
  slippageBps: number,
): BuyQuote | PoolBuyQuote {
  if (pool !== undefined) return poolBuyQuote(pool, solToSpend, slippageBps);
  const feeBps = tradingFee(curve);
  const { virtualSol, virtualToken } = curve;
  const after = bought(virtualSol, virtualToken, feeBps, solToSpend);
  const { tokenOut, net, fee, graduates, clipped } = after;
  const solSpent = clipped ? net + fee : solToSpend;
  // The program compares a clipped buy's price with solToSpend / minTokenToReceive. For a very large solToSpend the
  // scaled minimum would exceed u64.
  const wouldBuy = clipped ? (tokenOut * solToSpend) / solSpent : tokenOut;
  const quoted = clipped && wouldBuy > U64_MAX ? U64_MAX : wouldBuy;
  return {
    solToSpend,
    minTokenToReceive: leastAfterSlippage(quoted, slippageBps),
    tokenOut,
    solSpent,
    net,
    fee,
    clipped,
    graduates,
    priceBefore: { lamports: virtualSol, tokenUnits: virtualToken },
    priceAfter: { lamports: after.virtualSol, tokenUnits: after.virtualToken },
    priceImpactBps: impactOf(net, virtualSol, tokenOut, virtualToken),
    virtualSol: after.virtualSol,
    virtualToken: after.virtualToken,
  };
}

export function sellQuote(
  { pool, curve }: Venue,
  tokenToSpend: bigint,
  slippageBps: number,
): SellQuote | PoolSellQuote {
  if (pool !== undefined) return poolSellQuote(pool, tokenToSpend, slippageBps);
  const feeBps = tradingFee(curve);
  const { virtualSol, virtualToken } = curve;
  const after = sold(virtualSol, virtualToken, feeBps, tokenToSpend);
  const { gross, fee, solOut } = after;
  const most = circulating(curve);
  if (tokenToSpend > most) throw refused('tokenToSpend', `is ${tokenToSpend}; only ${most} circulate`);
  return {
    tokenToSpend,
    minSolToReceive: leastAfterSlippage(solOut, slippageBps),
    solOut,
    gross,
    fee,
    priceBefore: { lamports: virtualSol, tokenUnits: virtualToken },
    priceAfter: { lamports: after.virtualSol, tokenUnits: after.virtualToken },
    priceImpactBps: impactOf(tokenToSpend, virtualToken, gross, virtualSol),
    virtualSol: after.virtualSol,
    virtualToken: after.virtualToken,
  };
}

export function buyOutQuote(
  venue: Venue,
  tokenToReceive: bigint,
  slippageBps: number,
): BuyQuote | PoolBuyQuote {
  const { pool, curve } = venue;
  const least =
    pool === undefined
      ? leastSol(curve.virtualSol, curve.virtualToken, tradingFee(curve), tokenToReceive)
      : poolLeast(pool, 'sol', 'tokenToReceive', tokenToReceive);
  const most = mostAfterSlippage(least, slippageBps);
  if (most > U64_MAX)
    throw new InvalidArgumentError('solToSpend', `is ${most}; it must not exceed ${U64_MAX} (u64)`);
  return { ...buyQuote(venue, most, 0), minTokenToReceive: tokenToReceive };
}

export function sellOutQuote(
  venue: Venue,
  solToReceive: bigint,
  slippageBps: number,
): SellQuote | PoolSellQuote {
  const { pool, curve } = venue;
  const least =
    pool === undefined
      ? leastTokens(curve.virtualSol, curve.virtualToken, tradingFee(curve), solToReceive)
      : poolLeast(pool, 'token', 'solToReceive', solToReceive);
  const most = mostAfterSlippage(least, slippageBps);
  const all = pool === undefined ? circulating(curve) : most;
  return { ...sellQuote(venue, most > all && least <= all ? all : most, 0), minSolToReceive: solToReceive };
}

/** The fee of a curve that trades, in basis points. */
function tradingFee({ initialized, platformFeeBps, poolAddress, virtualToken }: CurveState): bigint {
  const status =
    initialized ?? (virtualToken === GRADUATION_VIRTUAL_TOKEN ? STATUS_FINALIZED : STATUS_TRADING);
  if (status === STATUS_FINALIZED) throw new TradingMovedError('graduating', poolAddress);
  if (status === STATUS_MIGRATED) throw new TradingMovedError(poolAddress ? 'pool' : 'unknown', poolAddress);
  if (status !== STATUS_TRADING) throw new ProgramError(6001, { argument: 'initialized' });
  return bpsOf(platformFeeBps);
}

/** Token units that can be sold. */
function circulating({ highestVirtualToken, virtualToken }: CurveState): bigint {
  return highestVirtualToken === undefined ? TOKEN_SUPPLY : highestVirtualToken - virtualToken;
}

/** Quote of a buy from a pool. The buy is never clipped and never graduates a curve. */
export interface PoolBuyQuote extends Omit<BuyQuote, 'virtualSol' | 'virtualToken'> {
  readonly clipped: false;
  readonly graduates: false;
  /** Token units that the pool deducts from the bought tokens. `fee` is the deduction from the lamports. */
  readonly tokenFee: bigint;
  /** The pool after the trade. */
  readonly pool: PoolState;
}

/** Quote of a sell to a pool. */
export interface PoolSellQuote extends Omit<SellQuote, 'virtualSol' | 'virtualToken'> {
  /** Token units that the pool deducts from the sold tokens. `fee` is the deduction from the lamports. */
  readonly tokenFee: bigint;
  /** The pool after the trade. */
  readonly pool: PoolState;
}

function poolBuyQuote(pool: PoolState, solToSpend: bigint, slippageBps: number): PoolBuyQuote {
  const trade = requireTrade(pool, 'sol', 'solToSpend', solToSpend);
  const { amountOut, inputFee, outputFee, after } = trade;
  const net = solToSpend - inputFee;
  return {
    solToSpend,
    minTokenToReceive: leastAfterSlippage(amountOut, slippageBps),
    tokenOut: amountOut,
    solSpent: solToSpend,
    net,
    fee: inputFee,
    tokenFee: outputFee,
    clipped: false,
    graduates: false,
    priceBefore: priceOf(pool),
    priceAfter: priceOf(after),
    priceImpactBps: impactOf(net, pool.sol, amountOut + outputFee, pool.token),
    pool: after,
  };
}

function poolSellQuote(pool: PoolState, tokenToSpend: bigint, slippageBps: number): PoolSellQuote {
  const trade = requireTrade(pool, 'token', 'tokenToSpend', tokenToSpend);
  const { amountOut, inputFee, outputFee, after } = trade;
  const gross = amountOut + outputFee;
  return {
    tokenToSpend,
    minSolToReceive: leastAfterSlippage(amountOut, slippageBps),
    solOut: amountOut,
    gross,
    fee: outputFee,
    tokenFee: inputFee,
    priceBefore: priceOf(pool),
    priceAfter: priceOf(after),
    priceImpactBps: impactOf(tokenToSpend - inputFee, pool.token, gross, pool.sol),
    pool: after,
  };
}

/** The least `input` that yields at least `amountOut`. @throws InvalidArgumentError when no input does */
function poolLeast(
  pool: PoolState,
  input: PoolSide,
  argument: 'tokenToReceive' | 'solToReceive',
  amountOut: bigint,
): bigint {
  requireTradable(pool);
  const least = poolLeastIn(pool, input, amountOut);
  if (least !== undefined && least <= U64_MAX) return least;
  const held = pool[input === 'sol' ? 'token' : 'sol'];
  throw new InvalidArgumentError(
    argument,
    `is ${amountOut}; no amount that fits u64 buys as much from this pool, which holds ${held}`,
  );
}

function requireTrade(
  pool: PoolState,
  input: PoolSide,
  argument: 'solToSpend' | 'tokenToSpend',
  amount: bigint,
): PoolTrade<PoolState> {
  requireTradable(pool);
  const trade = poolTrade(pool, input, amount);
  if (trade.amountOut === 0n) throw refused(argument, `is ${amount}, which buys less than one unit`);
  if (pool[input] + amount > U64_MAX) throw refused(argument, `is ${amount}, more than the pool can hold`);
  return trade;
}

function requireTradable({ tradable }: PoolState): void {
  if (tradable) return;
  const explanation =
    "the AMM's admin has stopped the trades of this pool; try again when it has resumed them";
  throw new ProgramError(6001, { argument: 'pool', explanation });
}

function priceOf({ sol, token }: PoolState): Price {
  return { lamports: sol, tokenUnits: token };
}
