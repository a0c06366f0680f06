// When the settlement job looks at the storages, what it does while others settle, and what it logs and counts.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import type { Job } from '#app/db/jobs/job.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { newAddress } from '#tests/new-address.js';
import { usePasses } from '#tests/service/passes.js';
import { eventually } from '#tests/service/service.js';

describe(`the settlement job (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const passes = usePasses('info');
  const { node, database, contextWith, logged, tokenWithoutStorages, tasks, addTask } = passes;
  let job: Job | undefined;
  afterEach(() => job?.stop());

  /** How often the job has asked for the lease of settlers. */
  let turns = 0;
  /** Starts the job with an interval, in seconds. */
  async function start(interval: number): Promise<Context> {
    const context = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: String(interval) });
    turns = 0;
    const on: Database['on'] = (...purpose) => {
      const own = database().on(...purpose);
      return { ...own, tryLead: (name) => ((turns += 1), own.tryLead(name)) };
    };
    job = createSettlementJob({ ...context, database: { ...database(), on } });
    job!.start();
    return context;
  }
  /** When the node was asked for storages, in milliseconds. */
  function looks(): number[] {
    const at: number[] = [];
    node().setFaults(({ method }, result) => {
      if (method === 'getMultipleAccounts') at.push(performance.now());
      return result;
    });
    return at;
  }
  const pauses = (at: readonly number[]) => at.slice(1).map((time, index) => time - at[index]!);
  const untilLooked = (at: readonly number[], times: number) =>
    eventually(
      () => Promise.resolve(at.length >= times),
      () => `${times} looks, not ${at.length}`,
    );
  const counted = async ({ metrics }: Context) => {
    const { values } = await metrics.registry.getSingleMetric('curvekit_settlements_total')!.get();
    return new Map(values.map(({ labels, value }) => [labels['outcome'], value]));
  };

  it('does not exist without a key or an interval', async () => {
    for (const off of [{ DEX_OWNER_KEYPAIR: '' }, { SETTLEMENT_INTERVAL_SECONDS: '0' }]) {
      const context = await contextWith(off);
      expect(createSettlementJob(context)).to.equal(undefined);
      expect(await counted(context)).to.deep.equal(new Map());
    }
  });

  it('looks at once, then at each interval, and reports each token that waits', async () => {
    const mint = await tokenWithoutStorages();
    const at = looks();
    const context = await start(1);
    await untilLooked(at, 3);
    for (const pause of pauses(at)) expect(pause).to.be.within(500, 3_000);
    await job!.stop();
    const lines = logged.filter(({ msg }) => msg.startsWith('the settlement waits'));
    expect(lines.length).to.be.within(2, 3);
    expect(lines[0]).to.deep.include({ level: 40, mint });
    expect(lines[0]).to.have.property('problems').with.lengthOf(1);
    expect(await counted(context)).to.deep.equal(new Map([['waiting', lines.length]]));
  });

  it('looks again soon after the node was down, ever more rarely, and then at the interval', async () => {
    await passes.token({ sol: 1n });
    const at = looks();
    node().setDown(true);
    await start(600);
    const failed = () => logged.filter(({ msg }) => msg.startsWith('reading the community storages failed'));
    await eventually(() => Promise.resolve(failed().length >= 2), 'two failures');
    node().setDown(false);
    await untilLooked(at, 1);
    await sleep(3_000);
    expect(at).to.have.lengthOf(1);
    expect(failed()).to.have.lengthOf(2);
  });

  it('tries again at once what the last leader put off', async () => {
    const mint = newAddress();
    await insertOpenSettlement(database(), mint, Date.now(), { attempts: 1, dueAt: Date.now() + 600_000 });
    await start(600);
    await eventually(async () => (await tasks()).some(({ attempts }) => attempts === 2), 'another attempt');
  });

  it('books a paid settlement, counts it, and says so', async () => {
    const mint = await passes.token({ sol: 0n });
    await insertOpenSettlement(database(), mint, Date.now(), {});
    await database().queries.execute(sql`update settlements set state = 'paid', signature = 'signature'`);
    const context = await start(600);
    await eventually(async () => (await counted(context)).get('settled') === 1, 'the settlement');
    const [line] = logged.filter(({ msg }) => msg === 'the storages are settled');
    expect(line).to.deep.include({ level: 30, mint, settlement: 1, signature: 'signature', problems: [] });
  });

  it('is silent about a token that has nothing to settle by the end of its period', async () => {
    const mint = await passes.token({ sol: 0n });
    await insertOpenSettlement(database(), mint, Date.now(), { state: 'sampling', samples: 0 });
    const context = await start(600);
    await eventually(async () => (await passes.begun())[0]?.state === 'abandoned', 'its end');
    await job!.stop();
    expect(await counted(context)).to.deep.equal(new Map());
    expect(logged.filter(({ mint }) => mint !== undefined)).to.deep.equal([]);
  });

  it('waits for a command that settles, and while payments are held, and then goes on', async () => {
    await passes.token({ sol: 1n });
    const at = looks();
    const lease = await database().tryLead('settling');
    await start(600);
    await sleep(1_500);
    await database().queries.execute(sql`update payments_gate set held = 'the chain has more'`);
    await lease!.release();
    await sleep(1_500);
    expect(at).to.have.lengthOf(0);
    // Once a second.
    expect(turns).to.be.within(3, 5);
    await database().queries.execute(sql`update payments_gate set held = null`);
    await untilLooked(at, 1);
    const before = turns;
    await sleep(2_000);
    // It rests for an interval then.
    expect(at).to.have.lengthOf(1);
    expect(turns - before).to.be.below(2);
    // It never failed.
    expect(logged.filter(({ level }) => level > 30)).to.deep.equal([]);
  });

  it('starts over after an error that it does not expect', async () => {
    await addTask(newAddress(), Date.now());
    await database().queries.execute(sql`alter table payments_gate rename to elsewhere`);
    await start(600);
    const failed = () => logged.filter(({ msg }) => msg.startsWith('the job failed and starts over'));
    await eventually(() => Promise.resolve(failed().length === 1), 'the failure');
  });

  it('stops at once while it rests', async () => {
    const at = looks();
    await passes.token({ sol: 1n });
    await start(600);
    await untilLooked(at, 1);
    await sleep(700);
    const from = performance.now();
    await job!.stop();
    expect(performance.now() - from).to.be.below(2_000);
    expect(logged.filter(({ level }) => level > 30)).to.deep.equal([]);
  });
});
