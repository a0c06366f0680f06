/**
 * Raydium's CPMM to the unit: a constant product with a fee on the input. Every rounding favours the pool.
 *
 * Rates are millionths. The reserves do not contain the protocol, fund and creator fees that lie in the vaults, so these
 * leave them with each trade; the rest of the trade fee stays in for the liquidity.
 */
import { otherSide, type PoolReserves, type PoolSide, type PoolSwap, type PoolTrade } from '../trade.js';

const RATE_WHOLE = 1_000_000n;

/** What a quote needs to know of a pool: its reserves, and the rates of its fee tier. */
export interface CpmmPool extends PoolReserves {
  readonly amm: 'raydium-cpmm';
  /** Whether the AMM's admin lets the pool trade. */
  readonly tradable: boolean;
  /** Unix seconds before which the pool refuses trades. */
  readonly openTime: bigint;
  /** Of the input. */
  readonly tradeFeeRate: bigint;
  /** Of the trade fee. */
  readonly protocolFeeRate: bigint;
  /** Of the trade fee. */
  readonly fundFeeRate: bigint;
  /** Of the side that `creatorFeeSide` names; 0 in a pool without a creator fee. */
  readonly creatorFeeRate: bigint;
  /** Where the creator fee is taken: from any trade's input, or always in the same asset. */
  readonly creatorFeeSide: 'input' | PoolSide;
}

/** A trade, with the fees that go to each receiver. */
export interface CpmmTrade extends PoolTrade<CpmmPool> {
  /** Part of `inputFee`. */
  readonly protocolFee: bigint;
  /** Part of `inputFee`. */
  readonly fundFee: bigint;
  /** Part of `inputFee`, or all of `outputFee`. */
  readonly creatorFee: bigint;
}

/**
 * The trade that pays exactly `amountIn`, as `swap_base_input` does it.
 *
 * `fee = ⌈in · rate⌉`, `out = ⌊(in − fee) · reserveOut / (reserveIn + in − fee)⌋`. A creator fee on the input adds its rate to
 * the trade fee's, and gets `⌊fee · creatorRate / rate⌋` of the sum; one on the output takes `⌈out · creatorRate⌉` from it.
 * Of the trade fee, the protocol and the fund get `⌊tradeFee · theirRate⌋` each.
 */
export function exactIn(pool: CpmmPool, input: PoolSide, amountIn: bigint): CpmmTrade {
  const output = otherSide(input);
  const onInput = creatorFeeOnInput(pool, input);
  const inputRate = inputFeeRate(pool, input);
  const inputFee = ceilDiv(amountIn * inputRate, RATE_WHOLE);
  const creatorInputFee = onInput && inputRate > 0n ? (inputFee * pool.creatorFeeRate) / inputRate : 0n;
  const net = amountIn - inputFee;
  const traded = pool[input] + net === 0n ? 0n : (net * pool[output]) / (pool[input] + net);
  const outputFee = onInput ? 0n : ceilDiv(traded * pool.creatorFeeRate, RATE_WHOLE);

  const tradeFee = inputFee - creatorInputFee;
  const protocolFee = (tradeFee * pool.protocolFeeRate) / RATE_WHOLE;
  const fundFee = (tradeFee * pool.fundFeeRate) / RATE_WHOLE;
  const reserveIn = pool[input] + amountIn - protocolFee - fundFee - creatorInputFee;
  const reserveOut = pool[output] - traded;
  return {
    amountIn,
    amountOut: traded - outputFee,
    inputFee,
    outputFee,
    protocolFee,
    fundFee,
    creatorFee: onInput ? creatorInputFee : outputFee,
    after:
      input === 'sol'
        ? { ...pool, sol: reserveIn, token: reserveOut }
        : { ...pool, sol: reserveOut, token: reserveIn },
  };
}

/**
 * The least input that yields at least `amountOut`: what `swap_base_output` takes for exactly that output.
 *
 * {@link exactIn} backwards, each step rounded up: `traded = ⌈out / (1 − creatorRate)⌉` where the creator fee is on the output,
 * `net = ⌈reserveIn · traded / (reserveOut − traded)⌉`, `in = ⌈net / (1 − rate)⌉`.
 */
export function leastIn(pool: CpmmPool, input: PoolSide, amountOut: bigint): bigint | undefined {
  const traded = creatorFeeOnInput(pool, input) ? amountOut : beforeFee(amountOut, pool.creatorFeeRate);
  const left = traded === undefined ? 0n : pool[otherSide(input)] - traded;
  if (traded === undefined || left <= 0n) return undefined;
  return beforeFee(ceilDiv(pool[input] * traded, left), inputFeeRate(pool, input));
}

/**
 * The pool after a swap, whether it was of an exact input or of an exact output: the fees depend on the input alone. A creator
 * fee on the output, which no graduated pool has, is that of an exact input.
 */
export function afterSwap(
  pool: CpmmPool,
  { input, amountIn, amountOut }: Pick<PoolSwap, 'input' | 'amountIn' | 'amountOut'>,
): CpmmPool {
  const { after, outputFee } = exactIn(pool, input, amountIn);
  const output = otherSide(input);
  return { ...after, [output]: pool[output] - amountOut - outputFee };
}

function creatorFeeOnInput({ creatorFeeSide }: CpmmPool, input: PoolSide): boolean {
  return creatorFeeSide === 'input' || creatorFeeSide === input;
}

function inputFeeRate(pool: CpmmPool, input: PoolSide): bigint {
  return pool.tradeFeeRate + (creatorFeeOnInput(pool, input) ? pool.creatorFeeRate : 0n);
}

/** The least amount that leaves `amount` when the fee on it is taken out; undefined when the fee takes everything. */
function beforeFee(amount: bigint, rate: bigint): bigint | undefined {
  return rate < RATE_WHOLE ? ceilDiv(amount * RATE_WHOLE, RATE_WHOLE - rate) : undefined;
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
