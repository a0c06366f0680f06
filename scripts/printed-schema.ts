// The schema of a database as one text, in an order that does not depend on how it was made. PostgreSQL and PGlite of several
// major versions print the same text. Bodies of functions are left out: each has its own file.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Queries } from '#app/db/database.js';

const HEADER = `-- What the migrations, functions and comments make, for reading. \`npm run db:schema -w app\` writes it, and a test compares it.
-- The bodies of the functions are in app/src/*/sql.

`;

/** A comment as lines of SQL, or nothing. */
const about = (comment: string, indent: string): SQL =>
  sql.raw(`coalesce('${indent}-- ' || ${comment} || chr(10), '')`);

/** One text for each type, table, view, index, trigger and function, in this order. */
const PARTS = [
  sql`
    select ${about("obj_description(t.oid, 'pg_type')", '')} || format(E'CREATE TYPE %I AS ENUM (\n%s\n);', t.typname,
      string_agg(format('  %L', e.enumlabel), E',\n' order by e.enumsortorder)) as part
    from pg_type t join pg_enum e on e.enumtypid = t.oid
    where t.typnamespace = 'public'::regnamespace group by t.oid, t.typname order by t.typname collate "C"`,
  sql`
    select format(E'CREATE TYPE %I AS (\n%s\n);', c.relname,
      string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        || case when a.attcollation <> t.typcollation then format(' COLLATE %I', l.collname) else '' end, E',\n' order by a.attnum)) as part
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'c' group by c.relname order by c.relname collate "C"`,
  sql`
    select ${about("obj_description(c.oid, 'pg_class')", '')} || format(E'CREATE TABLE %I (\n%s\n)%s%s;', c.relname, string_agg(line, E',\n' order by place, line collate "C"),
      case when c.relkind = 'p' then ' PARTITION BY ' || pg_get_partkeydef(c.oid) else '' end,
      case when c.reloptions is null then '' else format(' WITH (%s)', array_to_string(c.reloptions, ', ')) end) as part
    from pg_class c cross join lateral (
      select a.attnum as place, ${about('col_description(c.oid, a.attnum)', '  ')} || format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
        || case when a.attcollation <> t.typcollation then format(' COLLATE %I', l.collname) else '' end
        || case when d.oid is null then '' else ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid) end
        || case when a.attnotnull then ' NOT NULL' else '' end as line
      from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_collation l on l.oid = a.attcollation
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      -- NOT NULL is a constraint with a name since PostgreSQL 18.
      select 10000, format('  CONSTRAINT %I %s', o.conname, pg_get_constraintdef(o.oid))
      from pg_constraint o where o.conrelid = c.oid and o.contype in ('c', 'f', 'p', 'u')
    ) lines
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid, c.relname, c.reloptions order by c.relname collate "C"`,
  sql`
    select format('CREATE TABLE %I PARTITION OF %I %s;', c.relname, p.relname, pg_get_expr(c.relpartbound, c.oid)) as part
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname collate "C"`,
  sql`
    select ${about("obj_description(c.oid, 'pg_class')", '')} || format(E'CREATE VIEW %I (\n%s\n);', c.relname,
      string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\n' order by a.attnum)) as part
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' group by c.oid, c.relname order by c.relname collate "C"`,
  sql`
    select ${about("obj_description(i.indexrelid, 'pg_class')", '')} || pg_get_indexdef(i.indexrelid) || ';' as part
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition
      and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u'))
    order by c.relname collate "C"`,
  sql`
    select pg_get_triggerdef(t.oid) || ';' as part from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
    order by c.relname collate "C", t.tgname collate "C"`,
  sql`
    select format('FUNCTION %I(%s) RETURNS %s%s;', p.proname, pg_get_function_arguments(p.oid),
      pg_get_function_result(p.oid), case when p.prosecdef then ' SECURITY DEFINER' else '' end || coalesce(' SET ' || array_to_string(p.proconfig, ' SET '), '')) as part
    from pg_proc p where p.pronamespace = 'public'::regnamespace order by p.proname collate "C", p.oid::regprocedure::text`,
];

export async function printedSchema(queries: Queries): Promise<string> {
  const parts: string[] = [];
  for (const query of PARTS) {
    const rows = await rowsOf<{ part: string }>(queries, query);
    parts.push(...rows.map(({ part }) => part));
  }
  return `${HEADER}${parts.join('\n')}\n`;
}
