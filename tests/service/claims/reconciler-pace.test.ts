// When the reconciler's job audits and tidies up, and what it logs when that fails.
import { expect } from 'chai';
import { pino } from 'pino';
import type { Gauge } from 'prom-client';
import { createReconciler } from '#app/claims/reconciler-job.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import type { Job } from '#app/db/jobs/job.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const AUDIT_MS = 600_000;
const RETRY_MS = 30_000;
/** No claims are open, so nothing asks the node. */
const NO_NODE = { RPC_URL: 'http://127.0.0.1:9' };

interface Line {
  readonly msg: string;
  readonly task?: string;
}

describe(`the reconciler's housekeeping (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  let context: Context;
  let job: Job;
  /** The job's clock, and how often the job has read it: once for each of its two tasks in a pass. */
  let [time, looks] = [0, 0];
  let onLook: () => unknown;
  let [tidied, fails] = [0, false];
  const logged: Line[] = [];

  beforeEach(async () => {
    database = await openTestDatabase();
    [time, looks, tidied, fails, logged.length] = [1_000, 0, 0, false, 0];
    onLook = () => undefined;
    context = {
      ...(await contextFrom(NO_NODE, database)),
      logger: pino({ level: 'info' }, linesInto(logged)),
      now: () => {
        looks += 1;
        onLook();
        return time;
      },
    };
    job = createReconciler(context, {
      intervalMs: 1,
      auditIntervalMs: AUDIT_MS,
      tidy: () => {
        tidied += 1;
        return fails ? Promise.reject(new Error('nothing can be deleted')) : Promise.resolve();
      },
    });
  });
  afterEach(async () => {
    await job.stop();
    await database.close();
  });

  /** Two more passes, so that at least one began after the call. */
  async function passes(): Promise<void> {
    const until = looks + 8;
    await eventually(() => Promise.resolve(looks >= until), 'passes');
  }
  const about = (task: string) => logged.filter((line) => line.task === task).map(({ msg }) => msg);

  it('is done at once, and then as often as the audit', async () => {
    job.start();
    await passes();
    expect(tidied).to.equal(1);
    time += AUDIT_MS - 1;
    await passes();
    expect(tidied).to.equal(1);
    time += 1;
    await passes();
    expect(tidied).to.equal(2);
  });

  it('housekeeping that fails is tried again after 30 seconds, and logged once until it works again', async () => {
    fails = true;
    job.start();
    await passes();
    expect(tidied).to.equal(1);
    time += RETRY_MS - 1;
    await passes();
    expect(tidied).to.equal(1);
    time += 1;
    await passes();
    expect(tidied).to.equal(2);
    expect(about('tidying up')).to.have.lengthOf(1);
    expect(about('tidying up')[0]).to.match(/^the task failed and is tried again/);
    fails = false;
    for (const passed of [RETRY_MS, AUDIT_MS]) {
      time += passed;
      await passes();
    }
    expect(tidied).to.equal(4);
    expect(about('tidying up').slice(1)).to.deep.equal(['the task works again']);
    fails = true;
    time += AUDIT_MS;
    await passes();
    expect(about('tidying up')).to.have.lengthOf(3);
    expect(about('auditing expired claims')).to.deep.equal([]);
  });

  it('does not begin once the job stops, which leaves no count of undecidable claims', async () => {
    const undecidable = context.metrics.registry.getSingleMetric('curvekit_claims_undecidable') as Gauge;
    const counted = async () => (await undecidable.get()).values[0]!.value;
    job.start();
    await passes();
    let stopped: Promise<void> | undefined;
    time += AUDIT_MS;
    // After the pass that counts them.
    onLook = () => {
      undecidable.set(3);
      stopped ??= job.stop();
    };
    await eventually(() => Promise.resolve(stopped !== undefined), 'the stop');
    await stopped;
    expect(tidied).to.equal(1);
    expect(await counted()).to.equal(0);
  });
});
