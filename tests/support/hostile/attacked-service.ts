// The service in its own process with a small heap, on PostgreSQL, with a market that has data to read.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import type { LocalCluster } from '@curvekit/testing';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { LEADER } from '#app/db/leadership.js';
import { sharedPostgres } from '#tests/database/database.js';
import { buildTestPage } from '#tests/service/built-page.js';
import { startServiceProcess, type ServiceProcess } from '#tests/service/service-process.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const HEAP_MIB = 512;
const KIB = 1_024;

export interface ProcessorTime {
  readonly running: number;
  /** Ready to run, while other programs had all cores. */
  readonly waiting: number;
}

export interface AttackedService extends ServiceProcess {
  readonly database: Database;
  readonly folder: string;
  memory(): number;
  /** How its main thread has spent its time so far, in milliseconds. Undefined where the system does not say. */
  processorTime(): ProcessorTime | undefined;
  /** Names the instance that leads, and how often the lease has changed hands. */
  lease(): Promise<unknown>;
  stop(): Promise<void>;
}

/** @param environment variables besides those of the cluster, the page and the database */
export async function startAttackedService(
  cluster: Pick<LocalCluster, 'rpcUrl' | 'wsUrl' | 'kind'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<AttackedService> {
  const page = await buildTestPage();
  const folder = temporaryFolder('hostile');
  const url = await (await sharedPostgres()).createDatabase();
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 2 });
  await database.migrate();
  const service = await startServiceProcess(
    cluster,
    {
      PORT: '0',
      DATABASE_URL: url,
      // The test sends requests from many addresses.
      TRUST_PROXY: '1',
      WEB_FOLDER: page,
      UPLOADS_FOLDER: folder,
      INDEXER_POLL_MS: '200',
      ...environment,
    },
    [`--max-old-space-size=${HEAP_MIB}`],
  );
  return {
    ...service,
    database,
    folder,
    memory: () => memoryOf(service.pid),
    processorTime: () => processorTimeOf(service.pid),
    lease: async () =>
      (
        await rowsOf(
          database.queries,
          sql`select holder, token::text as token from leases where name = ${LEADER}`,
        )
      )[0],
    stop: async () => {
      if (!(await service.kill())) throw new Error('the service had ended by itself');
      await database.close();
    },
  };
}

function memoryOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kib = existsSync(status)
    ? /^VmRSS:\s*(\d+)/m.exec(readFileSync(status, 'utf8'))![1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kib) * KIB;
}

function processorTimeOf(pid: number): ProcessorTime | undefined {
  const file = `/proc/${pid}/schedstat`;
  if (!existsSync(file)) return undefined;
  const [running = 0, waiting = 0] = readFileSync(file, 'utf8')
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e6);
  return { running, waiting };
}
