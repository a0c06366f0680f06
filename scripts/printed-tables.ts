// The tables of a database as drizzle's objects, so that queries name what the SQL made. Only columns are printed: keys,
// checks and indexes are the database's matter.
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { format, resolveConfig } from 'prettier';
import { rowsOf, type Queries } from '#app/db/database.js';

const HEADER = `// Made by \`npm run db:schema -w app\` from a migrated database; a test compares it. Change the SQL in app/database.
`;

/** Identifiers without an upper limit. Other columns of type bigint (slots, times, counts, a partner's id) stay under 2^53. */
const WIDE = new Set([
  ...[
    'other_records.id',
    'trades.id',
    'trade_rows.id',
    'unfinalized.id',
    'records.id',
    'market_events.id',
    'indexer_backlog.age',
  ],
  ...['tokens.record_id', 'curve_migrations.record_id', 'graduations.record_id', 'pending_rewards.record_id'],
  ...['curve_states.last_record_id', 'market_tokens.created_id', 'market_tokens.last_id', 'candles.first_id'],
  ...['ledger_accounts.id', 'ledger_postings.id', 'ledger_entries.id', 'ledger_totals.id'],
  ...['ledger_entries.posting_id', 'ledger_entries.account_id'],
  ...['indexer_state.version', 'leases.token', 'partner_totals.users', 'partner_totals.trades'],
]);
/** A view's columns have no NOT NULL of their own. */
const NULL_IN_VIEWS = new Set(['records.mint', 'records.raw']);

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  'numeric(20,0)': 'amount()',
  'numeric(39,0)': 'sum()',
  'numeric[]': 'numeric().array()',
  'timestamp with time zone': 'moment()',
  boolean: 'boolean()',
  integer: 'integer()',
  'integer[]': 'integer().array()',
  smallint: 'smallint()',
  jsonb: 'jsonb().$type<Readonly<Record<string, string>>>()',
};

interface Column extends Record<string, unknown> {
  readonly table: string;
  readonly is_view: boolean;
  readonly about: string | null;
  readonly name: string;
  readonly type: string;
  readonly is_bytes: boolean;
  readonly is_required: boolean;
  readonly default: string | null;
  readonly comment: string | null;
  /** The values that a check allows. */
  readonly allowed: string[] | null;
}

const COLUMNS = sql`
  select c.relname as "table", c.relkind = 'v' as is_view, obj_description(c.oid, 'pg_class') as about,
    a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as is_required,
    a.attcollation = (select oid from pg_collation where collname = 'C') as is_bytes,
    pg_get_expr(d.adbin, d.adrelid) as "default", col_description(c.oid, a.attnum) as comment,
    (select array_agg(found[1] order by place)
      from pg_constraint o, regexp_matches(pg_get_constraintdef(o.oid), '''([^'']+)''::text', 'g') with ordinality as m (found, place)
      where o.conrelid = c.oid and o.contype = 'c' and o.conkey = array[a.attnum]
        and a.atttypid in ('text'::regtype, 'text[]'::regtype)) as allowed
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
  order by c.relname collate "C", a.attnum`;

const ENUMS = sql`
  select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as allowed
  from pg_type t join pg_enum e on e.enumtypid = t.oid
  where t.typnamespace = 'public'::regnamespace group by t.typname order by t.typname collate "C"`;

/** @returns the text of db/schema/generated/tables.ts and of values.ts, not yet formatted */
export async function printedTables(queries: Queries): Promise<{ tables: string; values: string }> {
  const columns = await rowsOf<Column>(queries, COLUMNS);
  const unknown = [...WIDE, ...NULL_IN_VIEWS].filter(
    (name) => !columns.some((column) => nameOf(column) === name),
  );
  if (unknown.length > 0)
    throw new Error(`scripts/printed-tables.ts names ${unknown.join(', ')}, which no table has`);
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) =>
    printedTable(columns.filter((column) => column.table === table)),
  );
  const enums = await rowsOf<{ name: string; allowed: string[] }>(queries, ENUMS);
  const values = [
    ...columns.flatMap((column) =>
      column.allowed === null ? [] : [[valuesOf(column), column.allowed] as const],
    ),
    ...enums.map(({ name, allowed }) => [name.toUpperCase(), allowed] as const),
  ].map(([name, allowed]) => `export const ${name} = ${JSON.stringify(allowed)} as const;\n`);
  return {
    tables: `${HEADER}${imports(tables.join(''))}${tables.join('')}`,
    values: `${HEADER}// Without drizzle, so that the command line's help starts fast.\n${values.join('')}`,
  };
}

/** As prettier leaves a file of the repository. */
export async function formatted(text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(fileURLToPath(import.meta.url))), parser: 'typescript' });
}

function printedTable(columns: readonly Column[]): string {
  const { table, is_view: isView, about } = columns[0]!;
  const lines = columns.map(
    (column) => `${doc(column.comment)}${camel(column.name)}: ${printedColumn(column)},\n`,
  );
  return `\n${doc(about)}export const ${camel(table)} = ${isView ? 'pgView' : 'pgTable'}('${table}', {\n${lines.join('')}})${isView ? '.existing()' : ''};\n`;
}

function printedColumn(column: Column): string {
  const isRequired = column.is_view ? !NULL_IN_VIEWS.has(nameOf(column)) : column.is_required;
  const given = column.default === null ? '' : `.default(sql\`${column.default}\`)`;
  return `${typeOf(column)}${isRequired ? '.notNull()' : ''}${given}`;
}

function typeOf(column: Column): string {
  const { type, allowed, is_bytes: isBytes } = column;
  if (type === 'bigint') return `bigint({ mode: '${WIDE.has(nameOf(column)) ? 'bigint' : 'number'}' })`;
  if (type === 'text' || type === 'text[]') {
    const text =
      allowed === null ? (isBytes ? 'byteText()' : 'text()') : `text({ enum: ${valuesOf(column)} })`;
    return type === 'text' ? text : `${text}.array()`;
  }
  const known = COLUMN_TYPES[type];
  if (known === undefined)
    throw new Error(`${nameOf(column)} has type ${type}, which printed-tables.ts does not know`);
  return known;
}

function imports(text: string): string {
  const used = (names: readonly string[]) =>
    names.filter((name) => new RegExp(String.raw`\b${name}\b[(\`]`).test(text)).join(', ');
  const values = [...new Set(text.match(/(?<=enum: )\w+/g))].join(', ');
  return `import { sql } from 'drizzle-orm';
import { ${used(['bigint', 'boolean', 'integer', 'jsonb', 'numeric', 'pgTable', 'pgView', 'smallint', 'text'])} } from 'drizzle-orm/pg-core';
import { ${used(['amount', 'byteText', 'moment', 'sum'])} } from '../columns.js';
import { ${values} } from './values.js';
`;
}

const nameOf = ({ table, name }: Column): string => `${table}.${name}`;
const valuesOf = ({ table, name }: Column): string => `${table}_${name}`.toUpperCase();
const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const doc = (text: string | null): string => (text === null ? '' : `/** ${text} */\n`);
