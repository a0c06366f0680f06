// Databases of earlier versions, with the data of a whole story, become those of this version: nothing is lost, instances that
// write go on meanwhile, and an upgrade that fails changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql, type SQL } from 'drizzle-orm';
import { column } from '#app/db/arrays.js';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { pendingMigrations } from '#app/db/migration-state.js';
import { grantRole } from '#app/db/roles.js';
import { credit } from '#app/ledger/credit.js';
import { DATABASE_KIND, openTestDatabase, sharedPostgres } from '#tests/database/database.js';
import { FROZEN, frozenEmbedded, frozenOnPostgres } from '#tests/database/frozen.js';
import { printedSchema } from '#tests/database/printed-schema.js';
import { createRole, urlOf } from '#tests/database/roles.js';
import { ledgerProblems } from '#tests/service/rewards.js';

const WRITERS = 4;
const ROLE = 'curvekit_upgraded';
/** Tables and columns of earlier versions that are gone, or whose rows went to other tables, and new columns. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
  idempotency_keys: ['status_code'],
  settlement_waiting: [],
  token_metadata: ['failures', 'retry_at'],
  market_state: ['rolled_to', 'minutes_from'],
};
/** Written by each migration. */
const OF_MIGRATIONS = new Set(['database_versions']);
/** The rows of a table of an earlier version, from the tables of this one that have its data. */
const REDRAWN: Readonly<Record<string, SQL>> = {
  trades: sql`(
    select id as record_id, mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol, virtual_token, graduated, timestamp
    from trades where venue = 'curve')`,
  pool_trades: sql`(
    select id, signature, "outer", "inner", slot, mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol, virtual_token,
      timestamp, not exists (select 1 from unfinalized u where u.id = t.id) as finalized
    from trades t where venue = 'pool')`,
  positions: sql`(select wallet, mint, amount, paid, received, trades from positions)`,
};

for (const day of FROZEN) {
  describe(`a ${DATABASE_KIND} database of the version of ${day}`, function () {
    this.timeout(120_000);
    let database: Database;
    let url: string | undefined;

    beforeEach(async () => {
      if (DATABASE_KIND === 'pglite') {
        database = await frozenEmbedded(day);
        return;
      }
      url = await frozenOnPostgres(day, await sharedPostgres());
      database = await openDatabase({ kind: 'postgres', url, poolSize: WRITERS + 2 });
    });
    afterEach(() => database.close());

    /** Every row of every table, as text, without columns that come from other columns. */
    async function content(
      tables: readonly string[],
      redrawn: typeof REDRAWN = {},
    ): Promise<Record<string, string[]>> {
      const found: Record<string, string[]> = {};
      for (const table of tables) {
        const rows = await rowsOf<{ row: string }>(
          database.queries,
          sql`select (to_jsonb(t) - ${column(MOVED[table] ?? [], 'text')} - (
                select coalesce(array_agg(attname::text), '{}') from pg_attribute
                where attrelid = to_regclass(${table}) and attgenerated <> ''
              ))::text as row
              from ${redrawn[table] ?? sql.identifier(table)} t order by 1`,
        );
        found[table] = rows.map(({ row }) => row);
      }
      return found;
    }
    async function tables({ queries }: Database = database): Promise<string[]> {
      const rows = await rowsOf<{ name: string }>(
        queries,
        sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
      );
      return rows.map(({ name }) => name).filter((name) => !OF_MIGRATIONS.has(name));
    }
    async function ofThisVersion<T>(read: (fresh: Database) => Promise<T>): Promise<T> {
      const fresh = await openTestDatabase();
      try {
        return await read(fresh);
      } finally {
        await fresh.close();
      }
    }
    const schemaOfThisVersion = () => ofThisVersion(({ queries }) => printedSchema(queries));
    const tablesOfThisVersion = () => ofThisVersion(tables);

    it('keeps every row, and gets the tables and functions of this version', async () => {
      expect(await pendingMigrations(database.queries)).not.to.deep.equal([]);
      const left = new Set(await tablesOfThisVersion());
      const before = (await tables()).filter((table) => left.has(table) || !(table in MOVED));
      const rows = await content(before);
      for (const table of ['claims', 'ledger_entries', 'settlements', 'partners', 'trades'])
        expect(rows[table], table).not.to.deep.equal([]);
      await database.migrate();
      expect(await pendingMigrations(database.queries)).to.deep.equal([]);
      expect(await content(before, REDRAWN)).to.deep.equal(rows);
      expect(await printedSchema(database.queries)).to.equal(await schemaOfThisVersion());
      expect(await ledgerProblems(database)).to.deep.equal([]);
    });

    it('goes on with what waited', async () => {
      const { queries } = database;
      await queries.execute(
        sql`insert into settlement_waiting (mint, problem) values ('a mint', 'no LP address')`,
      );
      await queries.execute(sql`
        insert into token_metadata (mint, uri, image, problem, failures, retry_at)
        values ('late', 'https://a.example', '', 'the server answers HTTP 504', 3, now() + interval '1 hour'),
          ('whole', 'https://b.example', 'https://b.example/b.png', null, 0, null)
      `);
      await database.migrate();
      const waiting = await rowsOf(
        queries,
        sql`select kind, subject, attempts, problem, due_at > now() + interval '59 minutes' as is_late
            from tasks where subject in ('a mint', 'late', 'whole') order by kind`,
      );
      expect(waiting).to.deep.equal([
        {
          kind: 'metadata',
          subject: 'late',
          attempts: 3,
          problem: 'the server answers HTTP 504',
          is_late: true,
        },
        { kind: 'settlement', subject: 'a mint', attempts: 0, problem: 'no LP address', is_late: false },
      ]);
    });

    it('keeps the trades in pools, and which records and trades are not final', async () => {
      const before = await tables();
      if (!before.includes('pool_trades')) return;
      await database.queries.execute(sql`
        insert into pool_trades (id, signature, "outer", "inner", slot, mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol,
          virtual_token, timestamp, finalized)
        select nextval('records_id_seq'), 'swap ' || n, n, -1, n, 'mint', 'trader', n > 1, n, 2 * n, 0, 3 * n, 4 * n, 5 * n, n < 2
        from generate_series(1, 3) n`);
      await database.queries.execute(
        sql`update records set finalized = false where id in (select id from records order by id desc limit 3)`,
      );
      const rows = await content(['records', 'trades', 'pool_trades']);
      expect(rows['records']!.filter((row) => row.includes('"finalized": false'))).to.have.lengthOf(3);
      await database.migrate();
      expect(await content(['records', 'trades', 'pool_trades'], REDRAWN)).to.deep.equal(rows);
    });

    it('is as before when its upgrade fails, and is upgraded by the next try', async () => {
      const before = await content(await tables());
      const [added] = (await tablesOfThisVersion()).filter((name) => !(name in before));
      await database.queries.execute(sql`create table ${sql.identifier(added!)} (in_the_way integer)`);
      const schema = await printedSchema(database.queries);
      const failure = await database.migrate().then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.be.an.instanceOf(Error);
      expect(await printedSchema(database.queries)).to.equal(schema);
      await database.queries.execute(sql`drop table ${sql.identifier(added!)}`);
      expect(await content(await tables())).to.deep.equal(before);
      await database.migrate();
      expect(await printedSchema(database.queries)).to.equal(await schemaOfThisVersion());
    });

    it('is upgraded while instances write, before, meanwhile and afterwards', async () => {
      let writing = true;
      let written = 0;
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let number = 0; writing; number += 1) {
          const key = `upgrade:${writer}:${number}`;
          const credits = [{ wallet: `wallet ${writer}`, amount: 7n }];
          await database.transaction((tx) =>
            credit(tx, 'referral', { key, mint: 'mint', asset: 'SOL', credits }),
          );
          written += 1;
          // The embedded database works in this process, and leaves it no time of its own.
          await sleep(5);
        }
      });
      const until = async (count: number) => {
        while (written < count) await sleep(5);
      };
      await until(20);
      await database.migrate();
      await until(written + 20);
      writing = false;
      await Promise.all(writers);
      const [row] = await rowsOf<{ count: number }>(
        database.queries,
        sql`select count(*)::integer as count from ledger_postings where key like 'upgrade:%'`,
      );
      expect(row!.count).to.equal(written);
      expect(await ledgerProblems(database)).to.deep.equal([]);
      expect(await printedSchema(database.queries)).to.equal(await schemaOfThisVersion());
    });

    if (DATABASE_KIND === 'postgres') {
      it('is served by the role of the running service, whose rights an owner gives again', async () => {
        await createRole(await sharedPostgres(), ROLE);
        await database.migrate();
        await grantRole(database.queries, ROLE, 'service', { storesClaims: true });
        const served = await openDatabase({ kind: 'postgres', url: urlOf(url!, ROLE), poolSize: 2 });
        try {
          await served.migrate();
          const credits = [{ wallet: 'wallet', amount: 7n }];
          const key = 'upgrade';
          expect(
            await served.transaction((tx) =>
              credit(tx, 'referral', { key, mint: 'mint', asset: 'SOL', credits }),
            ),
          ).to.equal(true);
        } finally {
          await served.close();
        }
      });
    }
  });
}
