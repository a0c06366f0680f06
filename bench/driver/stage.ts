// What a benchmark brings up: each part is stopped when the benchmark ends, the last one first.
import { Keypair } from '@solana/web3.js';
import { startLocalCluster, type LocalCluster, type LocalClusterOptions } from '@curvekit/testing';
import { openDatabase, type Database } from '#app/db/database.js';
import { issueKey } from '#app/partner/keys.js';
import { startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import type { ServerState } from '../http/server.js';
import { startChild, type Child } from './child.js';
import { postgresVersion } from './machine.js';

export interface Server {
  readonly child: Child;
  readonly url: string;
  readonly port: number;
}

export class Stage {
  readonly #stops: (() => unknown)[] = [];
  #postgres: string | undefined;

  /** Version of PostgreSQL, if it was started. */
  get postgresVersion(): string | undefined {
    return this.#postgres;
  }

  /** Stops this at the end. */
  later(stop: () => unknown): void {
    this.#stops.push(stop);
  }

  async stop(): Promise<void> {
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) await stop();
  }

  async postgres(options?: Parameters<typeof startPostgres>[0]): Promise<PostgresServer> {
    const postgres = await startPostgres(options);
    this.later(() => postgres.stop());
    const database = await openDatabase({ kind: 'postgres', url: postgres.url, poolSize: 1 });
    this.#postgres = await postgresVersion(database.queries);
    await database.close();
    return postgres;
  }

  /** A new database with the service's tables. */
  async database(
    postgres: PostgresServer,
    poolSize = 4,
  ): Promise<{ readonly database: Database; readonly url: string }> {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ kind: 'postgres', url, poolSize });
    this.later(() => database.close());
    await database.migrate();
    return { database, url };
  }

  async cluster(options: LocalClusterOptions = { backend: 'surfpool' }): Promise<LocalCluster> {
    const cluster = await startLocalCluster(options);
    this.later(() => cluster.stop());
    return cluster;
  }

  async child(...start: Parameters<typeof startChild>): Promise<Child> {
    const child = await startChild(...start);
    this.later(() => child.stop());
    return child;
  }

  /** The service, or another server of `http/server.ts`, in a process of its own, without limits of requests. */
  async server(environment: NodeJS.ProcessEnv, what = 'service'): Promise<Server> {
    const unlimited = { PORT: '0', INDEXER: 'off', RATE_LIMIT_REQUESTS: '1000000000' };
    const child = await this.child('http/server.ts', {
      args: [what],
      environment: { ...unlimited, ...environment },
    });
    const { url } = await child.next<ServerState>();
    return { child, url, port: Number(new URL(url).port) };
  }
}

/** The key of a new partner. */
export async function partnerKey(database: Database): Promise<string> {
  const payoutWallet = Keypair.generate().publicKey.toBase58();
  return (await issueKey({ database, now: Date.now }, { partner: 'Benchmark', payoutWallet })).key;
}
