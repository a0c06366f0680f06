import { sql, type SQL } from 'drizzle-orm';

/** PostgreSQL types that columns of rows are sent as. */
export type ArrayType = 'text' | 'numeric' | 'bigint' | 'smallint' | 'integer' | 'boolean';

/**
 * A column of many rows as one parameter, for `unnest`: a statement of any number of rows then has few parameters and
 * one text, which the database prepares once.
 */
export function column(values: readonly (string | bigint | number | boolean | null)[], type: ArrayType): SQL {
  return sql`${sql.param(toArrayLiteral(values))}::${sql.raw(type)}[]`;
}

/** The text form of an array; both drivers pass it through as it is. */
function toArrayLiteral(values: readonly (string | bigint | number | boolean | null)[]): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL';
    if (typeof value === 'string') return `"${value.replace(/[\\"]/g, '\\$&')}"`;
    return String(value);
  });
  return `{${items.join(',')}}`;
}
