// Prices as exact fractions, values computed from them, and their decimal format.
import { requireInteger, requirePositiveU64, requireU64 } from '../checks/numbers.js';
import { notA } from '../errors/base.js';
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import {
  BASIS_POINTS,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_DECIMALS,
  TOKEN_SUPPLY,
} from '../generated/constants.js';
import { impactBps } from './maths.js';

/** Decimals of SOL: a lamport is 10^−9 SOL. */
export const SOL_DECIMALS = 9;

/** An exact price: `lamports / tokenUnits`. */
export interface Price {
  readonly lamports: bigint;
  readonly tokenUnits: bigint;
}

/** The two virtual reserves of a curve: lamports and smallest token units. */
export interface Reserves {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** The progress of a curve towards graduation. Token units. */
export interface GraduationProgress {
  /** Tokens sold so far. */
  readonly sold: bigint;
  /** Tokens sold when the curve graduates. */
  readonly target: bigint;
  /** `sold / target` in basis points, rounded down: 10,000 only for a graduated curve. */
  readonly progressBps: number;
}

/** The marginal price of a curve, before the fee: `virtualSol / virtualToken`. */
export function priceOf(reserves: Reserves): Price {
  requireObject('reserves', reserves);
  const { virtualSol, virtualToken } = reserves;
  return {
    lamports: requireU64('virtualSol', virtualSol),
    tokenUnits: requirePositiveU64('virtualToken', virtualToken),
  };
}

/** Value of the whole supply at the curve's price in lamports, rounded down: `⌊virtualSol · supply / virtualToken⌋`. */
export function marketCap(reserves: Reserves): bigint {
  const { lamports, tokenUnits } = priceOf(reserves);
  return (lamports * TOKEN_SUPPLY) / tokenUnits;
}

/**
 * Progress from creation to graduation, exact.
 *
 * @param initialVirtualToken the token reserve at the curve's creation: `virtualToken` of its CreateRecord. (The
 *   properties hold the current value, which may have changed since.)
 * @throws InvalidArgumentError for reserves that cannot belong to one curve
 */
export function graduationProgress(virtualToken: bigint, initialVirtualToken: bigint): GraduationProgress {
  requireU64('virtualToken', virtualToken);
  requireU64('initialVirtualToken', initialVirtualToken);
  if (initialVirtualToken <= GRADUATION_VIRTUAL_TOKEN) {
    throw new InvalidArgumentError(
      'initialVirtualToken',
      `is ${initialVirtualToken}; it must exceed the graduation reserve, ${GRADUATION_VIRTUAL_TOKEN}`,
    );
  }
  if (virtualToken < GRADUATION_VIRTUAL_TOKEN || virtualToken > initialVirtualToken) {
    throw new InvalidArgumentError(
      'virtualToken',
      `is ${virtualToken}; it must be from ${GRADUATION_VIRTUAL_TOKEN} to initialVirtualToken, ${initialVirtualToken}`,
    );
  }
  const sold = initialVirtualToken - virtualToken;
  const target = initialVirtualToken - GRADUATION_VIRTUAL_TOKEN;
  return { sold, target, progressBps: Number((sold * BigInt(BASIS_POINTS)) / target) };
}

/**
 * How far a trade's output is below the output at the price before it, in basis points, rounded up:
 * `⌈(1 − actual / ideal) · 10,000⌉`. Both amounts must have the same denominator.
 */
export function priceImpactBps(ideal: bigint, actual: bigint): number {
  if (typeof ideal !== 'bigint') throw notA('ideal', 'a bigint', ideal);
  if (typeof actual !== 'bigint') throw notA('actual', 'a bigint', actual);
  return impactBps(ideal, actual);
}

/**
 * A price in SOL per token as decimal text, rounded half up.
 *
 * @param digits digits after the point, 0 to 30
 */
export function formatPrice(price: Price, digits = 12): string {
  requireObject('price', price);
  const { lamports, tokenUnits } = price;
  requireU64('lamports', lamports);
  requirePositiveU64('tokenUnits', tokenUnits);
  requireInteger('digits', digits, 30);
  const dividend = lamports * 10n ** BigInt(TOKEN_DECIMALS + digits);
  const divisor = tokenUnits * 10n ** BigInt(SOL_DECIMALS);
  return formatUnits((2n * dividend + divisor) / (2n * divisor), digits);
}

/** Lamports as SOL, exact and without trailing zeros: `1500000000n` → `"1.5"`. */
export function formatSol(lamports: bigint): string {
  return formatUnits(lamports, SOL_DECIMALS).replace(TRAILING_ZEROS, '');
}

/** Smallest token units as tokens, exact and without trailing zeros: `1500000n` → `"1.5"`. */
export function formatTokens(tokenUnits: bigint): string {
  return formatUnits(tokenUnits, TOKEN_DECIMALS).replace(TRAILING_ZEROS, '');
}

/**
 * Parses SOL written by a person to lamports: `"1.5"` → `1500000000n`. @throws InvalidArgumentError for other text,
 * such as a tenth decimal.
 */
export function parseSol(sol: string): bigint {
  return parseUnits('sol', sol, SOL_DECIMALS);
}

/**
 * Parses tokens written by a person to smallest units: `"1.5"` → `1500000n`. @throws InvalidArgumentError for other
 * text, such as a seventh decimal.
 */
export function parseTokens(tokens: string): bigint {
  return parseUnits('tokens', tokens, TOKEN_DECIMALS);
}

const TRAILING_ZEROS = /\.?0+$/;

function formatUnits(amount: bigint, decimals: number): string {
  if (typeof amount !== 'bigint') throw notA('amount', 'a bigint', amount);
  const sign = amount < 0n ? '-' : '';
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function parseUnits(argument: string, text: string, decimals: number): bigint {
  const parts = typeof text === 'string' ? /^(\d+)(?:\.(\d+))?$/.exec(text) : null;
  const [, whole = '', fraction = ''] = parts ?? [];
  if (parts === null || fraction.length > decimals) {
    throw new InvalidArgumentError(
      argument,
      `must be a decimal number with at most ${decimals} digits after the point`,
    );
  }
  return requireU64(argument, BigInt(whole + fraction.padEnd(decimals, '0')));
}
