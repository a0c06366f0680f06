// What `/ready` reports about a database that answers but cannot be used.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { databaseCheck } from '#app/checks.js';
import type { Database } from '#app/db/database.js';
import { resultOf } from '#app/http/health.js';
import { createLogger } from '#app/base/logging/logging.js';
import { openTestDatabase } from '#tests/database/database.js';

describe('databaseCheck', function () {
  this.timeout(60_000);
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  const said = async (changed: Partial<Database> = {}) =>
    (await resultOf(databaseCheck({ database: { ...database, ...changed }, logger: createLogger('silent') })))
      .says;

  it('reports ok, and leaves no table behind', async () => {
    expect(await said()).to.equal('ok');
    expect(await said()).to.equal('ok');
    const left: unknown = await database.queries.execute(
      sql`select count(*)::text as tables from pg_class where relname = 'curvekit_write_probe'`,
    );
    expect((left as { rows: unknown[] }).rows).to.deep.equal([{ tables: '0' }]);
  });

  it('reports a read-only database', async () => {
    const readOnly: Database['transaction'] = (work) =>
      database.transaction(async (tx) => {
        await tx.execute(sql`set transaction read only`);
        return work(tx);
      });
    expect(await said({ transaction: readOnly })).to.match(
      /^cannot be written: it is read-only: .*DATABASE_URL/,
    );
  });

  it('reports a full disk', async () => {
    const full = Object.assign(new Error('could not extend file "base/1/2": No space left on device'), {
      code: '53100',
    });
    const transaction: Database['transaction'] = () =>
      Promise.reject(new Error('Failed query', { cause: full }));
    expect(await said({ transaction })).to.equal('cannot be written: its disk is full; free space on it');
  });

  it('reports missing migrations, and how many', async () => {
    await database.queries.execute(
      sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
    );
    expect(await said()).to.equal('is old (migrations to apply: 1); run `curvekit migrate-db`');
  });
});
