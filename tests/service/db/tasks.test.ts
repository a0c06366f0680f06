// Work that is tried again later: when, and what operators see of it.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import type { Database } from '#app/db/database.js';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { Tasks, countWaitingTasks } from '#app/db/retries/tasks.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { createCli, type Cli } from '#tests/service/cli.js';

const PAUSES = { firstMs: 1_000, longestMs: 60_000 };
const MINT = Keypair.generate().publicKey.toBase58();

describe(`tasks (${DATABASE_KIND})`, () => {
  const [graduations, pools] = [new Tasks('graduation'), new Tasks('pool')];
  let cli: Cli;
  let database: Database;
  let metrics: Metrics;

  before(async () => {
    cli = await createCli();
    await cli.run(['migrate-db']);
    database = await cli.database();
    metrics = createMetrics({ ofProcess: false });
    countWaitingTasks(database, metrics);
  });
  after(() => cli.close());

  const postpone = (tasks: Tasks, now: number, more: { isResting?: boolean; subject?: string } = {}) =>
    database.transaction((tx) =>
      tasks.postpone(tx, { subject: MINT, problem: `it failed at ${now}`, now, pauses: PAUSES, ...more }),
    );
  const list = async (...args: string[]) => {
    const { out } = await cli.run(['tasks', 'list', '--json', ...args]);
    return (JSON.parse(out) as { tasks: Record<string, unknown>[] }).tasks;
  };

  it('are tried again after pauses that double up to the longest, and after a rest from the first pause on', async () => {
    const now = 1_900_000_000_000;
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 9; attempt += 1) pauses.push((await postpone(graduations, now)) - now);
    expect(pauses).to.deep.equal([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
    expect((await postpone(graduations, now, { isResting: true })) - now).to.equal(1_000);
    expect((await postpone(graduations, now)) - now).to.equal(1_000);
    expect((await postpone(graduations, now)) - now).to.equal(2_000);
  });

  it('are shown with their reason, the next one first, and counted', async () => {
    const now = Date.now();
    await postpone(graduations, now - 10_000, { isResting: true });
    await postpone(pools, now + 3_600_000, { isResting: true });
    const shown = (await cli.run(['tasks'])).out.split('\n');
    expect(shown).to.have.length(4);
    expect(shown[2]).to.match(
      new RegExp(`^graduation +${MINT} +0 +\\d+ s +now +it failed at ${now - 10_000}`),
    );
    expect(shown[3]).to.match(new RegExp(`^pool +${MINT} +0 +\\d+ s +in 1 h +it failed at`));
    const [first, second] = await list();
    expect(first).to.include({
      kind: 'graduation',
      subject: MINT,
      attempts: 0,
      problem: `it failed at ${now - 10_000}`,
    });
    expect(second).to.include({ kind: 'pool', dueAt: new Date(now + 3_601_000).toISOString() });
    const metric = await metrics.registry.getSingleMetricAsString('curvekit_tasks_waiting');
    for (const [kind, count] of [
      ['graduation', 1],
      ['pool', 1],
      ['settlement', 0],
    ])
      expect(metric).to.contain(`curvekit_tasks_waiting{kind="${kind}"} ${count}`);
  });

  it('are hidden while only the index has to show that they are done', async () => {
    const done = { subject: 'graduated', problem: null, now: Date.now(), pauses: PAUSES };
    await database.transaction((tx) => graduations.postpone(tx, done));
    expect((await list('--kind', 'graduation')).map(({ subject }) => subject)).to.deep.equal([MINT]);
  });

  it('are tried at once when an operator wants it', async () => {
    const { out, exitCode } = await cli.run(['tasks', 'retry', 'pool', MINT]);
    expect([exitCode, out]).to.deep.equal([0, 'The running service tries again: 1 of kind pool.']);
    const [pool] = await list('--kind', 'pool');
    expect(new Date(String(pool!['dueAt'])).getTime()).to.be.at.most(Date.now());
    const unknown = await cli.run(['tasks', 'retry', 'pool', 'nobody']);
    expect([unknown.exitCode, unknown.err]).to.deep.equal([
      1,
      'curvekit: no task pool nobody waits; `curvekit tasks` shows those that do',
    ]);
    expect((await cli.run(['tasks', 'retry', 'pools'])).exitCode).to.equal(2);
  });
});
