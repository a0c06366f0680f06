// The embedded database's write-ahead log stays small while it runs.
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { START_PARAMETERS, checkpointWhenDue } from '#app/db/embedded.js';

const MOST_MIB = 32;

describe('the log of the embedded database', () => {
  let client: PGlite;

  before(async () => {
    client = await PGlite.create({ startParams: START_PARAMETERS });
    await client.exec('create table filled (text text)');
  });
  after(() => client?.close());

  async function logMib(): Promise<number> {
    const { rows } = await client.query<{ mib: number }>(
      'select (sum(size) / 1048576)::integer as mib from pg_ls_waldir()',
    );
    return rows[0]!.mib;
  }
  /** Writes about 50 MiB. */
  const fill = () =>
    client.exec(
      `insert into filled select repeat('x', 1000) from generate_series(1, 45000); truncate filled`,
    );

  it('is cut down once it has grown, and not before', async () => {
    expect(await checkpointWhenDue(client)).to.equal(false);
    for (let round = 0; round < 2; round += 1) {
      await fill();
      expect(await logMib()).to.be.greaterThan(MOST_MIB);
      expect(await checkpointWhenDue(client)).to.equal(true);
      expect(await logMib()).to.be.at.most(MOST_MIB);
      expect(await checkpointWhenDue(client)).to.equal(false);
    }
  });
});
