import { randomBytes } from 'node:crypto';

/** Returns PARITY_SEED, to repeat a run, or a new seed. */
export function paritySeed(): bigint {
  const given = process.env['PARITY_SEED'] ?? '';
  if (given === '') return randomBytes(8).readBigUInt64LE();
  if (!/^\d{1,20}$/.test(given))
    throw new Error(`PARITY_SEED is '${given}'; it must be an unsigned 64-bit integer`);
  return BigInt(given);
}
