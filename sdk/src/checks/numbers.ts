// Checks of numbers. Separate from the checks of keys, so that quotes need no web3.js.
import { InvalidArgumentError, notA } from '../errors/base.js';
import { BASIS_POINTS } from '../generated/constants.js';

/** The largest amount an account or argument can hold. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** All basis points, for integer maths. */
export const WHOLE_BPS = /* @__PURE__ */ BigInt(BASIS_POINTS);

/** @throws InvalidArgumentError unless `value` is a bigint from 0 to 2^64 − 1. */
export function requireU64(argument: string, value: bigint): bigint {
  if (typeof value !== 'bigint') throw notA(argument, 'a bigint', value);
  if (BigInt.asUintN(64, value) === value) return value;
  const rule = value < 0n ? 'be negative' : `exceed ${U64_MAX} (u64)`;
  throw new InvalidArgumentError(argument, `is ${value}; it must not ${rule}`);
}

/** @throws InvalidArgumentError unless `value` is a bigint from 1 to 2^64 − 1. */
export function requirePositiveU64(argument: string, value: bigint): bigint {
  if (requireU64(argument, value) === 0n)
    throw new InvalidArgumentError(argument, 'is 0; it must be positive');
  return value;
}

/**
 * Converts a bigint to the number that web3.js expects. @throws InvalidArgumentError unless it is from 1 to 2^53 − 1.
 */
export function requirePositiveSafeInteger(argument: string, value: bigint): number {
  if (requirePositiveU64(argument, value) > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgumentError(argument, `is ${value}; it must not exceed ${Number.MAX_SAFE_INTEGER}`);
  }
  return Number(value);
}

/** @throws InvalidArgumentError unless `value` is an integer from `min` to `max`. */
export function requireInteger(argument: string, value: number, max: number, min = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw notA(argument, 'an integer', value);
  if (value < min || value > max) {
    throw new InvalidArgumentError(argument, `is ${value}; it must be from ${min} to ${max}`);
  }
  return value;
}
