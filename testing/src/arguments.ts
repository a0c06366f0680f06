// Checks of arguments, with the SDK's own error.
import { InvalidArgumentError } from '@curvekit/sdk';

const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** @throws InvalidArgumentError unless `value` is a bigint from `min` to 2^64 − 1 */
export function requireU64(argument: string, value: bigint, min = 0n): bigint {
  if (typeof value !== 'bigint')
    throw new InvalidArgumentError(argument, `is of type ${typeof value}; it must be a bigint`);
  if (value < min || value > U64_MAX)
    throw new InvalidArgumentError(argument, `is ${value}; it must be from ${min} to ${U64_MAX} (u64)`);
  return value;
}

/** @throws InvalidArgumentError unless `value` is a bigint from 1 to 2^64 − 1 */
export function requirePositiveU64(argument: string, value: bigint): bigint {
  return requireU64(argument, value, 1n);
}

/** @throws InvalidArgumentError unless `value` is an integer from `min` to `max` */
export function requireInteger(argument: string, value: number, max: number, min = 0): number {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new InvalidArgumentError(argument, `is ${value}; it must be an integer from ${min} to ${max}`);
  return value;
}
