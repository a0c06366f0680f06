// PGlite databases that are used again. Opening one takes 0.2 s of CPU time, emptying one a tenth of that.
import type { PGlite } from '@electric-sql/pglite';

/** Each keeps the memory that its last test needed. */
const MOST_IDLE = 3;

/** What a new database of the pool looks like. */
interface Original {
  readonly catalog: string;
  /** The rows of tables that are not empty, as JSON. */
  readonly rows: readonly { readonly name: string; readonly rows: string }[];
  readonly sequences: readonly { readonly name: string; readonly last: string | null }[];
}

/** Databases with the same tables. A test that closes one lends it to the next test. */
export class PglitePool {
  readonly #open: () => Promise<PGlite>;
  readonly #idle: PGlite[] = [];
  #original: Promise<Original> | undefined;

  /** @param open Opens a new database; always with the same tables and rows. */
  constructor(open: () => Promise<PGlite>) {
    this.#open = open;
  }

  /** A database as `open` makes it. */
  async lend(): Promise<PGlite> {
    for (let client = this.#idle.pop(); client !== undefined; client = this.#idle.pop()) {
      if (await restore(client, await this.#original!)) return this.#lent(client);
      await client.close().catch(() => undefined);
    }
    const client = await this.#open();
    await (this.#original ??= originalOf(client));
    return this.#lent(client);
  }

  /** The same database, except that closing it keeps it open for the next test. Afterwards it refuses all calls. */
  #lent(client: PGlite): PGlite {
    let closed = false;
    const unlisten = new Set<() => Promise<void>>();
    const close = async () => {
      if (closed) return;
      closed = true;
      await Promise.all([...unlisten].map((stop) => stop()));
      if (this.#idle.length < MOST_IDLE) this.#idle.push(client);
      else await client.close();
    };
    const listen: PGlite['listen'] = async (...args) => {
      const stop = await client.listen(...args);
      unlisten.add(stop);
      return stop;
    };
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'closed') return closed;
        if (name === 'close') return close;
        const value: unknown = name === 'listen' ? listen : Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown =>
          closed ? Promise.reject(new Error('PGlite is closed')) : Reflect.apply(value, target, args);
      },
    });
  }
}

/** The schemas that are not PostgreSQL's own. */
const OURS = `select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`;

/** Everything that a test could change beside rows. */
const CATALOG = `
  select md5(string_agg(entry, E'\\n' order by entry)) as catalog from (
    select format('relation %s %s %s %s', oid, relname, relhastriggers, relacl) as entry from pg_class
      where relnamespace in (${OURS})
    union all select format('column %s', (attrelid, attname, atttypid, attnotnull, atthasdef, attisdropped))
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where attnum > 0 and relnamespace in (${OURS})
    union all select format('default %s %s', adrelid, adbin) from pg_attrdef
    union all select format('function %s %s', oid, prosrc) from pg_proc where pronamespace in (${OURS})
    union all select format('trigger %s %s', oid, tgenabled) from pg_trigger
    union all select format('constraint %s %s', oid, convalidated) from pg_constraint
    union all select format('setting %s', (setdatabase, setrole, setconfig)) from pg_db_role_setting
    union all select format('role %s', rolname) from pg_roles
    union all select format('schema %s', nspname) from pg_namespace where nspname !~ '_temp_'
  ) as entries`;

const TABLES = `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in (${OURS})`;

const SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
  order by 1`;

async function originalOf(client: PGlite): Promise<Original> {
  const rows: { name: string; rows: string }[] = [];
  for (const name of await filled(client)) {
    const found = await client.query<{ rows: string }>(`select json_agg(t)::text as rows from ${name} t`);
    rows.push({ name, rows: found.rows[0]!.rows });
  }
  return { catalog: await catalogOf(client), rows, sequences: await sequencesOf(client) };
}

/** Makes the rows as they were. Returns whether the rest is unchanged, so that the database can be used again. */
async function restore(client: PGlite, { catalog, rows, sequences }: Original): Promise<boolean> {
  try {
    // A transaction that was running when the database was closed ends before this.
    await client.exec('discard all');
    if ((await catalogOf(client)) !== catalog) return false;
    const tables = await filled(client);
    // The catalog is the same, so these are the same sequences.
    const present = await sequencesOf(client);
    const changed = sequences.filter(({ last }, index) => last !== present[index]?.last);
    await client.exec(
      [
        // Without foreign keys and triggers.
        'set session_replication_role = replica',
        ...(tables.length === 0 ? [] : [`truncate ${tables.join(', ')} cascade`]),
        ...rows.map(
          ({ name, rows }) =>
            `insert into ${name} select * from json_populate_recordset(null::${name}, ${literal(rows)})`,
        ),
        ...changed.map(({ name, last }) =>
          last === null ? `alter sequence ${name} restart` : `select setval(${literal(name)}, ${last})`,
        ),
        'set session_replication_role = origin',
      ].join(';\n'),
    );
    return true;
  } catch {
    // Damaged on purpose.
    return false;
  }
}

async function filled(client: PGlite): Promise<string[]> {
  const tables = (await client.query<{ name: string }>(TABLES)).rows;
  const each = tables.map(({ name }) => `select ${literal(name)} as name where exists (select from ${name})`);
  return (await client.query<{ name: string }>(each.join(' union all '))).rows.map(({ name }) => name);
}

async function catalogOf(client: PGlite): Promise<string> {
  return (await client.query<{ catalog: string }>(CATALOG)).rows[0]!.catalog;
}

async function sequencesOf(client: PGlite): Promise<Original['sequences']> {
  return (await client.query<Original['sequences'][number]>(SEQUENCES)).rows;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
