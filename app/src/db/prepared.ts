// Hand-written queries that PostgreSQL plans once per connection: planning takes longer than reading a few rows by an index.
import type { SQL } from 'drizzle-orm';
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import type { Executor } from './database.js';

const DIALECT = new PgDialect();
/**
 * Maximum of prepared statements, more than the service has. Limits the damage if a query text depended on client input.
 */
const MOST_NAMES = 500;
const names = new Map<string, string>();

/**
 * Rows of a query with a fixed text: all client input must be in its parameters. As with `rowsOf`, select numbers wider
 * than 32 bits `::text`.
 */
export async function preparedRows<Row extends Record<string, unknown>>(
  db: Executor,
  query: SQL,
): Promise<Row[]> {
  const built = DIALECT.sqlToQuery(query);
  const prepared = db._.session.prepareQuery<PreparedQueryConfig & { execute: { readonly rows: Row[] } }>(
    built,
    undefined,
    nameOf(built.sql),
    false,
  );
  return (await prepared.execute()).rows;
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = `q${names.size}`;
  names.set(text, name);
  return name;
}
