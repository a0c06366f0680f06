/** What a benchmark brings up: each part is stopped when the benchmark ends, the last one first. */
import { fork, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'drizzle-orm';
import { startLocalCluster, type LocalCluster, type LocalClusterOptions } from '@curvekit/testing';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { startPostgres, type PostgresServer } from '#tests/database/postgres.js';
import { bundled } from '#tests/process/bundled.js';
import { nextMessage } from '#tests/process/next-message.js';

/** A process that answers messages one at a time. */
export interface Child {
  /** Sends the message and returns the next message of the process. @throws when the process ends instead */
  ask<Answer>(message: Serializable): Promise<Answer>;
  /** Returns the next message of the process. @throws when the process ends instead */
  next<Answer>(): Promise<Answer>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
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

  async postgres(): Promise<PostgresServer> {
    const postgres = await startPostgres();
    this.later(() => postgres.stop());
    return postgres;
  }

  /** A new database with the service's tables, on a server of its own. */
  async database(): Promise<{
    readonly database: Database;
    readonly url: string;
    readonly server: PostgresServer;
  }> {
    const server = await this.postgres();
    const url = await server.createDatabase();
    const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
    this.later(() => database.close());
    await database.migrate();
    const [row] = await rowsOf<{ server_version: string }>(database.queries, sql`show server_version`);
    this.#postgres = row!.server_version;
    return { database, url, server };
  }

  async cluster(options: LocalClusterOptions = { backend: 'surfpool' }): Promise<LocalCluster> {
    const cluster = await startLocalCluster(options);
    this.later(() => cluster.stop());
    return cluster;
  }

  /**
   * Starts a file below scripts/bench/, compiled like the service in production. Its standard output is discarded, its standard
   * error goes to this process's.
   */
  async child(file: string, environment: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Child> {
    const child = fork(await bundled(`scripts/bench/${file}`), args, {
      execArgv: [],
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    this.later(kill);
    const next = <Answer>() => nextMessage<Answer>(child, `${file} ended before it answered`);
    return {
      next,
      kill: async () => {
        const ended = once(child, 'exit');
        kill();
        await ended;
      },
      ask: (message) => {
        const answer = next<never>();
        child.send(message);
        return answer;
      },
    };
  }
}
