import { expect } from 'chai'; // threat: frozen-instance, frozen-leader
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { DatabaseConfig } from '#app/config/config.js';
import { DeposedError, openDatabase, type Database } from '#app/db/database.js';
import { partners } from '#app/db/schema/index.js';
import { atEnd } from '#tests/mocha/at-end.js';
import {
  DATABASE_KIND,
  emptyDatabaseConfig,
  openEmptyDatabase,
  openTestDatabase,
  sharedPostgres,
} from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { eventually } from '#tests/service/service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const partner = (name: string) => ({ name, payoutWallet: 'wallet' });

describe(`the ${DATABASE_KIND} database`, () => {
  it("grants a job's lease to one holder at a time", async () => {
    const database = await openTestDatabase();
    atEnd(() => database.close());
    const first = await database.tryLead('job');
    expect(await database.tryLead('job')).to.equal(undefined);
    const other = await database.tryLead('another job');
    expect(other).not.to.equal(undefined);
    await first!.release();
    await first!.release();
    const second = await database.tryLead('job');
    expect(second).not.to.equal(undefined);
    await Promise.all([second!.release(), other!.release()]);
  });

  if (DATABASE_KIND === 'postgres') {
    it('is migrated once by many concurrent instances', async () => {
      const config = await emptyDatabaseConfig();
      const instances = await Promise.all(Array.from({ length: 4 }, () => openDatabase(config)));
      atEnd(() => Promise.all(instances.map((instance) => instance.close())));
      await Promise.all(instances.map((instance) => instance.migrate()));
      await instances[0]!.queries.insert(partners).values(partner('there'));
    });

    it('survives broken connections: another instance takes the lease, and the old holder cannot write', async () => {
      const server = await sharedPostgres();
      const config = await emptyDatabaseConfig();
      const [database, standby] = await Promise.all([openDatabase(config), openDatabase(config)]);
      atEnd(() => Promise.all([database.close(), standby.close()]));
      await database.migrate();
      const lease = await database.tryLead('job');
      const fenced = database.on('jobs', lease);
      const write = () => fenced.transaction((tx) => tx.insert(partners).values(partner('written')));
      await server.breakConnections();
      await eventually(async () => (await standby.tryLead('job')) !== undefined, 'the standby to lead');
      expect((await rejection(write(), DeposedError)).message).to.contain('another instance');
      expect(await database.queries.select().from(partners)).to.deep.equal([]);
      await eventually(() => lease!.lost.aborted, 'the lease to be lost');
      await lease!.release();
      expect(await database.tryLead('job')).to.equal(undefined);
    });

    it('refuses writes of a holder after its lease has expired, even without a new holder', async () => {
      const database = await openEmptyDatabase();
      atEnd(() => database.close());
      await database.migrate();
      const lease = await database.tryLead('job');
      const fenced = database.on('jobs', lease);
      await fenced.transaction((tx) => tx.insert(partners).values(partner('in time')));
      await database.queries.execute(sql`update leases set expires_at = now() + interval '1 second'`);
      await rejection(
        fenced.transaction((tx) => tx.insert(partners).values(partner('late'))),
        DeposedError,
      );
      expect((await database.queries.select().from(partners)).map(({ name }) => name)).to.deep.equal([
        'in time',
      ]);
      expect(() => fenced.queries.insert(partners)).to.throw('belongs into a transaction');
      await lease!.release();
    });

    it('ends transactions of a process that hangs, and limits the wait for locks', async () => {
      const database = await openEmptyDatabase();
      atEnd(() => database.close());
      await database.migrate();
      await database.queries.insert(partners).values(partner('locked'));
      const lock = sql`select 1 from partners for update`;
      const stuck = database.transaction(async (tx) => {
        await tx.execute(lock);
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        await tx.execute(lock);
      });
      const broken = rejection(stuck, Error);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const began = performance.now();
      const waiting = database.on('payments').transaction((tx) => tx.execute(lock));
      expect(String((await rejection(waiting, Error)).cause)).to.contain('lock timeout');
      expect(performance.now() - began).to.be.below(2_000);
      await eventually(
        () =>
          database
            .transaction((tx) => tx.execute(lock))
            .then(
              () => true,
              () => false,
            ),
        'the lock to be free',
        4_000,
      );
      await broken;
    });
  } else {
    describe('in a folder', () => {
      let folder: string;
      let config: DatabaseConfig;

      beforeEach(() => {
        folder = temporaryFolder('database');
        config = { kind: 'pglite', folder: join(folder, 'database') };
      });

      const withDatabase = async (use: (database: Database) => Promise<void>) => {
        const database = await openDatabase(config);
        try {
          await database.migrate();
          await use(database);
        } finally {
          await database.close();
        }
      };

      it('keeps the rows when it is opened again', async () => {
        await withDatabase(
          async ({ queries }) => void (await queries.insert(partners).values(partner('kept'))),
        );
        await withDatabase(async ({ queries }) => {
          expect(await queries.select().from(partners)).to.have.lengthOf(1);
        });
      });

      it('names both versions when the folder is of another PostgreSQL', async () => {
        await withDatabase(() => Promise.resolve());
        await writeFile(join(folder, 'database', 'PG_VERSION'), '17\n');
        const problem = await openDatabase(config).catch((error: unknown) => error);
        expect((problem as Error).message).to.match(
          /is of PostgreSQL 17, and this version of Curvekit reads PostgreSQL 18; dump it with the earlier version/,
        );
      });
    });
  }
});
