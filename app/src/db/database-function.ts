// Typed calls of the database's functions. A feature declares in its `functions.ts` those that TypeScript calls; a test compares
// the declarations with the functions' signatures.
import { sql, type SQL } from 'drizzle-orm';

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
