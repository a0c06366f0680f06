// Converts slots: bigints in Kit, numbers in the core.
import type * as core from '../../feed/index.js';
import { withAddresses } from '../convert.js';
import type { AnyRecord, FeedStart } from './options.js';

/** The same value with its slot as another type. A string is returned unchanged. */
export function withSlot(value: object | string, as: (slot: bigint) => bigint | number): unknown {
  return typeof value === 'string' ? value : { ...value, slot: as((value as { slot: bigint }).slot) };
}

export function kitRecord(record: core.AnyRecord): AnyRecord {
  return withAddresses(withSlot(record, BigInt)) as AnyRecord;
}

/**
 * Converts the start of a feed. A value that is not a record's source is returned unchanged, so that the core refuses
 * it and names the argument.
 */
export function coreStart(from: FeedStart | undefined): core.FeedStart | undefined {
  const { slot } = Object(from) as { slot?: unknown };
  return (typeof slot === 'bigint' ? withSlot(from!, Number) : from) as core.FeedStart | undefined;
}
