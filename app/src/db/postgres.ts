// PostgreSQL, shared by any number of instances.
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { callWithin } from '../base/call-within.js';
import type { PostgresConfig } from '../config/config.js';
import { INSTANCE } from '../base/logging/logging.js';
import type { Database, Fence, PoolState, Purpose, Queries, Transaction } from './database.js';
import { connectFailure, connectionOf } from './connection.js';
import { codeOf, DatabaseError } from './errors.js';
import { requireHeld, takeLease, readingOnly } from './lease.js';
import { LEADER, Leadership } from './leadership.js';
import { inTrace, IN_DATABASE } from '../base/tracing/spans.js';
import { migrateDatabase } from './migrate.js';
import { MIGRATIONS_FOLDER } from './sql-version.js';
import { Replicas } from './replicas.js';
import * as schema from './schema/index.js';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** This service's advisory lock of migrations. */
const MIGRATING = [0x6375_7276, 0x6d69_6772] as const;
/** PostgreSQL's code for a statement that a role may not run. */
const INSUFFICIENT_PRIVILEGE = '42501';
const CONNECT_TIMEOUT_MS = 10_000;
const MIGRATION_WAIT_MS = 120_000;
/** How long running queries may take to end when the database is closed. */
const CLOSE_MS = 1_500;

/** Time limits of connections in milliseconds. The server enforces them, so they also end the work of a frozen instance. */
interface Limits {
  /** Share of the configured connections; at least one connection. */
  readonly share: number;
  readonly statement: number;
  readonly lock: number;
  /** After this time the transaction of a frozen process ends and releases its locks. */
  readonly idleInTransaction: number;
  /** Wait for a connection of the pool. */
  readonly wait: number;
}

const LIMITS: Readonly<Record<Purpose, Limits>> = {
  requests: { share: 0.4, statement: 5_000, lock: 1_000, idleInTransaction: 3_000, wait: 3_000 },
  payments: { share: 0.3, statement: 5_000, lock: 1_000, idleInTransaction: 3_000, wait: 3_000 },
  jobs: { share: 0.3, statement: 600_000, lock: 10_000, idleInTransaction: 3_000, wait: 10_000 },
};
/** Leases are renewed on a separate connection, so that busy jobs cannot delay the renewal. */
const OF_LEASES: Limits = { share: 0, statement: 2_000, lock: 1_000, idleInTransaction: 3_000, wait: 2_000 };

interface Connections {
  readonly pool: pg.Pool;
  readonly queries: Queries;
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** Opens the database. @throws DatabaseError when it does not answer */
export async function openPostgres({
  url,
  poolSize,
  replicas: copies = [],
}: PostgresConfig): Promise<Database> {
  const options = {
    ...(await connectionOf(url)),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: `curvekit ${INSTANCE}`,
  };
  const open = (limits: Limits) => connectionsOf(options, limits, poolSize);
  const connections: Readonly<Record<Purpose, Connections>> = {
    requests: open(LIMITS.requests),
    payments: open(LIMITS.payments),
    jobs: open(LIMITS.jobs),
  };
  const leases = open(OF_LEASES);
  const standbys = await Promise.all(
    copies.map(async (copy) => ({
      place: placeOf(copy),
      ...connectionsOf({ ...options, ...(await connectionOf(copy)) }, LIMITS.requests, poolSize),
    })),
  );
  const named: readonly (readonly [name: string, pool: pg.Pool])[] = [
    ...Object.entries(connections).map(([purpose, { pool }]) => [purpose, pool] as const),
    ['leases', leases.pool],
    ...standbys.map(({ place, pool }) => [place, pool] as const),
  ];
  const pools = named.map(([, pool]) => pool);
  try {
    await connections.requests.pool.query('select 1');
  } catch (cause) {
    await Promise.all(pools.map((pool) => pool.end()));
    throw new DatabaseError(connectFailure(cause as Error), { cause });
  }
  const replicas = standbys.length === 0 ? undefined : new Replicas(connections.requests.queries, standbys);
  const tryLead = (name: string) => takeLease(leases.queries, name, INSTANCE);
  const leadership = new Leadership(() => tryLead(LEADER));
  let closing: Promise<void> | undefined;

  function view(purpose: Purpose, fences: readonly Fence[]): Database {
    const { queries, transaction } = connections[purpose];
    const isFenced = fences.length > 0;
    return {
      kind: 'postgres',
      queries: isFenced ? readingOnly(queries) : queries,
      fences,
      leadership,
      read: (work) => (isFenced || replicas === undefined ? work(queries) : replicas.read(work)),
      replicas: () => replicas?.states() ?? [],
      lookAtReplicas: async () => replicas?.look(),
      pools: () => named.map(stateOf),
      transaction: (work) =>
        inTrace('transaction', IN_DATABASE, () => transaction(isFenced ? fenced(work, fences) : work)),
      on: (other, fence) => view(other, fence === undefined ? fences : [...fences, fence]),
      migrate: () => migrateAlone(options),
      tryLead,
      listen: (channel, onNotified) => Promise.resolve(listenOn(options, channel, onNotified)),
      close: () => {
        replicas?.stop();
        return (closing ??= endPools(options, pools));
      },
    };
  }
  return view('requests', []);
}

function stateOf([name, pool]: readonly [string, pg.Pool]): PoolState {
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = pool;
  return { name, size: pool.options.max, total, idle, waiting };
}

/** Ends the connections, and after a while those whose query goes on: the server would go on with it for as long as it takes. */
async function endPools(options: pg.ClientConfig, pools: readonly pg.Pool[]): Promise<void> {
  const ended = Promise.all(pools.map((pool) => pool.end())).then(() => undefined);
  const busy = pools.flatMap((pool) => [...(running.get(pool) ?? [])]);
  const limit = { what: 'the database', limitMs: CLOSE_MS };
  await callWithin(limit, () => ended)
    .catch(() => callWithin(limit, () => terminate(options, busy)))
    // The database does not answer. Its own limits end what still runs.
    .catch(() => undefined);
}

async function terminate(options: pg.ClientConfig, clients: readonly pg.PoolClient[]): Promise<void> {
  const pids = clients.map((client) => (client as unknown as { readonly processID: number }).processID);
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CLOSE_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids]);
  } finally {
    void client.end().catch(() => undefined);
  }
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

/** Runs the work, and rolls it back if one of the leases is lost by its end. */
function fenced<T>(
  work: (tx: Transaction) => Promise<T>,
  fences: readonly Fence[],
): (tx: Transaction) => Promise<T> {
  return async (tx) => {
    const result = await work(tx);
    await requireHeld(tx, fences);
    return result;
  };
}

/** The connections that are in use. */
const running = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

function connectionsOf(options: pg.ClientConfig, limits: Limits, poolSize: number): Connections {
  const pool = new pg.Pool({
    ...options,
    max: Math.max(1, Math.floor(limits.share * poolSize)),
    connectionTimeoutMillis: limits.wait,
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    // PostgreSQL would compile plans whose parameters it does not know, for 100 ms and more; the statements read few rows.
    verify: (client, done) => {
      client.query('set jit = off').then(() => done(), done);
    },
  });
  // The pool replaces an idle connection that breaks; a broken query throws its own error.
  pool.on('error', () => undefined);
  // The pool listens to idle connections only. Without this listener, an error inside a transaction would end the process.
  pool.on('connect', ignoreErrors);
  const clients = new Set<pg.PoolClient>();
  running.set(pool, clients);
  pool.on('acquire', (client) => clients.add(client));
  pool.on('release', (_error, client) => clients.delete(client));
  const queriesOf = new WeakMap<pg.PoolClient, Queries>();
  const queriesOn = (client: pg.PoolClient): Queries => {
    const made = queriesOf.get(client);
    if (made !== undefined) return made;
    const fresh = drizzle({ client, schema, casing: 'snake_case' }) as unknown as Queries;
    queriesOf.set(client, fresh);
    return fresh;
  };
  return {
    pool,
    queries: drizzle({ client: pool, schema, casing: 'snake_case' }),
    transaction: async (work) => {
      const client = await pool.connect();
      return transactionOn(client, queriesOn(client), work);
    },
  };
}

/** A broken connection also throws from its queries. Between queries its error event would end the process. */
function ignoreErrors(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * Drizzle's transaction on a connection that always returns to the pool. Drizzle's own leaks the connection when `begin` fails.
 * Throws the error of the work, even if the rollback fails too.
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
    // Begin, commit or rollback failed, so the connection is not reused.
    broken = failure === undefined || failure.error !== error;
    throw failure === undefined ? error : failure.error;
  } finally {
    client.release(broken);
  }
}

/** Instances that start at the same time migrate one after the other. Only the first finds migrations to apply. */
async function migrateAlone(options: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({
    ...options,
    lock_timeout: MIGRATION_WAIT_MS,
    idle_in_transaction_session_timeout: LIMITS.jobs.idleInTransaction,
  });
  ignoreErrors(client);
  await client.connect();
  try {
    // An instance that freezes while it migrates loses its connection and the lock.
    await client.query(`set idle_session_timeout = ${LIMITS.jobs.idleInTransaction}`);
    await client.query('select pg_advisory_lock($1, $2)', [...MIGRATING]);
    const queries = drizzle({ client, schema, casing: 'snake_case' });
    await migrateDatabase(queries, {
      migrateTables: () => migrate(queries, { migrationsFolder: MIGRATIONS_FOLDER }),
      isShared: true,
    });
  } catch (cause) {
    if (codeOf(cause) !== INSUFFICIENT_PRIVILEGE) throw cause;
    throw new DatabaseError(
      'the tables are not those of this build, and the role in DATABASE_URL may not change them: run `curvekit migrate-db --grant ROLE` as their owner',
      { cause },
    );
  } finally {
    await client.end();
  }
}

// Listens for PostgreSQL notifications on a separate connection, and reconnects when it breaks.

/** The pause before each reconnect. */
const RETRY_MS = 1_000;
/** How long the server may take to close the connection. */
const GOODBYE_MS = 500;

/**
 * @param onNotified also called after each reconnect, because notifications may have been missed
 * @returns stops listening
 */
export function listenOn(
  options: pg.ClientConfig,
  channel: string,
  onNotified: () => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function listenOnce(): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({ ...options, stream: () => socket });
    // Takes the listeners off the signal, which outlives this connection.
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    client.on('notification', onNotified);
    // A client that is ended while it connects never settles `connect()`. Without its socket it does.
    const cut = () => socket.destroy();
    signal.addEventListener('abort', cut, { signal: over.signal });
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      signal.removeEventListener('abort', cut);
      onNotified();
      await ended;
    } finally {
      over.abort();
      await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS)]);
      socket.destroy();
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // Not logged: the code that uses the database logs the outage.
      await listenOnce().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
