// Which versions of the SQL a database has had: see `db/sql-version.ts`.
import { bigserial, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.js';

export const databaseVersions = pgTable('database_versions', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  /** Hash of all migrations and functions of a build. */
  hash: text().notNull(),
  /** The functions of that build: the hash of each file by name. */
  functions: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
  appliedAt: moment().notNull().defaultNow(),
});
