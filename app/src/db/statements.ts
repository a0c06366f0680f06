// Hand-written queries that PostgreSQL plans once per connection: planning takes longer than reading a few rows by an index.

import { setImmediate } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import type { Executor, Transaction } from './database.js';

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

/** Does work of the caller while the database executes a statement. @returns what the work gives, after both */
export async function beside<T>(statement: Promise<unknown>, work: () => T): Promise<T> {
  const [, result] = await Promise.all([statement, setImmediate().then(work)]);
  return result;
}

// Names rows that were stored together by their first and last id, instead of by a list.

export const LARGEST_ID = 2n ** 63n - 1n;

export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

/** The ids of rows that are in their order, of at least one. */
export const rangeOf = (rows: readonly { readonly id: bigint }[]): IdRange => ({
  first: rows[0]!.id,
  last: rows.at(-1)!.id,
});

/** Whether a column has one of the ids: SQL. */
export const within = (column: string, { first, last }: IdRange): SQL =>
  sql`${sql.raw(column)} between ${String(first)}::bigint and ${String(last)}::bigint`;

// Sends many rows as a few array parameters.

/** PostgreSQL types that columns of rows are sent as. */
export type ArrayType = 'text' | 'numeric' | 'bigint' | 'smallint' | 'integer' | 'boolean';

export type ArrayItem = string | bigint | number | boolean | null;

/** The columns of a table by name: the PostgreSQL type, and how to read the value from a row. */
export type Columns<Row> = Readonly<
  Record<string, readonly [type: ArrayType, value: (row: Row) => ArrayItem]>
>;

/**
 * One column of many rows as a single parameter for `unnest`. The statement then has few parameters and the same text for
 * any number of rows, so the database can prepare it once.
 */
export function column(values: readonly ArrayItem[], type: ArrayType): SQL {
  return sql`${sql.param(toArrayLiteral(values))}::${sql.raw(type)}[]`;
}

/** The arguments of `unnest` that rebuild the rows, one per column. */
export function unnestable<Row>(rows: readonly Row[], columns: Columns<Row>): SQL {
  return list(Object.values(columns).map(([type, value]) => column(rows.map(value), type)));
}

/**
 * Inserts rows in one statement, in their order. Does nothing without rows.
 *
 * @param more the end of the statement, such as `on conflict`
 */
export async function insertRows<Row>(
  tx: Transaction,
  table: string,
  rows: readonly Row[],
  columns: Columns<Row>,
  more = sql``,
): Promise<void> {
  if (rows.length === 0) return;
  const names = list(Object.keys(columns).map((name) => sql.identifier(name)));
  await tx.execute(sql`
    insert into ${sql.identifier(table)} (${names})
    select ${names} from unnest(${unnestable(rows, columns)}) with ordinality as fresh (${names}, position_in_rows)
    order by position_in_rows
    ${more}
  `);
}

function list(parts: readonly (SQL | ReturnType<typeof sql.identifier>)[]): SQL {
  return sql.join([...parts], sql`, `);
}

const TO_ESCAPE = /[\\"]/;

/** An array literal of PostgreSQL. Both drivers send it unchanged. */
function toArrayLiteral(values: readonly ArrayItem[]): string {
  let text = '{';
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value !== 'string') text += value;
    // Most texts are addresses and signatures, which need no escaping.
    else text += TO_ESCAPE.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : `"${value}"`;
  }
  return text + '}';
}

// Typed calls of the database's functions. A feature declares in its `functions.ts` those that TypeScript calls; a test compares
// the declarations with the functions' signatures.

/** What TypeScript passes, by the parameter's type in PostgreSQL. Other types take SQL. */
interface Values {
  readonly text: string | null;
  readonly bigint: number | bigint | null;
  readonly integer: number;
  readonly numeric: bigint;
  /** JSON text. */
  readonly jsonb: string | null;
  readonly 'timestamp with time zone': Date;
}

/** Names of parameters, without their `p_`, and their types in PostgreSQL, in order. */
type Parameters = Readonly<Record<string, string>>;
type Value<Type> = SQL | (Type extends keyof Values ? Values[Type] : never);

export interface DatabaseFunction<P extends Parameters = Parameters> {
  /** The call, as a part of a statement. */
  (values: { readonly [Name in keyof P]: Value<P[Name]> }): SQL;
  readonly declares: { readonly name: string; readonly parameters: P };
}

export function databaseFunction<const P extends Parameters>(
  name: string,
  parameters: P,
): DatabaseFunction<P> {
  const call = (values: Readonly<Record<string, Value<string> | Value<keyof Values>>>): SQL => {
    const passed = Object.entries(parameters).map(
      ([parameter, type]) => sql`${bound(values[parameter]!)}::${sql.raw(type)}`,
    );
    return sql`${sql.raw(name)}(${sql.join(passed, sql`, `)})`;
  };
  return Object.assign(call as DatabaseFunction<P>, { declares: { name, parameters } });
}

function bound(value: SQL | string | number | bigint | Date | null): SQL | string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}
