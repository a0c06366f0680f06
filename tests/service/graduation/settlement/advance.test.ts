// In which order open settlements advance, how many at a time, and when a command or the job stops waiting. The tokens are not
// indexed, so nothing is paid: each settlement ends with a report that it waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { DeposedError, type Database } from '#app/db/database.js';
import type { Look } from '#app/graduation/settlement/advance.js';
import { openPeriods } from '#app/graduation/settlement/periods/repository.js';
import type { SettlementReport } from '#app/graduation/settlement/report.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { newAddress } from '#tests/new-address.js';
import { storeToken } from '#tests/database/index-rows.js';
import { rejection } from '#tests/mocha/failures.js';
import { useAdvancing } from '#tests/service/advancing.js';
import { eventually } from '#tests/service/service.js';

/** Holds each report back until it is let go, and then adds it to the list. */
function heldReports(reports: SettlementReport[]) {
  const waiting: string[] = [];
  let most = 0;
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const onReport = async (report: SettlementReport) => {
    waiting.push(report.mint);
    most = Math.max(most, waiting.length);
    await gate;
    waiting.splice(waiting.indexOf(report.mint), 1);
    reports.push(report);
  };
  return { waiting, most: () => most, letGo, onReport };
}

/** The database, whose answers outside of transactions arrive late: what they say can have changed by then. */
function withSlowReads(database: Database, ms: number): Database {
  const { queries } = database;
  const slow = Object.create(queries) as typeof queries;
  slow.execute = (async (...asked: Parameters<typeof queries.execute>) => {
    const rows = await queries.execute(...asked);
    await sleep(ms);
    return rows;
  }) as unknown as typeof queries.execute;
  return { ...database, queries: slow };
}

/** Settlements that advance at a time, and those of them that were interrupted before. */
const [LANES, RETRY_LANES] = [8, 6];

describe(`advancing settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const at = useAdvancing();
  const { open, advance, reports, reported, tasks } = at;
  /** A look that comes once. */
  const once = (run: Look['run']): Look => {
    let next = at.time;
    return { at: () => next, run: () => ((next = Infinity), run()) };
  };

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
    const mine = await open('mine', { dueAt: at.time + 20_000 });
    const other = await open('other');
    await open(newAddress(), { state: 'sampling' });
    const sampled: number[] = [];
    const ended = advance({
      concerns: (name) => name === mine,
      onSample: (_, taken) => sampled.push(taken),
    });
    at.time += 15_000;
    await eventually(() => Promise.resolve(sampled.length === 1), 'the first sample');
    at.time += 5_000;
    await ended;
    expect(reported()).to.deep.equal([mine]);
    expect((await openPeriods(at.database.queries)).map(({ mint }) => mint)).to.include(other);
  });

  it('the job returns the time of its next work, when that is further away than it waits', async () => {
    expect(await advance({ idleMs: 1_000 })).to.equal(Infinity);
    await open('token', { attempts: 1, dueAt: at.time + 5_000 });
    await open('later', { attempts: 1, dueAt: at.time + 9_000 });
    expect(await advance({ idleMs: 4_999 })).to.equal(at.time + 5_000);
    const waiting = rejection(advance({ idleMs: 5_000 }), Error);
    await sleep(100);
    at.stopping.abort(new Error('it waits'));
    expect((await waiting).message).to.equal('it waits');
    at.stopping = new AbortController();
    expect(reports).to.deep.equal([]);
    const look = { at: () => at.time + 3_000, run: () => Promise.reject(new Error('too early')) };
    expect(await advance({ idleMs: 2_999, look })).to.equal(at.time + 3_000);
    at.speed = 50;
    expect(await advance({ idleMs: 8_000 })).to.be.above(at.time + 5_000);
    expect(reported()).to.include('token');
  });

  it('looks for new settlements when it is time, one look at a time, and advances what they begin', async () => {
    let [looks, running, most] = [0, 0, 0];
    let next = at.time;
    const from = performance.now();
    await advance({
      idleMs: 500,
      look: {
        at: () => next,
        run: async () => {
          [running, looks] = [running + 1, looks + 1];
          most = Math.max(most, running);
          await sleep(50);
          await open(`begun ${looks}`);
          if (looks === 2) next = at.time + 1_000;
          running -= 1;
        },
      },
    });
    expect([looks, most]).to.deep.equal([2, 1]);
    expect(new Set(reported())).to.deep.equal(new Set(['begun 1', 'begun 2']));
    // Each look is followed at once, and not after a second.
    expect(performance.now() - from).to.be.below(1_800);
  });

  it('ends with the error of a look, or of a report, once what runs has ended', async () => {
    const failing = { at: () => at.time, run: () => Promise.reject(new Error('the look fails')) };
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
    at.context = { ...at.context, database: withSlowReads(at.database, 200) };
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

  it('a command ends with the error of a look that outlives its settlements', async () => {
    const look = once(() => sleep(100).then(() => Promise.reject(new Error('the look fails'))));
    const error = await rejection(advance({ look }), Error);
    expect(error.message).to.equal('the look fails');
  });

  it('rests while there is nothing to do', async () => {
    await open('token', { attempts: 1, dueAt: at.time + 600_000 });
    let turns = 0;
    const { now } = at.context;
    at.context = { ...at.context, now: () => ((turns += 1), now()) };
    const stopped = rejection(advance(), Error);
    await sleep(500);
    at.stopping.abort(new Error('the process ends'));
    await stopped;
    expect(turns).to.be.below(5);
  });

  it('reports one whose payment is interrupted, logs why, and tries it later', async () => {
    const mint = await open(newAddress());
    await storeToken(at.database.queries, { mint });
    // There is no key to pay with.
    await advance();
    expect(reports).to.have.lengthOf(1);
    expect(reports[0]).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
    expect(at.logged).to.have.lengthOf(1);
    expect(at.logged[0]).to.deep.include({ level: 50, mint });
    expect(at.logged[0]).to.include.all.keys('err', 'settlement');
    expect(await tasks()).to.have.lengthOf(1);
  });

  it('the job tries an interrupted one again as soon as it is due', async () => {
    const mint = await open(newAddress());
    await storeToken(at.database.queries, { mint });
    at.speed = 1_000;
    const onReport = (report: SettlementReport) => {
      reports.push(report);
      if (reports.length === 2) at.stopping.abort(new Error('enough'));
    };
    expect((await rejection(advance({ onReport, idleMs: 600_000 }), Error)).message).to.equal('enough');
    expect(reported()).to.deep.equal([mint, mint]);
  });

  it('goes on as soon as a look has ended', async () => {
    const from = performance.now();
    await advance({ idleMs: 0, look: once(() => sleep(50)) });
    expect(performance.now() - from).to.be.within(50, 800);
  });

  it('does not take a stop, or a lost lease, for an interrupted payment', async () => {
    const mint = await open(newAddress(), { columns: { state: 'paid', signature: 'paid it' } });
    await storeToken(at.database.queries, { mint });
    for (const [problem, kind] of [
      [new DeposedError('settling'), DeposedError],
      [new Error('the process ends'), Error],
    ] as const) {
      const failing: Database['transaction'] = () => {
        if (kind === Error) at.stopping.abort(problem);
        return Promise.reject(problem);
      };
      at.context = { ...at.context, database: { ...at.database, transaction: failing } };
      expect((await rejection(advance(), kind)).message).to.equal(problem.message);
    }
    expect([reports, at.logged, await tasks()]).to.deep.equal([[], [], []]);
  });

  it('stops at once when it is told to, and says why', async () => {
    await open('token', { attempts: 1, dueAt: at.time + 600_000 });
    const stopped = rejection(advance(), Error);
    await sleep(200);
    const from = performance.now();
    at.stopping.abort(new Error('the process ends'));
    expect((await stopped).message).to.equal('the process ends');
    expect(performance.now() - from).to.be.below(700);
    expect(reports).to.deep.equal([]);
  });
});
