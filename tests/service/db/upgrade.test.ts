// A database gets a migration of a newer version, here a made-up one: instances that write go on meanwhile, and an upgrade that fails
// changes nothing.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { statement } from '#app/db/database.js';
import { migrateDatabase } from '#app/db/migrate.js';
import { MIGRATIONS_FOLDER } from '#app/db/sql-version.js';
import { credit } from '#app/ledger/credit.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import type { Journal } from '../../../scripts/new-migration.js';
import { printedSchema } from '../../../scripts/printed-schema.js';
import { ledgerProblems } from '#tests/service/rewards.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const WRITERS = 4;
const SECOND = `ALTER TABLE partners ADD COLUMN made_up integer DEFAULT 7 NOT NULL;--> statement-breakpoint
CREATE TABLE made_up (id integer PRIMARY KEY)`;

describe(`the upgrade of a ${DATABASE_KIND} database`, () => {
  const database = useDatabase({ each: true });
  let folder: string;

  beforeEach(async () => {
    folder = temporaryFolder('migrations');
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journal = JSON.parse(await readFile(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
    const last = journal.entries.at(-1)!;
    journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_made_up' });
    await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(journal));
    // As a build with other SQL left it.
    await database.queries.execute(sql`update database_versions set hash = 'of that build'`);
  });

  async function upgrade(statements = SECOND): Promise<void> {
    await writeFile(join(folder, '9999_made_up.sql'), statements);
    const migrate = (DATABASE_KIND === 'pglite' ? migrateEmbedded : migratePostgres) as (
      db: unknown,
      config: { readonly migrationsFolder: string },
    ) => Promise<void>;
    await migrateDatabase(database.queries, {
      migrateTables: () => migrate(database.queries, { migrationsFolder: folder }),
      isShared: DATABASE_KIND === 'postgres',
    });
  }

  it('that fails changes nothing, and the next try goes through', async () => {
    const schema = await printedSchema(database.queries);
    const failure = await upgrade(SECOND.replace('(id', '(id, id')).catch((error: unknown) => error);
    expect(failure).to.be.an.instanceOf(Error);
    expect(await printedSchema(database.queries)).to.equal(schema);
    await upgrade();
    expect(await printedSchema(database.queries)).to.contain('CREATE TABLE made_up');
  });

  it('goes on while instances write, before, meanwhile and afterwards', async () => {
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
    await upgrade();
    await until(written + 20);
    writing = false;
    await Promise.all(writers);
    const [row] = await statement<{ count: number }>(database.queries)`
      select count(*)::integer as count from ledger_postings where key like 'upgrade:%'`;
    expect(row!.count).to.equal(written);
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });
});
