// PostgreSQL by its address, shared by any number of instances.
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { PostgresConfig } from '../config.js';
import type { Database, Lease, Queries, Transaction } from './database.js';
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
  // The pool listens to idle connections alone: one that breaks in a transaction would end the process.
  pool.on('connect', heedless);
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
  const transactions = new WeakMap<pg.PoolClient, Queries>();
  const queriesOn = (client: pg.PoolClient): Queries => {
    const made = transactions.get(client);
    if (made !== undefined) return made;
    const fresh = drizzle({ client, schema, casing: 'snake_case' }) as unknown as Queries;
    transactions.set(client, fresh);
    return fresh;
  };
  let closing: Promise<void> | undefined;
  return {
    kind: 'postgres',
    queries,
    transaction: async (work) => {
      const client = await pool.connect();
      return transactionOn(client, queriesOn(client), work);
    },
    migrate: () => migrateAlone(options),
    tryLead: (job) => lead(options, job),
    close: () => (closing ??= pool.end()),
  };
}

/** Queries report a broken connection for themselves; between them nobody would hear of it. */
function heedless(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * Drizzle's transaction on a connection of the pool, which gets it back whatever happens: Drizzle's own would keep one on
 * which the transaction could not even begin. What made the work fail is thrown, though the rollback may fail as well.
 */
async function transactionOn<T>(
  client: pg.PoolClient,
  queries: Queries,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let failure: { readonly error: unknown } | undefined;
  let broken = false;
  try {
    return await queries.transaction(async (tx) => {
      try {
        return await work(tx);
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
  } catch (error) {
    // Its begin, commit or rollback failed: nobody shall have this connection again.
    broken = failure === undefined || failure.error !== error;
    throw failure === undefined ? error : failure.error;
  } finally {
    client.release(broken);
  }
}

/** Instances that start together take turns: the first migrates, the others find nothing to do. */
async function migrateAlone(options: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(options);
  heedless(client);
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
