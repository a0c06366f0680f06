// Leases of instances: see `db/lease.ts`.
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.js';

/** Leases: each has one holder at a time. */
export const leases = pgTable('leases', {
  name: text().primaryKey(),
  /** The instance that holds the lease. */
  holder: text().notNull(),
  /** Grows with each new holder. Writes with an old token are refused. */
  token: bigint({ mode: 'bigint' }).notNull(),
  expiresAt: moment().notNull(),
  /** The holder's database session. When the session ends, the lease ends too. */
  sessionPid: integer().notNull(),
  sessionStart: moment().notNull(),
});
