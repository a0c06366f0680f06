// Column types that the tables share.
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';

/** Widest possible sum of u64 amounts: of more than 2^64 of them. */
const SUM_DIGITS = 39;
/** Digits of the largest u64. */
const U64_DIGITS = 20;

/** A u64 amount of the program: lamports or token base units. A JS bigint. */
export const amount = () => numeric({ precision: U64_DIGITS, scale: 0, mode: 'bigint' });

/** A signed sum of amounts. A JS bigint. */
export const sum = () => numeric({ precision: SUM_DIGITS, scale: 0, mode: 'bigint' });

/** Text that sorts and compares by its bytes, as base58 addresses and signatures must. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** A time on the service's own clock. Times of the cluster's clock are stored in Unix seconds. */
export const moment = () => timestamp({ withTimezone: true, mode: 'date' });
