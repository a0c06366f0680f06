// How settlers take the samples of running periods: each at its moment, with retries, and beside what is paid. Nobody holds the
// tokens, and they are not indexed, so nothing is paid.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { DeposedError, type Database } from '#app/db/database.js';
import { momentOf } from '#app/graduation/settlement/periods/moments.js';
import { openPeriods } from '#app/graduation/settlement/periods/repository.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { addSample } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { SLOT, useAdvancing } from '#tests/service/advancing.js';
import { eventually } from '#tests/service/service.js';

/** Samples that are taken at a time. */
const LANES = 8;

describe(`sampling while settlements advance (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const at = useAdvancing();
  const { open, advance, reports, tasks } = at;

  it('takes each sample at its moment, at a slot that the next may not precede, and forgets earlier failures', async () => {
    const mint = newAddress();
    await open(mint, { state: 'sampling', attempts: 3, samples: 2 });
    const [period] = await openPeriods(at.database.queries);
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
      at.time = moment - 1;
      await sleep(1_100);
      expect(taken).to.have.lengthOf(index);
      at.time = moment;
      await eventually(() => Promise.resolve(taken.length > index), 'the sample');
    }
    await ended;
    expect(taken).to.deep.equal([1, 2]);
    expect(steps).to.deep.equal(['sampled', 'sampled']);
    const [after] = await openPeriods(at.database.queries);
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
      at.node.setDown(true);
      const mint = newAddress();
      await open(mint, { state: 'sampling', periodMs, samples });
      at.speed = 50;
      await advance();
      const waited = at.context.now() - at.time;
      expect(waited).to.be.within(limitMs, limitMs + 60_000);
      expect(reports).to.have.lengthOf(1);
      expect(reports[0]).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
      const [task] = await tasks();
      expect(task!.problem).to.match(/^reading the holders failed: /);
      // The first failure is logged, and then ever fewer of them.
      const times = Math.floor(Math.log2(task!.attempts)) + 1;
      const lines = at.logged.filter(({ msg }) => String(msg).startsWith('reading the holders failed'));
      expect(lines).to.have.lengthOf(times);
      expect(lines[0]).to.include({ mint, level: 40 });
      expect(lines[0]).to.include.all.keys('err', 'settlement', 'until');
      // A twentieth of the time between two samples, at most five seconds and at least a tenth of one.
      const pauseMs = Math.min(periodMs / samples / 20, 5_000);
      expect(task!.attempts).to.be.within(3, waited / pauseMs);
    });
  }

  it('the job does not give up, and returns when it has nothing to do for a while', async () => {
    at.node.setDown(true);
    await open(newAddress(), { state: 'sampling', periodMs: 10_000 });
    at.speed = 200;
    const ended = advance({ idleMs: 60_000 }).then(
      () => 'returned',
      () => 'stopped',
    );
    await eventually(() => Promise.resolve(at.context.now() - at.time > 100_000), 'a minute');
    expect(reports).to.deep.equal([]);
    at.stopping.abort();
    expect(await ended).to.equal('stopped');
  });

  it('settlements are finished while all lanes take samples', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    at.beforeAnswer = () => held;
    for (let index = 0; index < LANES + 1; index += 1) await open(newAddress(), { state: 'sampling' });
    const paid = await open('paid');
    at.time += 600_000;
    const ended = advance({ concerns: (mint) => mint === paid });
    await eventually(() => Promise.resolve(reports.length === 1), 'the report');
    release();
    await ended;
    expect(reports[0]!.mint).to.equal(paid);
  });

  it('a sample that another settler took meanwhile is not told again', async () => {
    const mint = await open(newAddress(), { state: 'sampling', samples: 2 });
    const [period] = await openPeriods(at.database.queries);
    at.time = momentOf(period!, 0);
    let isTaken = false;
    const transaction: Database['transaction'] = async (...work) => {
      if (!isTaken) {
        isTaken = true;
        await addSample(at.database, period!.id, 0, []);
      }
      return at.database.transaction(...work);
    };
    at.context = { ...at.context, database: { ...at.database, transaction } };
    const taken: number[] = [];
    const ended = advance({ onSample: (_, count) => taken.push(count) });
    await eventually(() => Promise.resolve(isTaken), 'the other one');
    await sleep(100);
    at.time = momentOf(period!, 1);
    await ended;
    expect(taken).to.deep.equal([2]);
    expect(reports.map((report) => report.mint)).to.deep.equal([mint]);
  });

  it('a command gives up long after the last sample, and not long after it began', async () => {
    // Four parts of a period are 240 s.
    await open(newAddress(), { state: 'sampling', periodMs: 600_000, samples: 10 });
    let lastAt = 0;
    at.speed = 200;
    await advance({
      onSample: (_, count) => {
        if (count !== 4) return;
        lastAt = at.context.now();
        at.node.setDown(true);
      },
    });
    expect(lastAt - at.time).to.be.above(180_000);
    expect(at.context.now() - lastAt).to.be.above(239_000);
    expect(reports).to.have.lengthOf(1);
  });

  it('a stop is no failure of the node, nor is a lost lease', async () => {
    await open(newAddress(), { state: 'sampling' });
    at.time += 60_000;
    let asked = false;
    at.beforeAnswer = async () => {
      asked = true;
      await sleep(300);
    };
    const stopped = rejection(advance(), Error);
    await eventually(() => Promise.resolve(asked), 'a request');
    at.stopping.abort(new Error('the process ends'));
    expect((await stopped).message).to.equal('the process ends');
    expect(await tasks()).to.deep.equal([]);

    at.stopping = new AbortController();
    const deposed = () => Promise.reject(new DeposedError('settling'));
    at.context = { ...at.context, database: { ...at.database, transaction: deposed } };
    await rejection(advance(), DeposedError);
    expect(at.logged).to.deep.equal([]);
  });
});
