// Chooses the moments at which a token's holders are sampled. Pure functions; see `docs/decisions/settlement.md`.
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Samples of a period. */
export const SAMPLES = 16;
/** Parts of a stratum by which a sample may be late: a holding of `f` of the period then meets `16 f + 2.4` samples at most. */
const TOLERANCE = 0.4;
const SEED_BYTES = 32;
/** Bytes of the hash that decide where in its stratum a moment lies. */
const FRACTION_BYTES = 6;

/** Inputs of the moments. */
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
 * The moment of a sample, in Unix milliseconds: anywhere in its stratum, the `index`-th of equal parts of the period.
 * Where in it, the first 48 bits of HMAC-SHA256(seed, index in decimal) say. Indexes from `samples` on come after the
 * period: each makes up for a sample that was missed.
 */
export function momentOf({ seed, startedAt, periodMs, samples }: Period, index: number): number {
  const hash = createHmac('sha256', Buffer.from(seed, 'hex')).update(String(index)).digest();
  const fraction = hash.readUIntBE(0, FRACTION_BYTES) / 2 ** (8 * FRACTION_BYTES);
  return startedAt + Math.floor(((index + fraction) * periodMs) / samples);
}

/** After this time a sample counts as missed. */
export function deadlineOf({ startedAt, periodMs, samples }: Period, index: number): number {
  return startedAt + ((index + 1 + TOLERANCE) * periodMs) / samples;
}

/** The sample to take next, or undefined when all are taken. @param taken indexes of those that are taken */
export function nextSample(period: Period, taken: ReadonlySet<number>, now: number): number | undefined {
  if (taken.size >= period.samples) return undefined;
  const elapsed = ((now - period.startedAt) * period.samples) / period.periodMs;
  let index = Math.max(0, Math.floor(elapsed - 1 - TOLERANCE));
  while (taken.has(index) || deadlineOf(period, index) <= now) index += 1;
  return index;
}
