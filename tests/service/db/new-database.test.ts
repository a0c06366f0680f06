// The kept files of a new embedded database.
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { embeddedDatabase, START_PARAMETERS } from '#app/db/embedded.js';
import { createInMemory } from '#app/db/new-database.js';
import { partners } from '#app/db/schema/index.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe('the files of a new embedded database', () => {
  const cache = temporaryFolder('new-database');

  /** Opens a database and checks that its tables are empty and can be written. */
  async function openOne(folder = cache): Promise<void> {
    const client = await createInMemory({ startParams: START_PARAMETERS, tables: true, cache: folder });
    const database = embeddedDatabase(client);
    atEnd(() => database.close());
    await database.migrate();
    expect(await database.queries.select().from(partners)).to.deep.equal([]);
    await database.queries.insert(partners).values({ name: 'a', payoutWallet: 'wallet' });
  }

  it('are kept, and the next database begins with them', async () => {
    await openOne();
    const [name, ...others] = await readdir(cache);
    expect(name).to.match(/^database-tables-[0-9a-f]{16}\.tar$/);
    expect(others).to.deep.equal([]);
    const made = await readFile(join(cache, name!));
    await openOne();
    expect(made.equals(await readFile(join(cache, name!)))).to.equal(true);
  });

  it('are made again when they are damaged, and those of another version are removed', async () => {
    const [name] = await readdir(cache);
    await truncate(join(cache, name!), 1_000_000);
    await writeFile(join(cache, 'database-tables-0000000000000000.tar'), 'old');
    await openOne();
    expect(await readdir(cache)).to.deep.equal([name]);
    expect((await readFile(join(cache, name!))).length).to.be.greaterThan(1_000_000);
  });
});
