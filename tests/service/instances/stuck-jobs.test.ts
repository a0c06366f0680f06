// A job whose step never ends: the job goes on, and what comes back of the step later can write nothing. threat: silent-server
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { DeposedError, openDatabase, type Database } from '#app/db/database.js';
import { LEADER } from '#app/db/leadership.js';
import { countOverruns, leaderJob, type LeaderWork } from '#app/db/jobs/leader-job.js';
import {
  DATABASE_KIND,
  openTestDatabase,
  useDatabase,
  postgresWithTables,
} from '#tests/database/database.js';
import { Proxy } from '#tests/network/proxy.js';
import { rejection } from '#tests/mocha/failures.js';
import { linesInto } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { createLogger } from '#app/base/logging/logging.js';

const LIMIT_MS = 300;
const never = () => new Promise<void>(() => undefined);

describe(`a job that is stuck (${DATABASE_KIND})`, () => {
  const database = useDatabase({ each: true });

  const jobOf = (work: LeaderWork, logger = pino({ level: 'silent' })) =>
    leaderJob({ name: 'stuck', database, logger, work, retryMs: 10, limitMs: LIMIT_MS, endingMs: LIMIT_MS });
  const isFree = async () => {
    const lease = await database.tryLead(LEADER);
    await lease?.release();
    return lease !== undefined;
  };

  it('in a step is given up, counted and logged, starts over, and its old step can write nothing', async () => {
    const lines: {
      readonly msg: string;
      readonly job?: string;
      readonly err?: { readonly message: string };
    }[] = [];
    const runs: Database[] = [];
    const job = jobOf(
      async (signal, leading, step) => {
        runs.push(leading);
        if (runs.length === 1) await step(never);
        await sleep(60_000, undefined, { signal });
      },
      createLogger('error', linesInto(lines)),
    );
    job.start();
    await eventually(() => runs.length === 2, 'the second run');
    const write = (run: Database) => run.transaction((tx) => tx.execute(sql`select 1`));
    await rejection(write(runs[0]!), DeposedError);
    await write(runs[1]!);
    const registry = new Registry();
    countOverruns([job], registry);
    expect(await registry.metrics()).to.contain('curvekit_job_overruns_total{job="stuck"} 1\n');
    expect(
      lines.map(({ job: name, msg, err }) => [name, /^[^;]+/.exec(msg)?.[0], err?.message]),
    ).to.deep.equal([
      ['stuck', 'the job took too long and is given up', 'it goes on 0.3 s after it was told to end'],
    ]);
    await job.stop();
  });

  it('does not hold the lease of a process that stops', async () => {
    let runs = 0;
    const job = jobOf(async () => {
      runs += 1;
      await never();
    });
    job.start();
    await eventually(() => runs === 1, 'the run');
    const began = performance.now();
    await job.stop();
    expect(performance.now() - began).to.be.below(10 * LIMIT_MS);
    expect(await isFree()).to.equal(true);
  });
});

if (DATABASE_KIND === 'postgres')
  describe('a database', () => {
    it('a database that goes silent does not hold a process that stops', async () => {
      const { hostname, port, protocol, username, password, pathname } = new URL(await postgresWithTables());
      const proxy = await Proxy.to(`${protocol}//${hostname}:${port}`);
      const url = `${protocol}//${username}:${password}@${new URL(proxy.url).host}${pathname}`;
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
      let runs = 0;
      const job = leaderJob({
        name: 'stuck',
        database,
        logger: pino({ level: 'silent' }),
        work: async (_signal, leading) => {
          for (;;) {
            runs += 1;
            await leading.transaction((tx) => tx.execute(sql`select 1`));
          }
        },
      });
      job.start();
      await eventually(() => runs > 0, 'the run');
      proxy.freeze();
      const began = performance.now();
      await job.stop();
      await database.close();
      expect(performance.now() - began).to.be.below(18_000);
      await proxy.cut();
    });

    it('is closed during a slow statement ends it, and is closed within seconds', async () => {
      const database = await openTestDatabase();
      const slow = database
        .on('jobs')
        .queries.execute(sql`select pg_sleep(60)`)
        .then(
          () => 'ended',
          () => 'ended by the close',
        );
      await sleep(500);
      const began = performance.now();
      await database.close();
      expect(await slow).to.equal('ended by the close');
      expect(performance.now() - began).to.be.below(10_000);
    });
  });
