// The database of a chaos run, and Redis where it is PostgreSQL. A run of its own, because its server is restarted.
import type { DatabaseConfig } from '#app/config/config.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { startPostgres } from '../database/postgres.js';
import { startRedis, type RedisServer } from '../database/redis.js';
import { temporaryFolder } from '../process/temporary-folder.js';

export type StoreKind = 'postgres' | 'pglite';

export interface Store {
  readonly kind: StoreKind;
  /** The service's variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the database for `use`. Only while no service runs: an embedded one is for one process. */
  read<T>(use: (database: Database) => Promise<T>): Promise<T>;
  /** PostgreSQL only: restarts it. */
  restart?(how: 'fast' | 'immediate'): Promise<void>;
  /** PostgreSQL only: from now on its writes fail as on a full disk; false ends that. */
  setFull?(full: boolean): Promise<void>;
  /** PostgreSQL only: stops Redis; true starts it again at its port. */
  setRedis?(running: boolean): Promise<void>;
  /** PostgreSQL only: Redis answers nothing, and its connections stay open; false ends that. */
  setRedisFrozen?(frozen: boolean): void;
  remove(): Promise<void>;
}

/** Smaller than every file that the database writes to. */
export const FULL_DISK_BYTES = 8_192;

export const createStore = async (kind: StoreKind): Promise<Store> =>
  kind === 'postgres' ? postgresStore() : embeddedStore();

async function postgresStore(): Promise<Store> {
  const [server, first] = await Promise.all([startPostgres(), startRedis()]);
  let redis: RedisServer = first;
  const url = await server.createDatabase();
  const port = Number(new URL(redis.url).port);
  return {
    kind: 'postgres',
    environment: { DATABASE_URL: url, REDIS_URL: redis.url },
    read: reading({ kind: 'postgres', url, poolSize: 4 }),
    restart: (how) => server.restart(how),
    setFull: (full) => server.limitFiles(full ? FULL_DISK_BYTES : undefined),
    setRedis: async (running) => {
      if (running) redis = await startRedis(port);
      else await redis.stop();
    },
    setRedisFrozen: (frozen) => redis.freeze(frozen),
    remove: async () => {
      await Promise.all([server.stop(), redis.stop()]);
    },
  };
}

function embeddedStore(): Store {
  const folder = `${temporaryFolder('chaos')}/database`;
  return {
    kind: 'pglite',
    environment: { DATABASE_FOLDER: folder },
    read: reading({ kind: 'pglite', folder }),
    remove: () => Promise.resolve(),
  };
}

const reading =
  (config: DatabaseConfig): Store['read'] =>
  async (use) => {
    const database = await openDatabase(config);
    try {
      await database.migrate();
      return await use(database);
    } finally {
      await database.close();
    }
  };
