// Which tokens a pass finds due, in which order it begins their settlements, and what it reports.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { rowsOf } from '#app/db/database.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { settleAll, settleOne } from '#app/graduation/settlement/pass.js';
import { SAMPLES } from '#app/graduation/settlement/periods/moments.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { SLOT } from '#tests/node/storages-node.js';
import { creatorAsked, INTERVAL_MS, usePasses } from '#tests/service/passes.js';
import { eventually } from '#tests/service/service.js';

/** Tokens whose storages are read in one request, and settlements that begin at a time. */
const [PAGE, STARTS] = [50, 8];

describe(`a pass over the tokens (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const passes = usePasses();
  const { node, database, context, stopping, contextWith, logged } = passes;
  const { token, tokenWithoutStorages, begun, tasks, addTask, loseRecipients } = passes;

  const one = (mint: string, options: Partial<Parameters<typeof settleOne>[2]> = {}, by = context()) =>
    settleOne(by, mint, { signal: stopping().signal, ...options });
  const all = (options: Partial<Parameters<typeof settleAll>[1]> = {}) =>
    settleAll(context(), { signal: stopping().signal, ...options });
  /** A hundred times as fast as ours: a command gives up a token whose holders it could not read for a minute. */
  const fast = () => {
    const [time, from] = [Date.now(), performance.now()];
    return { ...context(), now: () => Math.floor(time + (performance.now() - from) * 100) };
  };
  /** Ends a command once so many settlements have begun. */
  const until = (count: number) => {
    let left = count;
    return {
      afterStep: (step: string) => {
        if (step === 'begun' && (left -= 1) === 0) stopping().abort(new Error('enough'));
      },
    };
  };

  it('refuses a token that is not indexed, and to settle without the key', async () => {
    const stranger = newAddress();
    const unknown = await rejection(one(stranger), SettlementError);
    expect(unknown.message).to.contain(stranger).and.to.contain('is not an indexed token');
    const keyless = await contextWith({ DEX_OWNER_KEYPAIR: '' });
    const error = await rejection(one(await token(), {}, keyless), SettlementError);
    expect(error.message).to.contain('set DEX_OWNER_KEYPAIR');
    expect(await begun()).to.deep.equal([]);
  });

  it('leaves a token with too little, and forgets why it waited', async () => {
    const mint = await token({ sol: SOL / 10n - 1n });
    await addTask(mint, Date.now() + INTERVAL_MS);
    expect(await one(mint)).to.deep.equal({ mint, outcome: 'nothing', problems: [] });
    expect([await begun(), await tasks()]).to.deep.equal([[], []]);
    expect(await all()).to.deep.equal([]);
  });

  it('reports storages that it cannot read, and rests for an interval', async () => {
    const mint = await tokenWithoutStorages();
    const report = await one(mint);
    expect(report).to.deep.include({ mint, outcome: 'waiting' });
    expect(report.problems.join()).to.contain('does not exist; it should be a storage');
    const [task] = await tasks();
    expect(task).to.deep.include({ subject: mint, attempts: 0, problem: report.problems.join() });
    expect(Number(task!.due)).to.be.within(Date.now() + INTERVAL_MS - 10_000, Date.now() + INTERVAL_MS);
    expect(await all()).to.deep.equal([report]);
  });

  for (const [name, interval, options, period] of [
    ['the configured length', '600', {}, INTERVAL_MS],
    ['the length that a command gives', '600', { periodMs: 5_000 }, 5_000],
    ['a minute where no interval is configured', '0', {}, 60_000],
  ] as const) {
    it(`begins a period of ${name}, of the one token that it is told`, async () => {
      const mint = await token({ sol: SOL, token: 1_073_000_000_000n });
      await token();
      const by = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: interval });
      expect((await rejection(one(mint, { ...options, ...until(1) }, by), Error)).message).to.equal('enough');
      // At the curve's price the tokens are worth 30,000,000 lamports.
      const value = String(SOL + 30_000_000n);
      expect(await begun()).to.deep.equal([
        { mint, state: 'sampling', value, period, samples: SAMPLES, slot: SLOT },
      ]);
    });
  }

  it('goes on with an open settlement, begins no other, and makes waiting ones due', async () => {
    const [mint, other] = [await token({ holdersBps: 0 }), await token()];
    const later = Date.now() + INTERVAL_MS;
    await insertOpenSettlement(database(), mint, Date.now(), { dueAt: later });
    await insertOpenSettlement(database(), other, Date.now(), { attempts: 2, dueAt: later });
    const report = await one(mint);
    expect(report).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
    expect(node().reads).to.deep.equal([]);
    expect((await begun()).map(({ mint: open }) => open)).to.deep.equal([mint, other]);
    expect((await tasks()).map(({ subject }) => subject)).to.include(mint);
    const due = (await tasks()).find(({ subject }) => subject === other);
    expect(due!.attempts).to.equal(2);
    expect(Number(due!.due)).to.be.at.most(Date.now());
  });

  it('reads the storages of all tokens, fifty at a time, and begins those that are due', async () => {
    const small = Array.from({ length: 2 * PAGE - 3 }, () => token({ sol: 5n }));
    await Promise.all(small);
    const [due, open] = [await token({ holdersBps: 0 }), await token()];
    const without = await tokenWithoutStorages();
    await insertOpenSettlement(database(), open, Date.now(), {});
    await addTask(newAddress(), Date.now());
    const reports = await all();
    const storages = node().reads.filter(({ length }) => length === 2 * PAGE);
    expect(storages).to.have.lengthOf(2);
    expect(new Set(storages.flat()).size).to.equal(4 * PAGE);
    expect((await begun()).map(({ mint }) => mint)).to.deep.equal([open, due]);
    expect(new Set(reports.map(({ mint }) => mint))).to.deep.equal(new Set([due, open, without]));
    // The task of a token that the pass did not find is gone.
    expect((await tasks()).map(({ subject }) => subject)).to.deep.equal([due, open, without].sort());
    const [pass] = await rowsOf<{ at: string }>(
      database().queries,
      sql`select extract(epoch from passed_at)::text as at from settlement_passes`,
    );
    expect(Number(pass!.at) * 1_000).to.be.within(Date.now() - 30_000, Date.now());
    expect(node().reads.filter(({ length }) => length === 0)).to.deep.equal([]);
  });

  it('begins the most valuable ones first, eight at a time, equal ones by address', async () => {
    const values = [3n, 9n, 5n, 5n, 5n, 8n, 4n, 5n, 7n, 5n, 6n, 1n];
    const given = await Promise.all(
      values.map(async (sol) => {
        const creator = newAddress();
        return { sol, creator, mint: await token({ sol: sol * SOL, creator, holdersBps: 0 }) };
      }),
    );
    given.sort((a, b) => Number(b.sol - a.sol) || (a.mint < b.mint ? -1 : 1));
    const asked: string[] = [];
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    node().setFaults(async (call, result) => {
      const creator = creatorAsked(call);
      if (creator === undefined) return result;
      asked.push(creator);
      await gate;
      return result;
    });
    const done = all(until(values.length)).catch((error: Error) => error.message);
    await eventually(() => Promise.resolve(asked.length >= STARTS), 'eight starts');
    expect(new Set(asked)).to.deep.equal(new Set(given.slice(0, STARTS).map(({ creator }) => creator)));
    letGo();
    expect(await done).to.equal('enough');
    expect(await begun()).to.have.lengthOf(values.length);
  });

  it('reports a token whose settlement cannot begin, and begins the others', async () => {
    const creator = newAddress();
    const [unlucky, other] = [await token({ creator, holdersBps: 0 }), await token({ holdersBps: 0 })];
    loseRecipients((of) => of === creator);
    const reports = await all();
    const report = reports.find(({ mint }) => mint === unlucky);
    expect(report).to.deep.include({ mint: unlucky, outcome: 'waiting', isInterrupted: true });
    expect((await begun()).map(({ mint }) => mint)).to.deep.equal([other]);
    const [line] = logged.filter(({ msg }) => msg.startsWith('beginning a settlement failed'));
    expect(line).to.deep.include({ level: 50, mint: unlucky });
    expect(line).to.have.property('err');
    expect((await tasks()).find(({ subject }) => subject === unlucky)?.attempts).to.equal(1);
  });

  it('reports a token whose parts nobody can receive, and why', async () => {
    const [mint, by] = [await token(), await contextWith({ TREASURY_KEYPAIR: '' })];
    const [report, ...others] = await settleAll(by, { signal: stopping().signal });
    expect(others).to.deep.equal([]);
    expect(report).to.deep.include({ mint, outcome: 'waiting' });
    expect(report!.problems.join()).to.contain('set TREASURY_KEYPAIR');
    expect(await begun()).to.deep.equal([]);
  });

  it('ends with the reason when it is told to stop while settlements begin', async () => {
    await token();
    loseRecipients(undefined, () => stopping().abort(new Error('the process ends')));
    expect((await rejection(all(), Error)).message).to.equal('the process ends');
    expect([logged, await begun(), await tasks()]).to.deep.equal([[], [], []]);
  });

  it('stops between two beginnings when it is told to', async () => {
    for (let count = 0; count < 2 * STARTS; count += 1) await token();
    expect((await rejection(all(until(1)), Error)).message).to.equal('enough');
    expect((await begun()).length).to.be.within(1, STARTS);
  });

  it('reports nothing of a token whose storages are empty by the end of its period', async () => {
    const mint = await token({ sol: 0n });
    await insertOpenSettlement(database(), mint, Date.now(), { state: 'sampling', samples: 0 });
    expect(await all()).to.deep.equal([]);
    expect(await begun()).to.have.lengthOf(1);
    expect((await begun())[0]).to.deep.include({ mint, state: 'abandoned' });
  });

  it('reports the token that it is told, not another one that it gives up after it', async () => {
    const [mint, other] = [await token({ sol: 0n }), await token()];
    await insertOpenSettlement(database(), other, Date.now(), { state: 'sampling', samples: 1, periodMs: 1 });
    await insertOpenSettlement(database(), mint, Date.now(), { state: 'sampling', samples: 0 });
    node().setFaults(async ({ method }, result) => {
      if (method !== 'getProgramAccounts') return result;
      await sleep(700);
      throw new Error('gone');
    });
    expect(await one(mint, {}, fast())).to.deep.include({ mint, outcome: 'nothing' });
    expect((await tasks()).find(({ subject }) => subject === other)?.attempts).to.be.above(0);
  });

  it('reports the token that it is told, not another one that it gives up meanwhile', async () => {
    const [mint, other] = [await token(), await token()];
    // The second sample of the first token is in its second hundred seconds.
    await insertOpenSettlement(database(), mint, Date.now(), {
      state: 'sampling',
      samples: 2,
      periodMs: 200_000,
    });
    await insertOpenSettlement(database(), other, Date.now(), {
      state: 'sampling',
      samples: 10,
      periodMs: 10_000,
    });
    node().setFaults(({ method, params }, result) => {
      if (method === 'getProgramAccounts' && JSON.stringify(params).includes(other)) throw new Error('gone');
      return result;
    });
    const report = await one(mint, {}, fast());
    expect(report).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
    expect((await tasks()).find(({ subject }) => subject === other)!.attempts).to.be.above(0);
  });
});
