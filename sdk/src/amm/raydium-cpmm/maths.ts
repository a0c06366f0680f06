/**
 * Raydium's CPMM, exact to the unit: a constant product with a fee on the input. Every rounding favours the pool.
 *
 * Rates are in millionths. The vaults also hold protocol, fund and creator fees, which the reserves exclude: each trade
 * takes its share of these fees out of the reserves. The rest of the trade fee stays in the reserves, for the liquidity
 * providers.
 */
import { otherSide, type PoolReserves, type PoolSide, type PoolSwap, type PoolTrade } from '../trade.js';

const RATE_WHOLE = 1_000_000n;

/** The state of a pool that a quote needs: its reserves and the rates of its fee tier. */
export interface CpmmPool extends PoolReserves {
  readonly amm: 'raydium-cpmm';
  /** False when the AMM's admin has disabled swaps in the pool. */
  readonly tradable: boolean;
  /** Unix seconds. The pool refuses trades before this time. */
  readonly openTime: bigint;
  /** Share of the input. */
  readonly tradeFeeRate: bigint;
  /** Share of the trade fee. */
  readonly protocolFeeRate: bigint;
  /** Share of the trade fee. */
  readonly fundFeeRate: bigint;
  /** Share of the side that `creatorFeeSide` names. 0 for a pool without a creator fee. */
  readonly creatorFeeRate: bigint;
  /** The side that pays the creator fee: the input of each trade, or always the same asset. */
  readonly creatorFeeSide: 'input' | PoolSide;
}

/** A trade, with the fee of each receiver. */
export interface CpmmTrade extends PoolTrade<CpmmPool> {
  /** Part of `inputFee`. */
  readonly protocolFee: bigint;
  /** Part of `inputFee`. */
  readonly fundFee: bigint;
  /** Part of `inputFee`, or all of `outputFee`. */
  readonly creatorFee: bigint;
}

/**
 * The trade that pays exactly `amountIn`, computed like `swap_base_input`.
 *
 * `fee = ⌈in · rate⌉`, `out = ⌊(in − fee) · reserveOut / (reserveIn + in − fee)⌋`. A creator fee on the input adds its
 * rate to the rate of the trade fee, and gets `⌊fee · creatorRate / rate⌋` of the sum. A creator fee on the output
 * takes `⌈out · creatorRate⌉` from the output. The protocol and the fund each get `⌊tradeFee · theirRate⌋` of the trade
 * fee.
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
 * The least input that yields at least `amountOut`. `swap_base_output` takes the same input for exactly that output.
 *
 * The inverse of {@link exactIn}, each step rounded up: `traded = ⌈out / (1 − creatorRate)⌉` when the creator fee is on
 * the output, `net = ⌈reserveIn · traded / (reserveOut − traded)⌉`, `in = ⌈net / (1 − rate)⌉`.
 */
export function leastIn(pool: CpmmPool, input: PoolSide, amountOut: bigint): bigint | undefined {
  const traded = creatorFeeOnInput(pool, input) ? amountOut : beforeFee(amountOut, pool.creatorFeeRate);
  const left = traded === undefined ? 0n : pool[otherSide(input)] - traded;
  if (traded === undefined || left <= 0n) return undefined;
  return beforeFee(ceilDiv(pool[input] * traded, left), inputFeeRate(pool, input));
}

/**
 * The pool after a swap of an exact input or of an exact output. The result is the same, because the fees depend only
 * on the input. A creator fee on the output is computed as for an exact input; no graduated pool has one.
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

/** The least amount that leaves `amount` after the fee. Undefined when the fee takes everything. */
function beforeFee(amount: bigint, rate: bigint): bigint | undefined {
  return rate < RATE_WHOLE ? ceilDiv(amount * RATE_WHOLE, RATE_WHOLE - rate) : undefined;
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
