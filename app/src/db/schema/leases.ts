// Leases of instances: see `db/lease.ts`.
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.js';

/** A right that one process holds at a time. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  /** The instance. */
  holder: text().notNull(),
  /** Grows with each new holder: what a former one writes is refused. */
  token: bigint({ mode: 'bigint' }).notNull(),
  expiresAt: moment().notNull(),
  /** The holder's session in the database: when that is gone, so is the holder. */
  sessionPid: integer().notNull(),
  sessionStart: moment().notNull(),
});
