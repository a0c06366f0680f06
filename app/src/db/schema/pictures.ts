// Pictures and metadata that this service stores itself, and hidden tokens.
import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { address, moment } from './columns.js';

/** Files in the store. A file that no token uses is removed a day after it was last stored. */
export const storedFiles = pgTable(
  'stored_files',
  {
    /** SHA-256 of the content, in hex. */
    hash: text().primaryKey(),
    kind: text({ enum: ['picture', 'document'] }).notNull(),
    bytes: integer().notNull(),
    storedAt: moment().notNull().defaultNow(),
  },
  (table) => [index('stored_files_age').on(table.storedAt)],
);

/** Tokens that an operator has hidden: `curvekit token hide`. */
export const hiddenTokens = pgTable('hidden_tokens', {
  mint: address().primaryKey(),
  /** For the operator, not shown to users. */
  reason: text().notNull(),
  hiddenAt: moment().notNull().defaultNow(),
});
