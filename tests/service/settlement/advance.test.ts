// In which order open settlements advance, how many at a time, and when a command or the job stops waiting. The tokens are not
// indexed, so nothing is paid: each settlement ends with a report that it waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { DeposedError, type Database } from '#app/db/database.js';
import { advanceSettlements, type AdvanceOptions, type Look } from '#app/settlement/advance.js';
import { momentOf } from '#app/settlement/periods/moments.js';
import { openPeriods } from '#app/settlement/periods/repository.js';
import type { SettlementReport } from '#app/settlement/report.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { insertOpenSettlement, type OpenSettlement } from '#tests/database/open-settlement.js';
import { taskRows } from '#tests/database/task-rows.js';
import { withSlowReads } from '#tests/database/slow-reads.js';
import { rejection } from '#tests/mocha/failures.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { heldReports } from '#tests/service/held-reports.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

/** Settlements that advance at a time, and those of them that were interrupted before. */
const [LANES, RETRY_LANES] = [8, 6];
const SLOT = 1_000;

describe(`advancing settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let node: FakeNode;
  let database: Database;
  let context: Context;
  let stopping: AbortController;
  /** The clock: it stands, or runs so many times as fast as ours. */
  let [time, speed, since] = [0, 0, 0];
  const logged: { readonly level: number; readonly msg: string }[] = [];
  const reports: SettlementReport[] = [];

  before('start a node', async () => {
    node = await startFakeNode(({ method }) => {
      if (method !== 'getProgramAccounts') throw new Error(`${method} is not expected`);
      return { context: { slot: SLOT }, value: [] };
    });
  });
  after(() => node.stop());
  beforeEach(async () => {
    database = await openTestDatabase();
    const made = await contextFrom({ RPC_URL: node.url, SETTLEMENT_INTERVAL_SECONDS: '600' }, database);
    [time, speed, since] = [1_800_000_000_000, 0, performance.now()];
    const now = () => Math.floor(time + (performance.now() - since) * speed);
    context = { ...made, logger: pino({ level: 'info' }, linesInto(logged)), now };
    stopping = new AbortController();
    [logged.length, reports.length] = [0, 0];
  });
  afterEach(async () => {
    node.setDown(false);
    await database.close();
  });

  const open = async (name: string, given: OpenSettlement = {}): Promise<string> => {
    await insertOpenSettlement(database, name, time, given);
    return name;
  };
  const advance = (options: Partial<AdvanceOptions> = {}): Promise<number> =>
    advanceSettlements(context, {
      signal: stopping.signal,
      onReport: (report) => void reports.push(report),
      ...options,
    });
  /** A look that comes once. */
  const once = (run: Look['run']): Look => {
    let at = time;
    return { at: () => at, run: () => ((at = Infinity), run()) };
  };
  const reported = () => reports.map(({ mint }) => mint);
  const tasks = () => taskRows(database);

  it('takes the most valuable ones first, eight at a time, each once', async () => {
    const values = [5, 1, 12, 3, 12, 9, 2, 10, 11, 4, 8, 7, 6];
    for (const [index, value] of values.entries()) await open(`${index} of ${value}`, { value });
    const { waiting, most, letGo, onReport } = heldReports(reports);
    const done = advance({ onReport });
    await eventually(() => Promise.resolve(waiting.length === LANES), 'eight reports');
    const byValue = values.map((value, index) => ({ value, name: `${index} of ${value}` }));
    byValue.sort((a, b) => b.value - a.value);
    expect([...waiting].sort()).to.deep.equal(
      byValue
        .slice(0, LANES)
        .map(({ name }) => name)
        .sort(),
    );
    letGo();
    await done;
    expect(most()).to.equal(LANES);
    expect(reported().sort()).to.deep.equal(byValue.map(({ name }) => name).sort());
    for (const { outcome, problems, isInterrupted } of reports)
      expect([outcome, problems.length, isInterrupted]).to.deep.equal(['waiting', 1, true]);
    expect(await tasks()).to.have.lengthOf(values.length);
  });

  it('takes equal ones in the order in which they began', async () => {
    for (let index = 0; index < LANES + 2; index += 1) await open(String(index), { value: 7 });
    const { waiting, letGo, onReport } = heldReports(reports);
    const done = advance({ onReport });
    await eventually(() => Promise.resolve(waiting.length === LANES), 'eight reports');
    expect([...waiting].sort()).to.deep.equal(Array.from({ length: LANES }, (_, index) => String(index)));
    letGo();
    await done;
  });

  it('leaves lanes for those that were not tried yet, however valuable the interrupted ones are', async () => {
    for (let index = 0; index < LANES + 1; index += 1)
      await open(`old ${index}`, { value: 100, attempts: 2 });
    for (let index = 0; index < 3; index += 1) await open(`new ${index}`);
    const { waiting, letGo, onReport } = heldReports(reports);
    const done = advance({ onReport });
    await eventually(() => Promise.resolve(waiting.length === LANES), 'eight reports');
    expect(waiting.filter((mint) => mint.startsWith('old'))).to.have.lengthOf(RETRY_LANES);
    letGo();
    await done;
    expect(reports).to.have.lengthOf(LANES + 4);
  });

  it('pays only those that a command waits for, and samples the others meanwhile', async () => {
    // Due after the others' first samples.
    const mine = await open('mine', { dueAt: time + 20_000 });
    const other = await open('other');
    await open(Keypair.generate().publicKey.toBase58(), { state: 'sampling' });
    speed = 100;
    const sampled: number[] = [];
    await advance({
      concerns: (name) => name === mine,
      onSample: (_, taken) => sampled.push(taken),
    });
    expect(reported()).to.deep.equal([mine]);
    expect((await openPeriods(database.queries)).map(({ mint: open }) => open)).to.include(other);
    expect(sampled).to.include(1);
  });

  it('takes each sample at its moment, at a slot that the next may not precede, and forgets earlier failures', async () => {
    const mint = Keypair.generate().publicKey.toBase58();
    await open(mint, { state: 'sampling', attempts: 3, samples: 2 });
    const [period] = await openPeriods(database.queries);
    const steps: string[] = [];
    const taken: number[] = [];
    const ended = advance({
      onSample: (of, count) => {
        expect(of.mint).to.equal(mint);
        taken.push(count);
      },
      afterStep: (step) => void steps.push(step),
    });
    for (const index of [0, 1]) {
      const moment = momentOf(period!, index);
      time = moment - 1;
      await sleep(1_100);
      expect(taken).to.have.lengthOf(index);
      time = moment;
      await eventually(() => Promise.resolve(taken.length > index), 'the sample');
    }
    await ended;
    expect(taken).to.deep.equal([1, 2]);
    expect(steps).to.deep.equal(['sampled', 'sampled']);
    const [after] = await openPeriods(database.queries);
    expect([...after!.taken, after!.lastSlot]).to.deep.equal([0, 1, SLOT]);
    // It was tried to the end once more, and its token is not indexed.
    const [task, ...others] = await tasks();
    expect(task).to.deep.include({ subject: mint, attempts: 1, problem: reports[0]!.problems.join() });
    expect(others).to.deep.equal([]);
  });

  for (const [periodMs, samples, limitMs] of [
    [10_000, 10, 60_000],
    [600_000, 10, 240_000],
  ] as const) {
    it(`a command gives up after ${limitMs / 1_000} s without a sample, of a period of ${periodMs / 1_000} s`, async () => {
      node.setDown(true);
      const mint = Keypair.generate().publicKey.toBase58();
      await open(mint, { state: 'sampling', periodMs, samples });
      speed = 50;
      await advance();
      const waited = context.now() - time;
      expect(waited).to.be.within(limitMs, limitMs + 60_000);
      expect(reports).to.have.lengthOf(1);
      expect(reports[0]).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
      const [task] = await tasks();
      expect(task!.problem).to.match(/^reading the holders failed: /);
      // The first failure is logged, and then ever fewer of them.
      const times = Math.floor(Math.log2(task!.attempts)) + 1;
      expect(logged.filter(({ msg }) => msg.startsWith('reading the holders failed'))).to.have.lengthOf(
        times,
      );
      expect(task!.attempts).to.be.at.least(3);
    });
  }

  it('the job does not give up, and returns when it has nothing to do for a while', async () => {
    node.setDown(true);
    await open(Keypair.generate().publicKey.toBase58(), { state: 'sampling', periodMs: 10_000 });
    speed = 200;
    const ended = advance({ idleMs: 60_000 }).then(
      () => 'returned',
      () => 'stopped',
    );
    await eventually(() => Promise.resolve(context.now() - time > 100_000), 'a minute');
    expect(reports).to.deep.equal([]);
    stopping.abort();
    expect(await ended).to.equal('stopped');
  });

  it('the job returns the time of its next work, when that is further away than it waits', async () => {
    expect(await advance({ idleMs: 1_000 })).to.equal(Infinity);
    await open('token', { attempts: 1, dueAt: time + 5_000 });
    await open('later', { attempts: 1, dueAt: time + 9_000 });
    expect(await advance({ idleMs: 4_999 })).to.equal(time + 5_000);
    expect(reports).to.deep.equal([]);
    const look = { at: () => time + 3_000, run: () => Promise.reject(new Error('too early')) };
    expect(await advance({ idleMs: 2_999, look })).to.equal(time + 3_000);
    speed = 50;
    expect(await advance({ idleMs: 8_000 })).to.be.above(time + 5_000);
    expect(reported()).to.include('token');
  });

  it('looks for new settlements when it is time, one look at a time, and advances what they begin', async () => {
    let [looks, running, most] = [0, 0, 0];
    let at = time;
    await advance({
      idleMs: 500,
      look: {
        at: () => at,
        run: async () => {
          [running, looks] = [running + 1, looks + 1];
          most = Math.max(most, running);
          await sleep(50);
          await open(`begun ${looks}`);
          if (looks === 2) at = time + 1_000;
          running -= 1;
        },
      },
    });
    expect([looks, most]).to.deep.equal([2, 1]);
    expect(new Set(reported())).to.deep.equal(new Set(['begun 1', 'begun 2']));
  });

  it('ends with the error of a look, or of a report, once what runs has ended', async () => {
    const failing = { at: () => time, run: () => Promise.reject(new Error('the look fails')) };
    expect((await rejection(advance({ idleMs: 500, look: failing }), Error)).message).to.equal(
      'the look fails',
    );
    await open('one', { value: 2 });
    await open('two');
    let ended = false;
    const onReport = async ({ mint }: SettlementReport) => {
      if (mint === 'one') throw new DeposedError('settling');
      await sleep(200);
      ended = true;
    };
    await rejection(advance({ onReport }), DeposedError);
    expect(ended).to.equal(true);
  });

  it('advances what a look begins while the open settlements are read', async () => {
    context = { ...context, database: withSlowReads(database, 200) };
    await advance({
      idleMs: 500,
      look: once(() =>
        sleep(50)
          .then(() => open('begun'))
          .then(() => undefined),
      ),
    });
    expect(reported()).to.deep.equal(['begun']);
  });

  it('ends with the error of a look also when nothing is left to do by then', async () => {
    const look = once(() => Promise.reject(new Error('the look fails')));
    const error = await rejection(advance({ idleMs: 500, look }), Error);
    expect(error.message).to.equal('the look fails');
  });

  it('stops at once when it is told to, and says why', async () => {
    await open('token', { attempts: 1, dueAt: time + 600_000 });
    const stopped = rejection(advance(), Error);
    await sleep(200);
    const from = performance.now();
    stopping.abort(new Error('the process ends'));
    expect((await stopped).message).to.equal('the process ends');
    expect(performance.now() - from).to.be.below(700);
    expect(reports).to.deep.equal([]);
  });
});
