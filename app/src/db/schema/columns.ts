// Column types that the tables share.
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core';

/** Widest sum of u64 amounts that can come up: more than 2^64 of them. */
const SUM_DIGITS = 39;
/** Digits of the largest u64. */
const U64_DIGITS = 20;

/** An amount as the program knows it, u64: lamports or smallest token units. A JS bigint. */
export const amount = () => numeric({ precision: U64_DIGITS, scale: 0, mode: 'bigint' });

/** A signed sum of amounts. A JS bigint. */
export const sum = () => numeric({ precision: SUM_DIGITS, scale: 0, mode: 'bigint' });

/** Text that sorts and compares by its bytes, as base58 addresses and signatures must. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** A base58 public key. */
export const address = byteText;
/** A base58 transaction or message signature. */
export const signature = byteText;

/** A moment on the service's own clock, unlike the cluster's, which is stored in Unix seconds. */
export const moment = () => timestamp({ withTimezone: true, mode: 'date' });
