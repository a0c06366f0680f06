// Chooses the times at which a token's holders are sampled. Pure functions; see `docs/decisions/settlement.md`.
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Number of samples in a period. */
export const SAMPLES = 16;
/**
 * How late a sample may be, as a fraction of a stratum. A wallet that holds tokens for a fraction `f` of the period then
 * appears in at most `16 f + 2.4` samples.
 */
const TOLERANCE = 0.4;
const SEED_BYTES = 32;
/** Number of hash bytes that decide the position of a sample in its stratum. */
const FRACTION_BYTES = 6;

/** Inputs of the sampling times. */
export interface Period {
  /** 32 bytes in hex. */
  readonly seed: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly periodMs: number;
  readonly samples: number;
}

/** A random seed in hex. */
export function newSeed(): string {
  return randomBytes(SEED_BYTES).toString('hex');
}

/** The public commitment to a seed: SHA-256 of its bytes, in hex. */
export function seedHashOf(seed: string): string {
  return createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex');
}

/**
 * The time of a sample, in Unix milliseconds: a random point in its stratum, the `index`-th of equal parts of the period.
 * The first 48 bits of HMAC-SHA256(seed, index in decimal) decide the point. Indexes from `samples` on come after the
 * period: each replaces a missed sample.
 */
export function momentOf({ seed, startedAt, periodMs, samples }: Period, index: number): number {
  const hash = createHmac('sha256', Buffer.from(seed, 'hex')).update(String(index)).digest();
  const fraction = hash.readUIntBE(0, FRACTION_BYTES) / 2 ** (8 * FRACTION_BYTES);
  return startedAt + Math.floor(((index + fraction) * periodMs) / samples);
}

/** A sample that is later than this counts as missed. */
export function deadlineOf({ startedAt, periodMs, samples }: Period, index: number): number {
  return startedAt + ((index + 1 + TOLERANCE) * periodMs) / samples;
}

/** The index of the next sample; undefined when all samples are taken. @param taken indexes of the taken samples */
export function nextSample(period: Period, taken: ReadonlySet<number>, now: number): number | undefined {
  if (taken.size >= period.samples) return undefined;
  const elapsed = ((now - period.startedAt) * period.samples) / period.periodMs;
  let index = Math.max(0, Math.floor(elapsed - 1 - TOLERANCE));
  while (taken.has(index) || deadlineOf(period, index) <= now) index += 1;
  return index;
}
