// Sends many rows as a few array parameters.
import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from './database.js';

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
