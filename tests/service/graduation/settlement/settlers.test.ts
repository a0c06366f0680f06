// The commands and the job that settle: which tokens they find due, in which order they begin, what they report, store, log and
// count, and that one settles at a time. The node has the storages of tokens of a test database; nothing is paid. threat: small-gifts
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { statement } from '#app/db/database.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import { BusyError } from '#app/graduation/settlement/errors.js';
import { settleAll, settleOne } from '#app/graduation/settlement/pass.js';
import { SAMPLES } from '#app/graduation/settlement/periods/moments.js';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import { PaymentsHeldError } from '#app/ledger/gate/payments-gate.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { insertOpenSettlement, insertTransaction } from '#tests/database/open-settlement.js';
import { addSample } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { SLOT, startStoragesNode, type StoragesNode } from '#tests/node/storages-node.js';
import { contextFrom, keyVariable, linesInto } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';

const INTERVAL_MS = 600_000;
/** Tokens whose storages are read in one request, and settlements that begin at a time. */
const [PAGE, STARTS] = [50, 8];
const [WARN, ERROR] = [40, 50];

/** The creator in a request for the accounts of a settlement's recipients: treasury, LP address, creator; two each. */
function creatorAsked({ method, params }: { method: string; params: readonly unknown[] }) {
  const addresses = params[0] as readonly string[];
  return method === 'getMultipleAccounts' && addresses.length === 6 ? addresses[4] : undefined;
}

describe(`settlers (${DATABASE_KIND})`, () => {
  const [dexOwner, treasury] = [Keypair.generate(), Keypair.generate()];
  const logged: { level: number; msg: string; mint?: string; err?: object; problems?: string[] }[] = [];
  let node: StoragesNode;
  const database = useDatabase({ each: true, paymentsOpen: true });
  /** All tasks by their subjects. `due` is in Unix milliseconds. */
  const taskRows = () =>
    statement<{ subject: string; attempts: number; problem: string | null; due: string }>(database.queries)`
      select subject, attempts, problem, (extract(epoch from due_at) * 1000)::text as due from tasks order by subject`;
  let context: Context;
  let stopping: AbortController;

  const contextWith = async (changes: Record<string, string>): Promise<Context> => ({
    ...(await contextFrom(
      {
        ...{ RPC_URL: node.url, DEX_OWNER_KEYPAIR: keyVariable(dexOwner) },
        ...{ TREASURY_KEYPAIR: keyVariable(treasury), SETTLEMENT_INTERVAL_SECONDS: '600', ...changes },
      },
      database,
    )),
    logger: pino({ level: 'info' }, linesInto(logged)),
  });
  beforeEach(async () => {
    node = await startStoragesNode();
    context = await contextWith({});
    stopping = new AbortController();
    logged.length = 0;
  });
  afterEach(() => node.stop());

  /** A token with storages that are due by default. */
  async function token({ sol = SOL, token = 0n, creator = newAddress(), holdersBps = 10_000 } = {}) {
    const mint = newAddress();
    await storeToken(database.queries, { mint, creator, holdersBps });
    node.give(mint, context.deployment, { sol, token });
    return mint;
  }
  async function tokenWithoutStorages() {
    const mint = newAddress();
    await storeToken(database.queries, { mint });
    return mint;
  }
  const begun = () =>
    statement<{ mint: string; state: string; value: string; period: number; samples: number; slot: number }>(
      database.queries,
    )`
      select mint, state, value::text as value, period_ms::integer as period, samples,
      started_slot::integer as slot from settlements order by id`;
  const open = (mint: string, given: Parameters<typeof insertOpenSettlement>[3] = {}) =>
    insertOpenSettlement(database, mint, Date.now(), given);
  const tasks = () => taskRows();
  const taskOf = async (mint: string) => (await tasks()).find(({ subject }) => subject === mint);
  const addTask = (subject: string, dueAt: number) =>
    statement(database.queries)`insert into tasks (kind, subject, attempts, due_at)
      values ('settlement', ${subject}, 3, ${new Date(dueAt).toISOString()}::timestamptz)`;
  /** From now on the node breaks the connection of requests for the accounts of a settlement's recipients. */
  const loseRecipients = (isOf: (creator: string) => boolean, onLost = (): void => undefined) =>
    node.setFaults((call, result) => {
      const creator = creatorAsked(call);
      if (creator === undefined || !isOf(creator)) return result;
      onLost();
      throw new Error('the connection breaks');
    });
  const hold = (problem: string | null) =>
    database.queries.execute(sql`update payments_gate set held = ${problem}`);

  describe('a command that settles', () => {
    const one = (mint: string, options: Partial<Parameters<typeof settleOne>[2]> = {}, by = context) =>
      settleOne(by, mint, { signal: stopping.signal, ...options });
    const all = (options: Partial<Parameters<typeof settleAll>[1]> = {}) =>
      settleAll(context, { signal: stopping.signal, ...options });
    /** Ends a command once so many settlements have begun. */
    const until = (count: number) => {
      let left = count;
      return {
        afterStep: (step: string) => {
          if (step === 'begun' && (left -= 1) === 0) stopping.abort(new Error('enough'));
        },
      };
    };

    it('leaves a token with too little, and forgets why it waited', async () => {
      const mint = await token({ sol: SOL / 10n - 1n });
      await addTask(mint, Date.now() + INTERVAL_MS);
      expect(await one(mint)).to.deep.equal({ mint, outcome: 'nothing', problems: [] });
      expect([await begun(), await tasks(), await all()]).to.deep.equal([[], [], []]);
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
    ] as const)
      it(`begins a period of ${name}, of the one token that it is told`, async () => {
        const mint = await token({ sol: SOL, token: 1_073_000_000_000n });
        await token();
        const by = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: interval });
        expect((await rejection(one(mint, { ...options, ...until(1) }, by), Error)).message).to.equal(
          'enough',
        );
        // At the curve's price the tokens are worth 30,000,000 lamports.
        const value = String(SOL + 30_000_000n);
        expect(await begun()).to.deep.equal([
          { mint, state: 'sampling', value, period, samples: SAMPLES, slot: SLOT },
        ]);
      });

    it('goes on with an open settlement, begins no other, and makes waiting ones due', async () => {
      const [mint, other] = [await token({ holdersBps: 0 }), await token()];
      const dueAt = Date.now() + INTERVAL_MS;
      await open(mint, { dueAt });
      await open(other, { attempts: 2, dueAt });
      expect(await one(mint)).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
      expect(node.reads).to.deep.equal([]);
      expect((await begun()).map((row) => row.mint)).to.deep.equal([mint, other]);
      expect((await taskOf(mint))!.attempts).to.equal(1);
      expect((await taskOf(other))!.attempts).to.equal(2);
      expect(Number((await taskOf(other))!.due)).to.be.at.most(Date.now());
    });

    it('reads the storages of all tokens, fifty at a time, begins those that are due, and forgets what no longer waits', async () => {
      await Promise.all(Array.from({ length: 2 * PAGE - 3 }, () => token({ sol: 5n })));
      const [due, opened] = [await token({ holdersBps: 0 }), await token()];
      const without = await tokenWithoutStorages();
      await open(opened);
      await addTask(newAddress(), Date.now());
      const reports = await all();
      const storages = node.reads.filter(({ length }) => length === 2 * PAGE);
      expect(storages).to.have.lengthOf(2);
      expect(new Set(storages.flat()).size).to.equal(4 * PAGE);
      expect(node.reads.filter(({ length }) => length === 0)).to.deep.equal([]);
      const [, second] = await begun();
      expect(second, 'without samples').to.deep.include({ mint: due, period: 0, samples: 0 });
      expect(new Set(reports.map(({ mint }) => mint))).to.deep.equal(new Set([due, opened, without]));
      expect((await tasks()).map(({ subject }) => subject)).to.deep.equal([due, opened, without].sort());
      const [pass] = await statement<{ at: string }>(database.queries)`
        select extract(epoch from passed_at)::text as at from settlement_passes`;
      expect(Number(pass!.at) * 1_000).to.be.within(Date.now() - 30_000, Date.now());
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
      node.setFaults(async (call, result) => {
        const creator = creatorAsked(call);
        if (creator === undefined) return result;
        asked.push(creator);
        await gate;
        return result;
      });
      const done = all(until(values.length)).catch((error: Error) => error.message);
      await eventually(() => asked.length >= STARTS, 'eight starts');
      expect(new Set(asked)).to.deep.equal(new Set(given.slice(0, STARTS).map(({ creator }) => creator)));
      letGo();
      expect(await done).to.equal('enough');
      expect(await begun()).to.have.lengthOf(values.length);
    });

    it('reports a token whose settlement cannot begin, and begins the others', async () => {
      const creator = newAddress();
      const [unlucky, other] = [await token({ creator, holdersBps: 0 }), await token({ holdersBps: 0 })];
      loseRecipients((of) => of === creator);
      const report = (await all()).find(({ mint }) => mint === unlucky);
      expect(report).to.deep.include({ mint: unlucky, outcome: 'waiting', isInterrupted: true });
      expect((await begun()).map(({ mint }) => mint)).to.deep.equal([other]);
      const [line] = logged.filter(({ msg }) => msg.startsWith('beginning a settlement failed'));
      expect(line).to.deep.include({ level: ERROR, mint: unlucky });
      expect(line).to.have.property('err');
      expect((await taskOf(unlucky))?.attempts).to.equal(1);
    });

    it('abandons a token whose storages are empty by the end of its period: its seed is public, its balances are gone', async () => {
      const mint = await token({ sol: 0n });
      const id = await open(mint, { state: 'sampling', samples: 1, periodMs: 1 });
      await addSample(database, id, 0, [[{ owner: 'holder', balance: 1n }]]);
      expect(await all()).to.deep.equal([]);
      const left = await statement<{ state: string; seed: string; secrets: number; chunks: number }>(
        database.queries,
      )`
        select state, seed, (select count(*)::integer from settlement_seeds) as secrets,
        (select count(*)::integer from settlement_sample_chunks) as chunks from settlements`;
      expect(left).to.deep.equal([{ state: 'abandoned', seed: '00'.repeat(32), secrets: 0, chunks: 0 }]);
    });

    describe('on a clock that is a hundred times as fast as ours', () => {
      let [time, from] = [0, 0];
      const now = () => Math.floor(time + (performance.now() - from) * 100);
      const fast = () => ({ ...context, now });
      let isReadable: () => boolean;
      beforeEach(() => {
        [time, from] = [Date.now(), performance.now()];
        node.setFaults(({ method }, result) => {
          if (method === 'getProgramAccounts' && !isReadable()) throw new Error('gone');
          return result;
        });
      });

      it('goes on with the samples of another process, and takes those after the period that an outage prevented', async () => {
        const mint = await token();
        const id = await open(mint, { state: 'sampling', samples: 8, periodMs: 80_000 });
        await addSample(database, id, 0, [[{ owner: 'holder', balance: 1n }]]);
        isReadable = () => now() > time + 45_000;
        await one(mint, {}, fast());
        const taken = await statement<{ index: number; slot: number }>(database.queries)`
          select index, slot::integer as slot from settlement_samples where settlement_id = ${id} order by index`;
        expect([taken.length, taken[0]]).to.deep.equal([8, { index: 0, slot: 1 }]);
        expect(taken.at(-1)!.index).to.be.at.least(8);
        expect(await tasks()).to.have.lengthOf(1);
      });

      it('gives up after a minute without a sample, and logs the first failure and ever fewer of the next ones', async () => {
        const mint = await token();
        await open(mint, { state: 'sampling', samples: 10, periodMs: 10_000 });
        isReadable = () => false;
        const report = await one(mint, {}, fast());
        expect(report).to.deep.include({ mint, outcome: 'waiting', isInterrupted: true });
        expect(now() - time).to.be.within(60_000, 180_000);
        const { attempts, problem } = (await taskOf(mint))!;
        expect(problem).to.match(/^reading the holders failed: /);
        const lines = logged.filter(({ msg }) => msg.startsWith('reading the holders failed'));
        expect(lines).to.have.lengthOf(Math.floor(Math.log2(attempts)) + 1);
        expect(lines[0]).to.deep.include({ level: WARN, mint });
      });
    });

    it('waits as long as it is told while another process settles, or until it is told to stop', async () => {
      const mint = await token({ sol: 0n });
      const lease = await database.tryLead('settling');
      expect((await rejection(one(mint), BusyError)).message).to.contain('another process settles right now');
      const from = performance.now();
      await rejection(one(mint, { waitMs: 700 }), BusyError);
      expect(performance.now() - from).to.be.within(700, 5_000);
      const waiting = one(mint, { waitMs: 30_000 });
      const stopped = one(mint, { waitMs: 30_000, signal: AbortSignal.timeout(50) });
      expect((await rejection(stopped, Error)).name).to.equal('AbortError');
      await lease!.release();
      expect((await waiting).outcome).to.equal('nothing');
      expect((await database.tryLead('settling'))!.token > lease!.token).to.equal(true);
    });

    it('begins nothing while payments are held, and lets others settle then', async () => {
      await hold('the chain has more');
      await token();
      await rejection(all(), PaymentsHeldError);
      expect(await begun()).to.deep.equal([]);
      expect(await database.tryLead('settling')).to.not.equal(undefined);
    });
  });

  describe('the settlement job', () => {
    let job: Job | undefined;
    afterEach(() => job?.stop());
    /** When the node was asked for the storages. */
    let looks: number[];
    beforeEach(() => {
      looks = [];
      node.setFaults(({ method }, result) => {
        if (method === 'getMultipleAccounts') looks.push(performance.now());
        return result;
      });
    });

    async function start(intervalSeconds: number): Promise<Context> {
      const by = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: String(intervalSeconds) });
      job = createSettlementJob(by);
      job!.start();
      return by;
    }
    const untilLooked = (times: number) => eventually(() => looks.length >= times, `${times} looks`);
    const scrape = async ({ metrics }: Context) =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('curvekit_settlement'));

    it('does not exist without a key or an interval, but its gauges do, and count what waits, is sampled or in trouble', async () => {
      for (const off of [{ DEX_OWNER_KEYPAIR: '' }, { SETTLEMENT_INTERVAL_SECONDS: '0' }])
        expect(createSettlementJob(await contextWith(off))).to.equal(undefined);
      await addTask(newAddress(), Date.now());
      await open('sampled', { state: 'sampling', attempts: 1 });
      await open('kept', { attempts: 1, columns: { problem: 'too poor' } });
      const paid = await open('paid', { columns: { state: 'abandoned' } });
      await insertTransaction(database.queries, paid, 'it has landed', 'finalized');
      await statement(database.queries)`
        insert into settlement_passes (id, passed_at) values (1, to_timestamp(7))`;
      const by = await contextWith({ DEX_OWNER_KEYPAIR: '' });
      createSettlementJob(by);
      expect(await scrape(by)).to.deep.equal([
        'curvekit_settlements_waiting 2',
        'curvekit_settlements_troubled 2',
        'curvekit_settlements_sampling 1',
        'curvekit_settlement_last_pass_timestamp_seconds 7',
      ]);
      await database.close();
      await sleep(1_000);
      expect((await scrape(by))[0], 'without the database').to.equal('curvekit_settlements_waiting Nan');
    });

    it('waits for a command that settles, and while payments are held, then goes on', async () => {
      await token({ sol: 1n });
      const lease = await database.tryLead('settling');
      await start(600);
      await sleep(500);
      await hold('the chain has more');
      await lease!.release();
      await sleep(1_200);
      expect(looks).to.have.lengthOf(0);
      await hold(null);
      await untilLooked(1);
      await job!.stop();
      expect(logged.filter(({ level }) => level >= WARN)).to.deep.equal([]);
    });

    it('looks at once, then at each interval, and logs and counts each token that waits', async () => {
      const mint = await tokenWithoutStorages();
      const by = await start(1);
      await untilLooked(3);
      for (const [index, at] of looks.slice(1).entries()) expect(at - looks[index]!).to.be.within(500, 3_000);
      await job!.stop();
      const lines = logged.filter(({ msg }) => msg.startsWith('the settlement waits'));
      expect(lines.length).to.be.within(2, 3);
      expect(lines[0]).to.deep.include({ level: WARN, mint });
      expect(lines[0]!.problems).to.have.lengthOf(1);
      expect((await scrape(by)).at(-1)).to.equal(
        `curvekit_settlements_total{outcome="waiting"} ${lines.length}`,
      );
    });
  });
});
