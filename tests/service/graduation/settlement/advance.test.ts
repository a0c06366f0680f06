// How open settlements advance, on a clock of the test: which first, how many at a time, each sample at its moment, and when a command
// or the job stops waiting. Nobody holds the tokens, and they are not indexed, so nothing is paid: each settlement ends with a report
// that it waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { DeposedError, type Database } from '#app/db/database.js';
import { advanceSettlements, type AdvanceOptions } from '#app/graduation/settlement/advance.js';
import { momentOf } from '#app/graduation/settlement/periods/moments.js';
import { openPeriods } from '#app/graduation/settlement/periods/repository.js';
import type { SettlementReport } from '#app/graduation/settlement/report.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { insertOpenSettlement, type OpenSettlement } from '#tests/database/open-settlement.js';
import { taskRows } from '#tests/database/task-rows.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const SLOT = 1_000;
/** Settlements that advance at a time. */
const LANES = 8;

describe(`advancing settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let node: FakeNode;
  let database: Database;
  let context: Context;
  let stopping: AbortController;
  /** The clock, in Unix milliseconds: it stands, or runs `speed` times as fast as ours. */
  let [time, speed, since] = [0, 0, 0];
  let beforeAnswer: () => Promise<void>;
  const logged: Readonly<Record<string, unknown>>[] = [];
  const reports: SettlementReport[] = [];

  before(async () => {
    node = await startFakeNode(async ({ method }) => {
      if (method !== 'getProgramAccounts') throw new Error(`${method} is not expected`);
      await beforeAnswer();
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
    beforeAnswer = () => Promise.resolve();
    [logged.length, reports.length] = [0, 0];
  });
  afterEach(async () => {
    node.setDown(false);
    await database.close();
  });

  /** Inserts an open settlement that begins now. @returns its token */
  const open = async (mint: string, given: OpenSettlement = {}): Promise<string> => {
    await insertOpenSettlement(database, mint, time, given);
    return mint;
  };
  const advance = (options: Partial<AdvanceOptions> = {}): Promise<number> =>
    advanceSettlements(context, {
      signal: stopping.signal,
      onReport: (report) => void reports.push(report),
      ...options,
    });
  const reported = () => reports.map(({ mint }) => mint);
  const soon = (is: () => boolean, what: string) => eventually(() => Promise.resolve(is()), what);

  /** Holds each report back until it is let go, and then adds it to the list. */
  function heldReports() {
    const waiting: string[] = [];
    let most = 0;
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const onReport = async (report: SettlementReport) => {
      most = Math.max(most, waiting.push(report.mint));
      await gate;
      waiting.splice(waiting.indexOf(report.mint), 1);
      reports.push(report);
    };
    return { waiting, most: () => most, letGo, onReport };
  }

  it('takes the most valuable ones first, equal ones in the order in which they began, eight at a time, each once', async () => {
    const values = [5, 1, 7, 3, 12, 9, 2, 7, 11, 7, 8, 7, 6];
    for (const [index, value] of values.entries()) await open(`${index} of ${value}`, { value });
    const { waiting, most, letGo, onReport } = heldReports();
    const done = advance({ onReport });
    await soon(() => waiting.length === LANES, 'eight reports');
    const byValue = values.map((value, index) => ({ value, name: `${index} of ${value}` }));
    const names = byValue.sort((a, b) => b.value - a.value).map(({ name }) => name);
    expect(new Set(waiting)).to.deep.equal(new Set(names.slice(0, LANES)));
    letGo();
    await done;
    expect(most()).to.equal(LANES);
    expect(reported().sort()).to.deep.equal(names.sort());
    for (const { outcome, problems, isInterrupted } of reports)
      expect([outcome, problems.length, isInterrupted]).to.deep.equal(['waiting', 1, true]);
    expect(await taskRows(database)).to.have.lengthOf(values.length);
  });

  it('takes each sample at its moment, at a slot that the next may not precede, and forgets earlier failures', async () => {
    const mint = await open(newAddress(), { state: 'sampling', attempts: 3, samples: 2 });
    const [period] = await openPeriods(database.queries);
    const taken: number[] = [];
    const ended = advance({ onSample: ({ mint: of }, count) => taken.push(of === mint ? count : 0) });
    for (const index of [0, 1]) {
      const moment = momentOf(period!, index);
      time = moment - 1;
      await sleep(1_100);
      expect(taken).to.have.lengthOf(index);
      time = moment;
      await soon(() => taken.length > index, 'the sample');
    }
    await ended;
    expect(taken).to.deep.equal([1, 2]);
    const [after] = await openPeriods(database.queries);
    expect([...after!.taken, after!.lastSlot]).to.deep.equal([0, 1, SLOT]);
    // It was tried to the end once more, and its token is not indexed.
    const [task, ...others] = await taskRows(database);
    expect(task).to.deep.include({ subject: mint, attempts: 1, problem: reports[0]!.problems.join() });
    expect(others).to.deep.equal([]);
  });

  for (const [periodMs, samples, limitMs, taken] of [
    [10_000, 10, 60_000, 0],
    [600_000, 10, 240_000, 4],
  ] as const) {
    it(`a command gives up after ${limitMs / 1_000} s without a sample of a period of ${periodMs / 1_000} s, ${taken} of ${samples} being taken`, async () => {
      const mint = await open(newAddress(), { state: 'sampling', periodMs, samples });
      let lastAt = time;
      node.setDown(taken === 0);
      speed = 50;
      await advance({
        onSample: (_, count) => {
          if (count !== taken) return;
          lastAt = context.now();
          node.setDown(true);
        },
      });
      const waited = context.now() - lastAt;
      expect(waited).to.be.within(limitMs - 1_000, limitMs + 120_000);
      expect(reports).to.have.lengthOf(1);
      expect(reports[0]).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
      const [task] = await taskRows(database);
      expect(task!.problem).to.match(/^reading the holders failed: /);
      // The first failure is logged, and then ever fewer of them.
      const lines = logged.filter(({ msg }) => String(msg).startsWith('reading the holders failed'));
      expect(lines).to.have.lengthOf(Math.floor(Math.log2(task!.attempts)) + 1);
      expect(lines[0]).to.include({ mint, level: 40 });
      expect(lines[0]).to.include.all.keys('err', 'settlement', 'until');
      // A twentieth of the time between two samples, at most five seconds.
      expect(task!.attempts).to.be.within(3, waited / Math.min(periodMs / samples / 20, 5_000));
    });
  }

  it('the job returns the time of its next work, when that is further away than it waits, and tries again what is due', async () => {
    expect(await advance({ idleMs: 1_000 })).to.equal(Infinity);
    await open('token', { attempts: 1, dueAt: time + 5_000 });
    await open('later', { attempts: 1, dueAt: time + 9_000 });
    expect(await advance({ idleMs: 4_999 })).to.equal(time + 5_000);
    const look = { at: () => time + 3_000, run: () => Promise.reject(new Error('too early')) };
    expect(await advance({ idleMs: 2_999, look })).to.equal(time + 3_000);
    expect(reports).to.deep.equal([]);
    speed = 1_000;
    const twice = (report: SettlementReport) => {
      reports.push(report);
      if (reports.length === 4) stopping.abort(new Error('enough'));
    };
    expect((await rejection(advance({ idleMs: 600_000, onReport: twice }), Error)).message).to.equal(
      'enough',
    );
    expect(new Set(reported())).to.deep.equal(new Set(['token', 'later']));
  });

  it('scans for new settlements when it is time, one scan at a time, and what they begin advances at once', async () => {
    let [looks, running, most, next] = [0, 0, 0, time];
    const from = performance.now();
    const run = async () => {
      [running, looks] = [running + 1, looks + 1];
      most = Math.max(most, running);
      await sleep(50);
      await open(`begun ${looks}`);
      if (looks === 2) next = time + 1_000;
      running -= 1;
    };
    await advance({ idleMs: 500, look: { at: () => next, run } });
    expect([looks, most]).to.deep.equal([2, 1]);
    expect(new Set(reported())).to.deep.equal(new Set(['begun 1', 'begun 2']));
    // Each scan is followed at once, and not after a second.
    expect(performance.now() - from).to.be.below(1_800);
  });

  it('ends with the error of a scan', async () => {
    const look = { at: () => time, run: () => Promise.reject(new Error('the look fails')) };
    expect((await rejection(advance({ look }), Error)).message).to.equal('the look fails');
  });

  for (const state of ['sampling', 'paid'] as const) {
    it(`a stop or a lost lease is no failure of a settlement that is ${state}`, async () => {
      const mint = await open(newAddress(), {
        columns: { state, ...(state === 'paid' && { signature: 'it' }) },
      });
      await storeToken(database.queries, { mint });
      time += 60_000;
      for (const [problem, kind] of [
        [new DeposedError('settling'), DeposedError],
        [new Error('the process ends'), Error],
      ] as const) {
        const transaction: Database['transaction'] = () => {
          if (kind === Error) stopping.abort(problem);
          return Promise.reject(problem);
        };
        context = { ...context, database: { ...database, transaction } };
        expect((await rejection(advance(), kind)).message).to.equal(problem.message);
      }
      expect([reports, logged, await taskRows(database)]).to.deep.equal([[], [], []]);
    });
  }
});
