// deploy/backup.sh and deploy/restore.sh: what they refuse, and the way back from an upgrade. PostgreSQL only.
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, statement } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';
import { backUp, emptied, restore } from '#tests/database/backups.js';
import { DATABASE_KIND, postgresWithTables, sharedPostgres } from '#tests/database/database.js';
import { asOwner, findBinaries } from '#tests/database/postgres.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { run } from '#tests/process/run.js';

const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));

/** Everything in the database as statements, without psql's commands, which contain a random word. */
async function dumpOf(url: string): Promise<string> {
  const most = { maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await run(join(findBinaries(), 'pg_dump'), [url], most);
  return stdout.replace(/^\\.*$/gm, '');
}

/** What a script printed before it failed with exit code 1. */
async function refusal(running: Promise<string>): Promise<string> {
  const error = await running.then(
    (stdout) => ({ code: 0, stdout, stderr: '' }),
    (reason: unknown) =>
      reason as { readonly code: number; readonly stdout: string; readonly stderr: string },
  );
  expect(error.code, error.stderr).to.equal(1);
  return error.stdout + error.stderr;
}

if (DATABASE_KIND === 'postgres')
  describe('backup.sh and restore.sh', () => {
    let folder: string;
    let url: string;
    let file: string;

    beforeEach(async () => {
      folder = temporaryFolder('scripts');
      file = join(folder, 'curvekit.dump');
      url = await postgresWithTables();
    });

    async function pay(): Promise<void> {
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
      const credits = [{ wallet: 'wallet', amount: 7n }];
      await database.transaction((tx) =>
        credit(tx, 'referral', { key: 'paid', mint: 'mint', asset: 'SOL', credits }),
      );
      await database.close();
    }

    it('bring back every table, row, function and right', async () => {
      await pay();
      const before = await dumpOf(url);
      expect(before)
        .to.match(/^COPY public\.ledger_entries .*\n.+\n/m)
        .and.to.contain('CREATE TRIGGER');
      expect(await backUp(url, file)).to.match(/^backup: \S+ has \d+ tables, \d+ bytes\n$/);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      await emptied(url);
      const said = await restore(url, file);
      expect(said).to.contain('is restored into').and.to.contain('The ledger adds up.');
      expect(await dumpOf(url)).to.equal(before);
    });

    it('keep the password out of the arguments, which other users can read', async () => {
      const seen = join(folder, 'seen');
      for (const [script, program] of [
        ['backup.sh', 'pg_dump'],
        ['restore.sh', 'psql'],
      ] as const) {
        // Instead of the real program: what it is given.
        const tool = join(folder, program);
        await writeFile(tool, `#!/bin/sh\necho "$PGPASSWORD $*" > ${seen}\nexit 1\n`, { mode: 0o755 });
        if (script === 'restore.sh') await backUp(url, file);
        const environment = {
          PATH: `${folder}:${findBinaries()}:${process.env['PATH']}`,
          DATABASE_URL: 'postgres://user:p%40s%2Fs@127.0.0.1:1/database',
        };
        await refusal(run(join(DEPLOY, script), [file], { env: environment }).then(({ stdout }) => stdout));
        const given = await readFile(seen, 'utf8');
        expect(given, script).to.match(/^p@s\/s .*postgres:\/\/user@127\.0\.0\.1:1\/database/);
        expect(given, script).to.not.contain('p%40s');
      }
    });

    it('write no backup over another one, of another database, or without an answer', async () => {
      await backUp(url, file);
      expect(await refusal(backUp(url, file))).to.equal(`backup: ${file} exists: name another file\n`);
      const other = join(folder, 'other.dump');
      const foreign = await (await sharedPostgres()).createDatabase();
      expect(await refusal(backUp(foreign, other))).to.contain('lacks the table ledger_entries');
      const missing = url.replace(/[^/]+$/, 'missing');
      expect(await refusal(backUp(missing, other))).to.contain('pg_dump failed: there is no backup');
      expect(await readdir(folder)).to.deep.equal(['curvekit.dump']);
    });

    it('restore nothing over tables, which stay as they are', async () => {
      await backUp(url, file);
      await pay();
      const before = await dumpOf(url);
      expect(await refusal(restore(url, file))).to.match(
        /has \d+ tables, whose rows would be lost[^]*createdb -O postgres test_/,
      );
      expect(await dumpOf(url)).to.equal(before);
    });

    it('restore nothing from a dump that was cut off, or from another file', async () => {
      await pay();
      await backUp(url, file);
      await emptied(url);
      const empty = await dumpOf(url);
      const cut = join(folder, 'cut.dump');
      await copyFile(file, cut);
      await truncate(cut, (await stat(file)).size - 1_000);
      for (const damaged of [cut, '/etc/passwd'])
        expect(await refusal(restore(url, damaged))).to.contain(`${damaged} cannot be read to its end`);
      expect(await refusal(restore(url, join(folder, 'none')))).to.contain('no such file');
      expect(await dumpOf(url)).to.equal(empty);
    });

    it('restore nothing while an instance is connected', async () => {
      await backUp(url, file);
      await emptied(url);
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
      try {
        await statement(database.queries)`select 1`;
        expect(await refusal(restore(url, file))).to.contain('other connections: stop every instance');
      } finally {
        await database.close();
      }
      expect(await restore(url, file)).to.contain('The ledger adds up.');
    });

    it('restore all or nothing: what fails in the middle leaves the database empty', async () => {
      await pay();
      await backUp(url, file);
      await emptied(url);
      const { stdout } = await run(join(findBinaries(), 'pg_restore'), ['--list', file]);
      // In the way of one of the dump's functions, which come before its tables.
      const [, name] = / FUNCTION public (\w+)\(\) /.exec(stdout)!;
      await asOwner(url, `create function ${name}() returns integer language sql return 1`);
      const before = await dumpOf(url);
      expect(await refusal(restore(url, file))).to.contain('is as empty as before');
      expect(await dumpOf(url)).to.equal(before);
    });

    it('say when the ledger of the dump is wrong', async () => {
      await pay();
      await asOwner(
        url,
        'alter table ledger_accounts disable trigger all; update ledger_accounts set balance = balance + 1',
      );
      await backUp(url, file);
      await emptied(url);
      expect(await refusal(restore(url, file)))
        .to.contain('The ledger does NOT add up')
        .and.to.contain('restore: curvekit ledger check failed');
    });

    for (const name of ['backup.sh', 'restore.sh'])
      it(`${name} explains itself, and refuses a wrong command line`, async () => {
        const path = join('deploy', name);
        const { stdout } = await run(path, ['--help']);
        expect(stdout).to.match(/^Usage: DATABASE_URL=\S+ deploy\//);
        for (const args of [[], ['a', 'b'], ['--unknown', 'a'], ['-x.dump']]) {
          const failure = (await run(path, args).catch((error: unknown) => error)) as { code: number };
          expect(failure.code, args.join(' ')).to.equal(2);
        }
        const { stderr } = (await run(path, ['a'], { env: { PATH: process.env['PATH'] } }).catch(
          (error: unknown) => error,
        )) as { stderr: string };
        expect(stderr).to.contain('DATABASE_URL is not set');
        expect(existsSync('a')).to.equal(false);
      });

    it('bring back the tables of an earlier version byte for byte, and upgrade them', async () => {
      url = await postgresWithTables();
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 2 });
      // As a build left them that had other functions.
      await database.queries.execute(sql`update database_versions set hash = 'other', functions = '{}'`);
      await database.close();
      const before = await dumpOf(url);
      await backUp(url, file);
      await emptied(url);
      await restore(url, file, '--no-check');
      expect(await dumpOf(url)).to.equal(before);
      // This version's check refuses them, and says what to do.
      await emptied(url);
      expect(await refusal(restore(url, file))).to.contain('run `curvekit migrate-db` first');
      await emptied(url);
      expect(await restore(url, file, '--migrate')).to.contain('The ledger adds up.');
    });
  });
