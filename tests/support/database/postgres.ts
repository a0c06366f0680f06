// A PostgreSQL server for this test run, on a free port, in a folder that is removed afterwards.
import { spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePorts } from '#testing/ports.js';
import { limitFileSize } from '../process/file-size.js';
import { killed } from '#tests/process/killed.js';
import { run } from '#tests/process/run.js';

const DEBIAN_ROOT = '/usr/lib/postgresql';
const READY_TIMEOUT_MS = 30_000;

export interface PostgresServer {
  /** URL of the database `postgres`, which always exists. */
  readonly url: string;
  /** Creates a database, empty or as a copy of one that has no connections. @returns its URL */
  createDatabase(copied?: string): Promise<string>;
  /** Of the server's first process. */
  readonly pid: () => number;
  /** The URLs of those that it has created. */
  databases(): readonly string[];
  /** Breaks every connection, as a restart of the server would. */
  breakConnections(): Promise<void>;
  /** Stops the server, as `immediate` shuts it down or as it ends connections properly, and starts it again. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  /**
   * From now on no process of the server writes beyond this size of a file, as on a full disk; undefined ends that. The server
   * may end for it: then this starts it again. Needs `prlimit` (util-linux), no rights.
   */
  limitFiles(bytes: number | undefined): Promise<void>;
  /** Stops every process of the server where it is, or lets them go on. Its connections stay open. */
  freeze(frozen: boolean): void;
  /** Starts a standby, which streams what this server writes. */
  standby(): Promise<PostgresServer>;
  /** Whether this standby has all that the other server has written. */
  hasReplayed(from: PostgresServer): Promise<boolean>;
  /** Ends the streaming to this standby. */
  cutOff(): Promise<void>;
  /** Ends being a standby. */
  promote(): Promise<void>;
  /** Stops the server and removes its files. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a server. @throws when PostgreSQL is not installed, with how to install it
 *
 * @param tls files for the server's folder, such as `server.key`, `server.crt`, `root.crt` and `pg_hba.conf`
 */
export function startPostgres({
  connections = 200,
  tls,
}: { connections?: number; tls?: Readonly<Record<string, string>> } = {}): Promise<PostgresServer> {
  return serve(async (data, as) => {
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'];
    await run(join(findBinaries(), 'initdb'), ['-D', data, ...options], as);
    for (const [name, text] of Object.entries(tls ?? {})) {
      await writeFile(join(data, name), text, { mode: 0o600 });
      if (as.uid !== undefined) await chown(join(data, name), as.uid, as.gid!);
    }
    if (tls !== undefined)
      await appendFile(join(data, 'postgresql.conf'), "ssl = on\nssl_ca_file = 'root.crt'\n");
  }, connections);
}

/** @param fill makes the files of the server */
async function serve(
  fill: (data: string, as: ExecFileOptions) => Promise<unknown>,
  connections: number,
): Promise<PostgresServer> {
  const bin = findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-postgres-'));
  const owner = await serverUser();
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  const as = owner === undefined ? { cwd: folder } : { uid: owner.uid, gid: owner.gid, cwd: folder };
  const data = join(folder, 'data');
  await fill(data, as);
  const port = await findFreePorts(1);
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    `max_connections=${connections}`,
    // The files are removed afterwards, so they need not survive a power failure.
    'fsync=off',
  ];
  const start = (): ChildProcess =>
    spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...as,
      stdio: 'ignore',
    });
  let server = start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const databases: string[] = [];
  let stopping: Promise<void> | undefined;
  const instance: PostgresServer = {
    url,
    createDatabase: async (copied) => {
      const name = `test_${databases.length + 1}`;
      const created = url.replace(/postgres$/, name);
      databases.push(created);
      const template = copied === undefined ? '' : `template ${new URL(copied).pathname.slice(1)}`;
      await query(url, `create database ${name} ${template}`);
      return created;
    },
    pid: () => server.pid!,
    databases: () => databases,
    breakConnections: async () => {
      await query(
        url,
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
        ['client backend'],
      );
    },
    restart: async (how) => {
      await killed(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      server = start();
      await waitUntilReady(url, server);
    },
    limitFiles: async (bytes) => {
      await limitFileSize(server.pid!, bytes, owner);
      if (bytes !== undefined) return;
      // After a write that failed it may be on its way to its end.
      await waitUntilReady(url, server).catch(() => instance.restart('immediate'));
    },
    freeze: (frozen) => {
      const pid = server.pid!;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      for (const each of [pid, ...children.map(Number)]) process.kill(each, frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    standby: () =>
      serve(
        (copy, asOwner) =>
          run(
            join(bin, 'pg_basebackup'),
            ['-D', copy, '-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-R', '-c', 'fast', '-N'],
            asOwner,
          ),
        connections,
      ),
    hasReplayed: async (from) => {
      const [end, replayed] = await Promise.all([
        ask(from.url, 'select pg_current_wal_lsn() as at'),
        ask(url, 'select pg_last_wal_replay_lsn() as at'),
      ]);
      return end === replayed;
    },
    cutOff: async () => {
      await query(url, `alter system set primary_conninfo = ''`);
      await query(url, 'select pg_reload_conf()');
      while ((await ask(url, 'select count(*)::text as at from pg_stat_wal_receiver')) !== '0')
        await sleep(20);
    },
    promote: async () => void (await query(url, 'select pg_promote(true)')),
    stop: () => (stopping ??= stop(server, folder).finally(() => process.off('exit', killServer))),
  };
  const killServer = () => server.kill('SIGQUIT');
  process.once('exit', killServer);
  try {
    await waitUntilReady(url, server);
    return instance;
  } catch (error) {
    await instance.stop();
    throw error;
  }
}

/** The folder of PostgreSQL's programs. @throws when it is not installed, with how to install it */
export function findBinaries(): string {
  const versions = existsSync(DEBIAN_ROOT)
    ? readdirSync(DEBIAN_ROOT).sort((a, b) => Number(b) - Number(a))
    : [];
  const onPath = (process.env['PATH'] ?? '').split(':').find((folder) => existsSync(join(folder, 'initdb')));
  const found = versions[0] === undefined ? onPath : join(DEBIAN_ROOT, versions[0], 'bin');
  if (found === undefined)
    throw new Error('PostgreSQL is not installed: `apt-get install postgresql`, or put initdb on PATH');
  return found;
}

/** PostgreSQL refuses to run as root, so this returns the user that its package creates. */
async function serverUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await query(url, 'select 1');
      return;
    } catch (error) {
      if (server.exitCode !== null || server.signalCode !== null)
        throw new Error(`PostgreSQL ended with ${server.exitCode ?? server.signalCode}`, { cause: error });
      if (Date.now() > until) throw error;
      await sleep(50);
    }
  }
}

export async function asOwner(url: string, statements: string): Promise<void> {
  await query(url, statements);
}

/** The column `at` of the only row. */
async function ask(url: string, text: string): Promise<unknown> {
  const [row] = await query(url, text);
  return row?.['at'];
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  // Its files go too, so it need not write them first: with hundreds of databases that takes a minute.
  await killed(server, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true });
}
