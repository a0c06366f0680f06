// What could not be done yet, and when it is tried again.
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { byteText, moment } from './columns.js';
import { TASK_KINDS } from './task-kinds.js';

/** A row for each subject that waits; none for what was done, or was never tried. */
export const tasks = pgTable(
  'tasks',
  {
    kind: text({ enum: TASK_KINDS }).notNull(),
    /** A token's address, or `referrals`. */
    subject: byteText().notNull(),
    /** Failed attempts in a row; 0 when it waits for an operator. */
    attempts: integer().notNull(),
    dueAt: moment().notNull(),
    /** Why it waits; null after an attempt that succeeded, until the index shows it. */
    problem: text(),
    since: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subject] }),
    index('tasks_due').on(table.kind, table.dueAt),
    check('tasks_kind', sql`${table.kind} in (${sql.raw(TASK_KINDS.map((kind) => `'${kind}'`).join(', '))})`),
  ],
);
