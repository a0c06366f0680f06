// PostgreSQL over TLS with a CA of its own, as providers run it: the service connects exactly where psql does. threat: database-wire
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, rowsOf } from '#app/db/database.js';
import { forgetsStatements } from '#app/db/connection.js';
import { backUp } from '#tests/database/backups.js';
import { asOwner, findBinaries, startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { bundled } from '#tests/process/bundled.js';
import { freePortOf } from '#tests/node/serve.js';
import { HAS } from '#tests/outsiders/languages.js';
import type { DoctorDocument } from '#tests/service/doctor.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { run } from '#tests/process/run.js';

/** How a connection came about. */
type Outcome = 'encrypted' | 'plain' | 'refused';
const IS_ENCRYPTED = 'select ssl::text from pg_stat_ssl where pid = pg_backend_pid()';

/** `postgres` may be reached without TLS; `client` asks for a certificate; the other databases only for TLS. */
const RULES = `host postgres postgres 127.0.0.1/32 trust
hostssl client postgres 127.0.0.1/32 trust clientcert=verify-ca
hostssl all postgres 127.0.0.1/32 trust
`;

if (HAS.postgres) {
  describe('PostgreSQL over TLS', () => {
    let [folder, home]: string[] = [];
    let server: PostgresServer;
    const before_ = { ...process.env };
    const file = (name: string) => join(folder!, name);
    /** @param name of the database, and host where it is not 127.0.0.1 */
    const urlOf = (query: string, name = 'test_1', host = '127.0.0.1') =>
      `postgres://postgres@${host}:${new URL(server.url).port}/${name}${query.replaceAll('FOLDER', folder!)}`;

    before('make certificates and start the server', async () => {
      folder = temporaryFolder('tls');
      home = file('home');
      await mkdir(join(home, '.postgresql'), { recursive: true });
      await certificate('ca');
      await certificate('other-ca');
      await certificate('server', 'localhost');
      await certificate('client', 'postgres');
      const [key, own, ca] = await Promise.all(
        ['server.key', 'server.crt', 'ca.crt'].map((name) => readFile(file(name), 'utf8')),
      );
      server = await startPostgres({
        tls: { 'server.key': key!, 'server.crt': own!, 'root.crt': ca!, 'pg_hba.conf': RULES },
      });
      await server.createDatabase();
      await asOwner(server.url, 'create database client');
      for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
      process.env['HOME'] = home;
    });
    after(async () => {
      process.env = before_;
      await server?.stop();
    });

    async function certificate(name: string, subject?: string): Promise<void> {
      const signed = subject === undefined ? [] : ['-CA', file('ca.crt'), '-CAkey', file('ca.key')];
      const alternative = subject === undefined ? [] : ['-addext', `subjectAltName=DNS:${subject}`];
      await run('openssl', [
        ...[
          'req',
          '-x509',
          '-newkey',
          'ec',
          '-pkeyopt',
          'ec_paramgen_curve:prime256v1',
          '-nodes',
          '-days',
          '2',
        ],
        ...['-subj', `/CN=${subject ?? name}`, ...alternative, ...signed],
        ...['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)],
      ]);
    }

    async function byPsql(url: string): Promise<Outcome> {
      const asking = run(join(findBinaries(), 'psql'), ['-XAtc', IS_ENCRYPTED, url]);
      return asking.then(
        ({ stdout }) => (stdout.trim() === 'true' ? 'encrypted' : 'plain'),
        () => 'refused' as const,
      );
    }
    async function byService(url: string): Promise<{ outcome: Outcome; said: string }> {
      try {
        const database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
        const [row] = await rowsOf<{ ssl: string }>(database.queries, sql.raw(IS_ENCRYPTED));
        await database.close();
        return { outcome: row!.ssl === 'true' ? 'encrypted' : 'plain', said: '' };
      } catch (error) {
        return { outcome: 'refused', said: (error as Error).message };
      }
    }

    const CASES: readonly {
      query: string;
      outcome: Outcome;
      said?: string;
      name?: string;
      host?: string;
      env?: Readonly<Record<string, string>>;
    }[] = [
      { query: '', outcome: 'encrypted' },
      { query: '?sslmode=disable', outcome: 'refused', said: 'set sslmode=require' },
      { query: '?sslmode=disable', name: 'postgres', outcome: 'plain' },
      { query: '?sslmode=allow', outcome: 'encrypted' },
      { query: '?sslmode=prefer', outcome: 'encrypted' },
      { query: '?sslmode=require', outcome: 'encrypted' },
      { query: '?ssl=true', outcome: 'encrypted' },
      { query: '?sslmode=required', outcome: 'refused', said: 'expected disable, allow, prefer, require' },
      { query: '?sslmode=require&sslrootcert=FOLDER/ca.crt', outcome: 'encrypted' },
      {
        query: '?sslmode=require&sslrootcert=FOLDER/other-ca.crt',
        outcome: 'refused',
        said: 'set sslrootcert=FILE',
      },
      { query: '?sslmode=verify-ca', outcome: 'refused', said: 'sslmode=verify-ca needs sslrootcert' },
      { query: '?sslmode=verify-ca&sslrootcert=FOLDER/ca.crt', outcome: 'encrypted' },
      {
        query: '?sslmode=verify-ca&sslrootcert=FOLDER/none.crt',
        outcome: 'refused',
        said: 'sslrootcert: ENOENT',
      },
      { query: '?sslmode=verify-full&sslrootcert=FOLDER/ca.crt', host: 'localhost', outcome: 'encrypted' },
      {
        query: '?sslmode=verify-full&sslrootcert=FOLDER/ca.crt',
        outcome: 'refused',
        said: 'use a name of the certificate as host',
      },
      {
        query: '?sslmode=verify-full',
        host: 'localhost',
        env: { PGSSLROOTCERT: 'FOLDER/ca.crt' },
        outcome: 'encrypted',
      },
      { query: '', env: { PGSSLMODE: 'disable' }, outcome: 'refused', said: 'set sslmode=require' },
      {
        query: '?sslmode=require',
        name: 'client',
        outcome: 'refused',
        said: 'set sslcert=FILE and sslkey=FILE',
      },
      {
        query: '?sslmode=require&sslcert=FOLDER/client.crt&sslkey=FOLDER/client.key',
        name: 'client',
        outcome: 'encrypted',
      },
    ];
    for (const { query, outcome, said, name, host, env = {} } of CASES)
      it(`${[query, host, name, ...Object.keys(env)].filter(Boolean).join(', ') || 'no parameter'}: ${outcome}`, async () => {
        const url = urlOf(query, name, host);
        for (const [variable, value] of Object.entries(env))
          process.env[variable] = value.replace('FOLDER', folder!);
        try {
          expect(await byPsql(url), 'psql').to.equal(outcome);
          const found = await byService(url);
          expect(found.outcome, found.said).to.equal(outcome);
          if (said !== undefined) expect(found.said).to.contain(said);
        } finally {
          for (const variable of Object.keys(env)) delete process.env[variable];
        }
      });

    it('migrates, listens, reads from a replica and is backed up over TLS', async () => {
      const url = urlOf('?sslmode=verify-full&sslrootcert=FOLDER/ca.crt', 'test_1', 'localhost');
      const database = await openDatabase({ kind: 'postgres', url, replicas: [url], poolSize: 4 });
      try {
        await database.migrate();
        let heard = 0;
        const stop = await database.listen('channel', () => (heard += 1));
        while (heard === 0) await new Promise((resolve) => setTimeout(resolve, 20));
        await stop();
        await database.lookAtReplicas();
        expect(database.replicas().map(({ problem }) => problem)).to.deep.equal(['it is no standby']);
        expect(await forgetsStatements(url)).to.equal(false);
        expect(await backUp(url, file('tls.dump'))).to.match(/^backup: \S+ has \d+ tables/);
      } finally {
        await database.close();
      }
    });

    it('doctor names the certificate and the parameter, of PostgreSQL and of Redis', async () => {
      const [key, cert] = await Promise.all(['server.key', 'server.crt'].map((name) => readFile(file(name))));
      const redis = createServer({ key, cert }, (socket) => socket.on('error', () => undefined));
      redis.on('tlsClientError', () => undefined);
      const environment = {
        PATH: process.env['PATH'],
        HOME: home,
        DATABASE_URL: urlOf('?sslmode=verify-full', 'test_1', 'localhost'),
        REDIS_URL: `rediss://localhost:${await freePortOf(redis)}`,
        RPC_URL: 'http://127.0.0.1:1',
      };
      const asking = run(process.execPath, [await bundled('app/src/operator/main.ts'), 'doctor', '--json'], {
        env: environment,
        cwd: home,
      });
      const { stdout } = await asking.catch((error: unknown) => error as { readonly stdout: string });
      redis.close();
      const { findings } = JSON.parse(stdout) as DoctorDocument;
      const fixOf = (subject: string) => findings.find((finding) => finding.subject === subject)?.fix;
      expect(fixOf('database')).to.contain('set sslrootcert=FILE in DATABASE_URL, or PGSSLROOTCERT');
      expect(fixOf('rate limits')).to.contain('set NODE_EXTRA_CA_CERTS=FILE');
    });

    it('a server without TLS: encrypts where that is required, and not where it is preferred', async () => {
      await asOwner(server.url, 'alter system set ssl = off');
      await asOwner(server.url, 'select pg_reload_conf()');
      while ((await byPsql(urlOf('', 'postgres'))) === 'encrypted');
      expect((await byService(urlOf('', 'postgres'))).outcome).to.equal('plain');
      const { outcome, said } = await byService(urlOf('?sslmode=require', 'postgres'));
      expect([outcome, said.includes('turn on ssl in postgresql.conf')], said).to.deep.equal([
        'refused',
        true,
      ]);
    });
  });
}
