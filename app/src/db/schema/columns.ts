// Column types that the tables share.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
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

/** A base58 public key. */
export const address = byteText;
/** A base58 transaction or message signature. */
export const signature = byteText;

/** A time on the service's own clock. Times of the cluster's clock are stored in Unix seconds. */
export const moment = () => timestamp({ withTimezone: true, mode: 'date' });

/** Hash of 64 bits, as a key of an index that is not unique: two texts can have the same. */
export function hashOf(text: SQLWrapper): SQL {
  return sql`hashtextextended(${text}, 0)`;
}

/** Half of a SHA-256, as a key of a unique index: nobody finds two addresses or signatures with the same. */
export function digestOf(text: SQLWrapper): SQL {
  return sql`substr(sha256(${text}::bytea), 1, 16)`;
}

/** Whether a text with such a hash equals another one, so that the index of the hash is used. */
export function isText(text: SQLWrapper, other: SQLWrapper): SQL {
  return sql`(${hashOf(text)} = ${hashOf(other)} and ${text} = ${other})`;
}
