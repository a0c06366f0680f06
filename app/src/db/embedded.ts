// PGlite: PostgreSQL compiled to WebAssembly, in this process, in a folder or in memory.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { EmbeddedConfig } from '../config/config.js';
import {
  DeposedError,
  type Database,
  type Fence,
  type Lease,
  type Queries,
  type Transaction,
} from './database.js';
import { DatabaseError } from './errors.js';
import { lockFolder } from './folder-lock.js';
import { LEADER, Leadership } from './leadership.js';
import { inTrace, IN_DATABASE } from '../base/tracing/spans.js';
import { migrateDatabase } from './migrate.js';
import { MIGRATIONS_FOLDER } from './sql-version.js';
import { createInMemory } from './new-database.js';
import { readingOnly } from './lease.js';
import * as schema from './schema/index.js';

// PGlite has no background process, so nothing makes checkpoints while it runs. Without them its write-ahead log grows for
// ever, in memory or in the folder.

/** Size of the log, in MiB, that a checkpoint keeps for reuse. */
const KEPT_MIB = 32;
const EVERY_MS = 30_000;

/** PGlite's start parameters for a bounded log. */
const CHECKPOINT_PARAMETERS = ['-c', `min_wal_size=${KEPT_MIB}MB`, '-c', `max_wal_size=${KEPT_MIB}MB`];

/** Makes a checkpoint whenever the log has grown enough. @returns stops that */
function keepLogSmall(client: PGlite): () => void {
  const timer = setInterval(() => {
    // The next one is tried in any case. A closed or broken database reports itself to its users.
    checkpointWhenDue(client).catch(() => undefined);
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** @returns whether there was a checkpoint: since the last one, the log had grown by as much as is retained */
export async function checkpointWhenDue(client: PGlite): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) >= ${KEPT_MIB * 2 ** 20} as due from pg_control_checkpoint()`,
  );
  if (rows[0]?.due !== true) return false;
  await client.exec('checkpoint');
  return true;
}

/** PGlite's own 160 MiB of buffers take memory and 0.1 s of each opening. What is not in them is in the system's cache, or in memory. */
export const START_PARAMETERS = [
  ...PGlite.defaultStartParams,
  '-c',
  'shared_buffers=8MB',
  // PGlite has one. The tables for the usual 100 take 4 MB; three are reserved for superusers.
  '-c',
  'max_connections=4',
  ...CHECKPOINT_PARAMETERS,
];

/** 7 MB less. The files are in memory already. */
const FEW_BUFFERS = ['-c', 'shared_buffers=1MB'];

/** Opens the embedded database. @throws DatabaseError when another process has the folder open, or it is damaged */
export async function openEmbedded({ folder }: EmbeddedConfig): Promise<Database> {
  const unlock = folder === undefined ? () => undefined : lockFolder(folder);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  let client: PGlite;
  try {
    client =
      folder === undefined
        ? await createInMemory({ startParams: [...START_PARAMETERS, ...FEW_BUFFERS], tables: true })
        : await PGlite.create({ startParams: START_PARAMETERS, dataDir: folder });
  } catch (cause) {
    unlock();
    throw new DatabaseError(
      (folder === undefined ? undefined : await otherMajor(folder)) ??
        `the embedded database in ${folder ?? 'memory'} does not open (${String(cause)}); restore or remove the folder`,
      { cause },
    );
  }
  const stop = keepLogSmall(client);
  return embeddedDatabase(client, () => {
    stop();
    unlock();
  });
}

/** What to do with a folder of another major version of PostgreSQL, for which PGlite has no words. */
async function otherMajor(folder: string): Promise<string | undefined> {
  const file = join(folder, 'PG_VERSION');
  if (!existsSync(file)) return undefined;
  const found = readFileSync(file, 'utf8').trim();
  const client = await PGlite.create();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.close();
  const own = rows[0]!.server_version.replace(/\..*/, '');
  if (found === own) return undefined;
  return (
    `the embedded database in ${folder} is of PostgreSQL ${found}, and this version of Curvekit reads PostgreSQL ${own}; ` +
    'dump it with the earlier version, and restore the dump: docs/recover.md, "A folder of another PostgreSQL"'
  );
}

/** Wraps a PGlite that is open already. @param onClosed called after it is closed */
export function embeddedDatabase(client: PGlite, onClosed: () => void = () => undefined): Database {
  const embedded = drizzle({ client, schema, casing: 'snake_case' });
  const queries = embedded as unknown as Queries;
  const leases = new Leases();
  const tryLead = (name: string) => Promise.resolve(leases.take(name));
  const leadership = new Leadership(() => tryLead(LEADER));
  let closing: Promise<void> | undefined;

  // All purposes share the one connection.
  function view(fences: readonly Fence[]): Database {
    const transaction = <T>(work: (tx: Transaction) => Promise<T>) => queries.transaction((tx) => work(tx));
    return {
      kind: 'pglite',
      queries: fences.length === 0 ? queries : readingOnly(queries),
      fences,
      leadership,
      read: (work) => work(queries),
      replicas: () => [],
      lookAtReplicas: () => Promise.resolve(),
      pools: () => [],
      transaction: (work) =>
        inTrace('transaction', IN_DATABASE, () =>
          transaction(async (tx) => {
            const result = await work(tx);
            for (const fence of fences) leases.require(fence);
            return result;
          }),
        ),
      on: (_purpose, fence) => view(fence === undefined ? fences : [...fences, fence]),
      migrate: () =>
        migrateDatabase(queries, {
          migrateTables: () => migrate(embedded, { migrationsFolder: MIGRATIONS_FOLDER }),
          isShared: false,
        }),
      tryLead,
      listen: async (channel, onNotified) => {
        const stop = await client.listen(channel, onNotified);
        // A closed database would throw here.
        return async () => {
          if (!client.closed) await stop();
        };
      },
      close: () => (closing ??= client.close().finally(onClosed)),
    };
  }
  return view([]);
}

/** There is one process, so the first caller holds a lease until it releases it. */
class Leases {
  readonly #held = new Map<string, bigint>();
  #last = 0n;

  take(name: string): Lease | undefined {
    if (this.#held.has(name)) return undefined;
    const token = (this.#last += 1n);
    this.#held.set(name, token);
    const lost = new AbortController();
    return {
      name,
      token,
      lost: lost.signal,
      release: () => {
        if (this.#held.get(name) === token) this.#held.delete(name);
        lost.abort();
        return Promise.resolve();
      },
    };
  }

  /** @throws DeposedError when the lease was released */
  require({ name, token }: Fence): void {
    if (this.#held.get(name) !== token) throw new DeposedError();
  }
}
