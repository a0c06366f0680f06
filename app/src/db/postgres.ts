// PostgreSQL by its address, shared by any number of instances.
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { PostgresConfig } from '../config.js';
import type { Database, Lease, Queries } from './database.js';
import { DatabaseError } from './errors.js';
import { MIGRATIONS_FOLDER } from './migrations-folder.js';
import * as schema from './schema/index.js';

/** First half of this service's advisory locks; the second is the hash of the job's name. */
const LOCK_SPACE = 0x6375_7276;
const CONNECT_TIMEOUT_MS = 10_000;
/** How often a leader makes sure that its connection, and with it its lock, is still there. */
const LEASE_CHECK_INTERVAL_MS = 2_000;

/** Opens the database. @throws DatabaseError when it does not answer */
export async function openPostgres({ url, poolSize }: PostgresConfig): Promise<Database> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'curvekit',
  };
  const pool = new pg.Pool({ ...options, max: poolSize });
  // A connection that breaks while idle is replaced by the pool; queries on it report for themselves.
  pool.on('error', () => undefined);
  try {
    await pool.query('select 1');
  } catch (cause) {
    await pool.end();
    throw new DatabaseError(
      `the database does not answer (${(cause as Error).message}); check DATABASE_URL`,
      { cause },
    );
  }
  const queries = drizzle({ client: pool, schema, casing: 'snake_case' }) as unknown as Queries;
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgres',
    queries,
    transaction: (work) => queries.transaction((tx) => work(tx)),
    migrate: () => migrateAlone(options),
    tryLead: (job) => lead(options, job),
    close: () => (closing ??= pool.end()),
  };
}

/** Instances that start together take turns: the first migrates, the others find nothing to do. */
async function migrateAlone(options: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(options);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1, hashtext($2))', [LOCK_SPACE, 'migrate']);
    await migrate(drizzle({ client }), { migrationsFolder: MIGRATIONS_FOLDER });
  } finally {
    await client.end();
  }
}

/** The lock belongs to a connection of its own: it is free as soon as that ends, however this process ends. */
async function lead(options: pg.ClientConfig, job: string): Promise<Lease | undefined> {
  const client = new pg.Client({ ...options, keepAlive: true, query_timeout: CONNECT_TIMEOUT_MS });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  let taken = false;
  try {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as taken',
      [LOCK_SPACE, job],
    );
    taken = rows[0]?.taken === true;
  } finally {
    if (!taken) await client.end();
  }
  if (!taken) return undefined;
  const check = setInterval(() => {
    client.query('select 1').catch(() => lost.abort());
  }, LEASE_CHECK_INTERVAL_MS);
  check.unref();
  lost.signal.addEventListener('abort', () => clearInterval(check));
  let ending: Promise<void> | undefined;
  return {
    lost: lost.signal,
    release: () => {
      clearInterval(check);
      return (ending ??= client.end());
    },
  };
}
