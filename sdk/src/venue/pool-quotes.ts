// Quotes of a pool in the format of a curve's quotes, for arguments that are checked. The fees are the pool's; the platform takes none.
import { poolLeastIn, poolTrade, type PoolState } from '../amm/maths.js';
import type { PoolSide, PoolTrade } from '../amm/trade.js';
import { U64_MAX } from '../checks/numbers.js';
import { impactBps, leastAfterSlippage } from '../curve/maths.js';
import type { Price } from '../curve/price.js';
import { refused } from '../curve/refused.js';
import { InvalidArgumentError, ProgramError } from '../errors/index.js';
import type { BuyQuote, SellQuote } from './quotes.js';

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

export function poolBuyQuote(pool: PoolState, solToSpend: bigint, slippageBps: number): PoolBuyQuote {
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
    priceImpactBps: impactBps(net * pool.token, (amountOut + outputFee) * pool.sol),
    pool: after,
  };
}

export function poolSellQuote(pool: PoolState, tokenToSpend: bigint, slippageBps: number): PoolSellQuote {
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
    priceImpactBps: impactBps((tokenToSpend - inputFee) * pool.sol, gross * pool.token),
    pool: after,
  };
}

/** The least `input` that yields at least `amountOut`. @throws InvalidArgumentError when no input does */
export function poolLeast(
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
