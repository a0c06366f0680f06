// The embedded databases that tests lend each other.
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { PglitePool } from '#tests/database/reused-pglite.js';

const TABLES = `
  create table parents (id serial primary key, name text not null);
  create table children (parent integer not null references parents);
  create table settings (id integer primary key, value numeric(30) not null, at timestamptz not null);
  insert into settings values (1, 12345678901234567890, '2026-01-02T03:04:05.678901Z');
  create sequence numbers;
  create schema versions;
  create table versions.applied (id serial primary key, version text not null);
  insert into versions.applied (version) values ('first');
  select nextval('numbers');`;

describe('a database that a test has closed', function () {
  this.timeout(60_000);
  let opened = 0;
  let files: Blob;
  let pool: PglitePool;
  let first: PGlite;

  before('a database with tables', async () => {
    const client = await PGlite.create();
    await client.exec(TABLES);
    files = await client.dumpDataDir('none');
    await client.close();
  });

  beforeEach('a pool, and its first database', async () => {
    opened = 0;
    pool = new PglitePool(() => {
      opened += 1;
      return PGlite.create({ loadDataDir: files });
    });
    first = await pool.lend();
  });

  const rows = async (client: PGlite, query: string) => (await client.query(query)).rows;

  it('is lent again, and is like a new one', async () => {
    const numbers = await rows(first, "select nextval('numbers')");
    const settings = await rows(first, 'select value::text, at from settings');
    await first.exec(`
      insert into parents (name) values ('a'), ('b');
      insert into children values (2);
      update settings set value = 1;
      delete from versions.applied;
      insert into settings values (2, 3, now());
      select nextval('numbers');
      set search_path = pg_catalog;
      prepare kept as select 1;`);
    const heard: string[] = [];
    await first.listen('channel', (payload) => heard.push(payload));
    await first.close();
    const next = await pool.lend();
    expect(opened).to.equal(1);
    expect(await rows(next, 'select * from children')).to.deep.equal([]);
    expect(await rows(next, 'select value::text, at from settings')).to.deep.equal(settings);
    expect(await rows(next, 'select * from versions.applied')).to.deep.equal([{ id: 1, version: 'first' }]);
    expect(await rows(next, "insert into parents (name) values ('c') returning id")).to.deep.equal([
      { id: 1 },
    ]);
    expect(await rows(next, "select nextval('numbers')")).to.deep.equal(numbers);
    expect(await rows(next, 'select name from pg_prepared_statements')).to.deep.equal([]);
    // Constraints hold again.
    const orphan = await next.exec('insert into children values (9)').catch((error: Error) => error);
    expect(orphan).to.be.instanceOf(Error);
    await next.exec("notify channel, 'late'");
    expect(heard).to.deep.equal([]);
  });

  it('refuses calls of the test that closed it', async () => {
    await first.close();
    await first.close();
    expect(first.closed).to.equal(true);
    const error = await first.query('select 1').catch((reason: Error) => reason);
    expect(error).to.have.property('message', 'PGlite is closed');
    const next = await pool.lend();
    expect([opened, next.closed]).to.deep.equal([1, false]);
  });

  for (const change of [
    'alter table parents add column age integer',
    'drop table children',
    'create function one() returns integer language sql as $$ select 1 $$',
    'alter table children disable trigger all',
    'alter table parents alter column name drop not null',
    'create role somebody',
  ]) {
    it(`is not lent again after \`${change}\``, async () => {
      await first.exec(change);
      await first.close();
      await pool.lend();
      expect(opened).to.equal(2);
    });
  }
});
