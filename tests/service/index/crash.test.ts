import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { recordKey } from '@curvekit/sdk';
import type { DatabaseConfig } from '#app/config/config.js';
import { openDatabase, rowsOf } from '#app/db/database.js';
import { bundled } from '#tests/process/bundled.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, emptyDatabaseConfig } from '#tests/database/database.js';
import { eventually, finalize, simulatedCluster } from '#tests/service/service.js';
import { buyTokens, launch } from '#tests/program/tokens.js';

const CRASHES = Number(process.env['CRASHES'] ?? 5);
const TRADES = 60;
/** Each process is killed within this time after its start. */
const LONGEST_LIFE_MS = 400;
const PROCESS = 'tests/support/service/indexer-process.ts';

describe('an indexer that is killed repeatedly', () => {
  const cluster = useCluster();
  let folder: string;
  let database: DatabaseConfig;

  before(async function () {
    this.timeout(120_000);
    folder = await mkdtemp(join(tmpdir(), 'curvekit-crash-'));
    // A database in memory would not survive.
    database =
      DATABASE_KIND === 'pglite'
        ? { kind: 'pglite', folder: join(folder, 'database') }
        : await emptyDatabaseConfig();
    const trader = await cluster().fundedWallet();
    const token = await launch(cluster());
    for (let count = 0; count < TRADES; count += 1) await buyTokens(cluster(), token, trader, 10_000_000n);
    await finalize(cluster());
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function startProcess(): Promise<ChildProcess> {
    const child = fork(await bundled(PROCESS), {
      execArgv: [],
      env: {
        ...process.env,
        RPC_URL: cluster().rpcUrl,
        SIMULATED_CLUSTER: simulatedCluster(cluster()),
        WS_URL: cluster().wsUrl,
        LOG_LEVEL: 'silent',
        ...(database.kind === 'postgres'
          ? { DATABASE_URL: database.url }
          : { DATABASE_FOLDER: database.folder }),
      },
    });
    await once(child, 'message');
    return child;
  }

  it(`has indexed and booked every record exactly once after ${CRASHES} kills`, async function () {
    this.timeout(CRASHES * 60_000 + 60_000);
    for (let crash = 0; crash < CRASHES; crash += 1) {
      const child = await startProcess();
      await sleep(Math.random() * LONGEST_LIFE_MS);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const expected = await recordsOnChain(cluster());
    const last = await startProcess();
    let booked = 0;
    last.on('message', (count: number) => (booked = count));
    await eventually(() => Promise.resolve(booked === expected.length), 'all records', 60_000);
    last.kill('SIGTERM');
    await once(last, 'exit');

    const reopened = await openDatabase(database);
    try {
      await expectIndexOf(reopened.queries, expected, { finalized: true });
      const keys = await rowsOf<{ key: string }>(reopened.queries, sql`select key from booked order by id`);
      const trades = expected.filter(({ kind }) => kind === 'trade');
      expect(keys.map(({ key }) => key)).to.deep.equal(trades.map(recordKey));
    } finally {
      await reopened.close();
    }
  });
});
