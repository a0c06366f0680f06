// Slots are bigints in Kit and numbers in the core.
import type * as core from '../../feed/index.js';
import { withAddresses } from '../convert.js';
import type { AnyRecord, FeedStart } from './options.js';

/** The same value with its slot as another type; a word stays as it is. */
export function withSlot(value: object | string, as: (slot: bigint) => bigint | number): unknown {
  return typeof value === 'string' ? value : { ...value, slot: as((value as { slot: bigint }).slot) };
}

/** A record of the core for users of Kit. */
export function kitRecord(record: core.AnyRecord): AnyRecord {
  return withAddresses(withSlot(record, BigInt)) as AnyRecord;
}

/** Where to begin. What is not a record's source stays as it is: the core refuses it, and names the argument. */
export function coreStart(from: FeedStart | undefined): core.FeedStart | undefined {
  const { slot } = Object(from) as { slot?: unknown };
  return (typeof slot === 'bigint' ? withSlot(from!, Number) : from) as core.FeedStart | undefined;
}
