// How a database gets the tables and functions of a build, and which databases are refused.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { statement } from '#app/db/database.js';
import { DatabaseError } from '#app/db/errors.js';
import { migrateDatabase, pendingMigrations, readMigrationState } from '#app/db/migrate.js';
import { GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import { DUST_TOKENS } from '#app/graduation/graduation-job.js';
import { databaseCheck } from '#app/checks.js';
import { createLogger } from '#app/base/logging/logging.js';
import { resultOf } from '#app/http/health.js';
import { sqlVersion } from '#app/db/sql-version.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { printedSchema } from '../../../scripts/printed-schema.js';
import { formatted, printedTables } from '../../../scripts/printed-tables.js';
import { rejection } from '#tests/mocha/failures.js';

/** Columns that an index of these tables has, in its key or its condition. Their rows are updated with each trade or claim. */
const INDEXED: Readonly<Record<string, readonly string[]>> = {
  candles: ['minute'],
  curve_states: ['is_waiting', 'mint'],
  indexer_state: [],
  leases: [],
  ledger_accounts: [],
  partner_totals: [],
  partner_users: ['partner_id', 'registered_at', 'wallet'],
  position_rows: [],
  treasury: [],
};

describe(`migrations of a ${DATABASE_KIND} database`, () => {
  const database = useDatabase({ each: true });

  const run = (statement: string) => database.queries.execute(sql.raw(statement));
  const pending = () => pendingMigrations(database.queries);
  /** The database as a build left it whose file of this function differed. */
  const changed = async (name: string, statement: string) => {
    await run(statement);
    await database.queries.execute(sql`
      update database_versions set hash = 'of that build', functions = functions || ${JSON.stringify({ [name]: 'of that file' })}::jsonb`);
  };

  it('create a changed function again, with its triggers, and no other', async () => {
    const schema = await printedSchema(database.queries);
    const oids = async () =>
      statement<{ name: string; oid: string }>(database.queries)`
        select proname as name, oid::text as oid from pg_proc where pronamespace = 'public'::regnamespace order by proname`;
    const before = await oids();
    await changed('ledger_refuse', 'drop trigger ledger_accounts_stay on ledger_accounts');
    await changed(
      'credits_owed',
      'create or replace function credits_owed(p_origin text) returns numeric language sql as $$ select 7.0 $$',
    );
    expect(await pending()).to.have.members(['ledger_refuse', 'credits_owed']);
    const check = databaseCheck({ database, logger: createLogger('silent') });
    expect((await resultOf(check)).says).to.equal(
      'is old (migrations to apply: 2); run `curvekit migrate-db`',
    );
    await database.migrate();
    expect(await pending()).to.deep.equal([]);
    expect(await printedSchema(database.queries)).to.equal(schema);
    expect(await statement(database.queries)`select credits_owed('referral')::text as owed`).to.deep.equal([
      { owed: '0' },
    ]);
    // Replaced in place: running statements keep their function.
    expect(await oids()).to.deep.equal(before);
  });

  it('replace a function of another signature or result, and drop one that is gone', async () => {
    const schema = await printedSchema(database.queries);
    await run('drop function credits_owed');
    await changed(
      'credits_owed',
      'create function credits_owed(kind text) returns text language sql as $$ select kind $$',
    );
    await run('drop function settlements_owed');
    await changed(
      'settlements_owed',
      'create function settlements_owed(slot integer) returns integer language sql as $$ select slot $$',
    );
    await changed('gone', 'create function gone() returns integer language sql as $$ select 1 $$');
    expect(await pending()).to.have.members(['credits_owed', 'settlements_owed', 'gone']);
    await database.migrate();
    expect(await printedSchema(database.queries)).to.equal(schema);
  });

  it('migrations of a newer build stay in a shared database, and are undone in one of this process', async () => {
    const { hash, functions } = sqlVersion();
    const present = Object.fromEntries(functions.map((file) => [file.name, file.hash]));
    await database.queries.execute(sql`
      insert into database_versions (hash, functions) values ('newer', ${JSON.stringify({ ...present, credits_owed: 'newer' })}::jsonb)`);
    expect(await pending()).to.deep.equal([]);
    const migrate = (isShared: boolean) =>
      migrateDatabase(database.queries, { migrateTables: () => Promise.resolve(), isShared });
    await migrate(true);
    expect((await readMigrationState(database.queries)).functions['credits_owed']).to.equal('newer');
    await migrate(false);
    const after = await readMigrationState(database.queries);
    expect(after.functions).to.deep.equal(present);
    expect(after.hasBuild).to.equal(true);
    const rows = await statement<{ hash: string }>(database.queries)`
      select hash from database_versions order by id`;
    expect(rows.map((row) => row.hash)).to.deep.equal([hash, 'newer', hash]);
  });

  it('make no index of what every trade or claim changes, so that a new version of a row changes no index', async () => {
    const indexed = async (table: string) =>
      statement<{ name: string }>(database.queries)`select distinct attname as name from pg_index i
        join pg_depend d on d.objid = i.indexrelid and d.refobjid = i.indrelid
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
        where i.indrelid = ${table}::regclass order by 1`;
    const found: Record<string, readonly string[]> = {};
    for (const table of Object.keys(INDEXED)) found[table] = (await indexed(table)).map(({ name }) => name);
    expect(found).to.deep.equal(INDEXED);
    // A curve waits once the dust is left, and not with each trade.
    const [row] = await statement<{ waits: string }>(database.queries)`
      select pg_get_expr(adbin, adrelid) as waits from pg_attrdef where adrelid = 'curve_states'::regclass`;
    expect(row!.waits).to.include(String(GRADUATION_VIRTUAL_TOKEN + DUST_TOKENS));
  });

  it('make the schema of app/database/schema.sql, and the tables that the code names', async () => {
    const { tables, values } = await printedTables(database.queries);
    for (const [path, printed] of [
      ['database/schema.sql', await printedSchema(database.queries)],
      ['src/db/schema/generated/tables.ts', await formatted(tables)],
      ['src/db/schema/generated/values.ts', await formatted(values)],
    ] as const) {
      const committed = readFileSync(new URL(`../../../app/${path}`, import.meta.url), 'utf8');
      expect(printed, 'renew it with `npm run db:schema -w app`').to.equal(committed);
    }
  });

  it('migrations of another version are refused by name, and change nothing', async () => {
    await run("update drizzle.__drizzle_migrations set hash = 'abcdef0123', created_at = 1795350000000");
    const refusal = /made by another version.*2026-11-22.*\(abcdef01\).*not in this build/;
    expect((await rejection(database.migrate(), DatabaseError)).message).to.match(refusal);
    expect((await rejection(pending(), DatabaseError)).message).to.match(refusal);
    await run(`update drizzle.__drizzle_migrations set created_at = ${sqlVersion().migrations[0]!.when}`);
    expect((await rejection(pending(), DatabaseError)).message).to.match(
      /differs from this build's 0000_tables/,
    );
  });
});
