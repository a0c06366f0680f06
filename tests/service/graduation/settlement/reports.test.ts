// What settlers report, log and store of an outcome, and what operators see of it: waiting and troubled settlements.
import { expect } from 'chai';
import { asc, eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { authorityTransactions, settlements, tasks } from '#app/db/schema/index.js';
import { fail, reportNotBooked } from '#app/graduation/settlement/settle.js';
import {
  interruptedPauses,
  rememberPass,
  rememberReport,
  settlementGauges,
  whenOf,
} from '#app/graduation/settlement/periods/waiting.js';
import {
  report,
  reportInterrupted,
  reportLater,
  reportNothing,
  takenOver,
  type SettlementReport,
} from '#app/graduation/settlement/report.js';
import { settlementOf } from '#app/graduation/settlement/repository.js';
import { troubledSettlements } from '#app/graduation/settlement/trouble.js';
import type { Plan } from '#app/graduation/settlement/payment/plan.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import {
  insertOpenSettlement,
  insertTransaction,
  type OpenSettlement,
} from '#tests/database/open-settlement.js';
import { addSample } from '#tests/database/samples.js';
import { taskRows } from '#tests/database/task-rows.js';
import { linesInto } from '#tests/service/logged-lines.js';
import { contextFrom } from '#tests/service/service-context.js';

const NOW = 1_800_000_000_000;
const [ERROR, FATAL] = [50, 60];
const TAKEN_OVER = 'another process has taken over this settlement';
const DOCTOR = '`curvekit doctor` says what to do';

describe(`reports of settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  let context: Context;
  const logged: Readonly<Record<string, unknown>>[] = [];
  before(async () => {
    database = await openTestDatabase();
    const made = await contextFrom(
      { RPC_URL: 'http://localhost:1', SETTLEMENT_INTERVAL_SECONDS: '30' },
      database,
    );
    context = { ...made, logger: pino({ level: 'info' }, linesInto(logged)), now: () => NOW };
  });
  after(() => database.close());
  beforeEach(async () => {
    logged.length = 0;
    await database.queries.delete(authorityTransactions);
    await database.queries.delete(tasks);
    await database.queries.update(settlements).set({ state: 'failed', signature: null, problem: null });
  });

  let mints = 0;
  const insert = async (columns: OpenSettlement['columns'] = {}) => {
    const id = await insertOpenSettlement(database, `mint ${(mints += 1)}`, 0, { columns });
    return (await settlementOf(database.queries, id))!;
  };
  const stored = async (id: number) => (await settlementOf(database.queries, id))!;
  const transaction = async (signature: string) => {
    const found = eq(authorityTransactions.signature, signature);
    const [row] = await database.queries.select().from(authorityTransactions).where(found);
    return { state: row?.state, problem: row?.problem };
  };

  it('have the stored settlement and its samples', async () => {
    const settlement = await insert({ state: 'sampling' });
    const { id, mint } = settlement;
    await database.queries.update(settlements).set({ holders: 5 }).where(eq(settlements.id, id));
    const bare = { mint, outcome: 'settled', settlement: await stored(id), problems: [] };
    expect(await report(context, settlement, 'settled')).to.deep.equal({ ...bare, samples: [] });
    await addSample(database, id, 3, [[]]);
    const { samples, ...rest } = await report(context, settlement, 'failed', ['a', 'b']);
    expect(rest).to.deep.equal({ ...bare, outcome: 'failed', problems: ['a', 'b'] });
    expect(samples!.map(({ index, slot }) => [index, slot])).to.deep.equal([[3, 4]]);
  });

  it('say when a later attempt can finish it', async () => {
    const settlement = await insert();
    const { id, mint } = settlement;
    const later = {
      mint,
      outcome: 'waiting',
      settlement: await stored(id),
      samples: [],
      isInterrupted: true,
    };
    expect(await reportLater(context, settlement, 'busy')).to.deep.equal({ ...later, problems: ['busy'] });
    expect(await takenOver(context, settlement)).to.deep.equal({ ...later, problems: [TAKEN_OVER] });
    expect(reportInterrupted(mint, new Error('no node'))).to.deep.equal({
      ...{ mint, outcome: 'waiting', isInterrupted: true },
      problems: ['interrupted (no node); the next run continues it'],
    });
  });

  it('say why a token without a settlement waits', () => {
    const plan = (...waiting: string[]) => ({ waiting }) as unknown as Plan;
    expect(reportNothing('mint', plan())).to.deep.equal({ mint: 'mint', outcome: 'nothing', problems: [] });
    const waiting = { mint: 'mint', outcome: 'waiting', problems: ['poor', 'foreign'] };
    expect(reportNothing('mint', plan('poor', 'foreign'))).to.deep.equal(waiting);
  });

  for (const sent of ['sent', undefined]) {
    it(`tell that a settlement failed, ${sent === undefined ? 'in the simulation' : 'on chain'}`, async () => {
      const settlement = await insert();
      const { id, mint } = settlement;
      // A transaction that still counts as sent would hold it.
      if (sent !== undefined) await insertTransaction(database.queries, id, sent, 'signed');
      expect(await fail(context, settlement, 'too poor', sent)).to.deep.equal({
        ...{ mint, outcome: 'failed', settlement: await stored(id), samples: [], problems: ['too poor'] },
      });
      expect(await stored(id)).to.deep.include({ state: 'failed', problem: 'too poor' });
      if (sent !== undefined)
        expect(await transaction(sent)).to.deep.equal({ state: 'failed', problem: 'too poor' });
      expect(logged).to.deep.equal([]);
      const again = await fail(context, settlement, 'too poor');
      expect(again).to.deep.include({ outcome: 'waiting', problems: [TAKEN_OVER], isInterrupted: true });
      expect(logged).to.deep.equal([]);
    });
  }

  it('tell that a settlement is kept, because it may have been paid', async () => {
    const settlement = await insert();
    const { id, mint } = settlement;
    await insertTransaction(database.queries, id, 'earlier', 'expired');
    expect(await fail(context, settlement, 'too poor')).to.deep.equal({
      ...{ mint, outcome: 'waiting', settlement: await stored(id), samples: [] },
      problems: [
        `too poor; it stays as planned, since an earlier transaction of it may have paid: ${DOCTOR}`,
      ],
    });
    expect(await stored(id)).to.deep.include({ state: 'planned', problem: 'too poor' });
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({ level: ERROR, mint, settlement: id, problem: 'too poor' });
    expect(logged[0]!['msg']).to.contain('the settlement cannot be paid as planned; it stays planned');
  });

  it('tell that a settlement was paid that is no longer planned', async () => {
    const settlement = await insert({ state: 'failed' });
    const { id, mint } = settlement;
    await insertTransaction(database.queries, id, 'paid it', 'expired');
    expect(await reportNotBooked(context, settlement, 'paid it')).to.deep.equal({
      ...{ mint, outcome: 'failed', settlement, samples: [] },
      problems: [
        'the transaction paid it has paid it, but it is failed in the database, and nobody was credited for that',
      ],
    });
    expect((await transaction('paid it')).state).to.equal('finalized');
    expect(logged).to.have.lengthOf(1);
    expect(logged[0]).to.deep.include({
      ...{ level: FATAL, mint, settlement: id, signature: 'paid it', state: 'failed' },
    });
    expect(logged[0]!['msg']).to.contain('its holders are not credited: run `curvekit ledger reconcile`');
  });

  it('tell that another process has booked the same transaction', async () => {
    const settlement = await insert({ state: 'done', signature: 'booked' });
    await insertTransaction(database.queries, settlement.id, 'booked', 'signed');
    const booked = await reportNotBooked(context, settlement, 'booked');
    expect(booked).to.deep.include({ outcome: 'waiting', problems: [TAKEN_OVER], isInterrupted: true });
    expect((await transaction('booked')).state).to.equal('signed');
    expect(logged).to.deep.equal([]);
  });

  describe('reports that are stored', () => {
    const when = { now: NOW, intervalMs: 30_000 };
    const waiting = (mint: string, more: Partial<SettlementReport> = {}): SettlementReport => ({
      ...{ mint, outcome: 'waiting', problems: ['poor', 'foreign'] },
      ...more,
    });
    const remember = (of: SettlementReport) => database.transaction((tx) => rememberReport(tx, of, when));
    const waits = async () =>
      (await taskRows(database)).map(({ subject, attempts, due, problem }) => [
        ...[subject, attempts, Number(due) - NOW, problem],
      ]);

    it('are retried after an interval, and sooner when they were interrupted', async () => {
      expect(whenOf(context)).to.deep.equal(when);
      expect(interruptedPauses(30_000)).to.deep.equal({ firstMs: 1_000, longestMs: 30_000 });
      expect(interruptedPauses(90_000)).to.deep.equal({ firstMs: 1_000, longestMs: 60_000 });
      await remember(waiting('a'));
      await remember(waiting('b', { isInterrupted: true, problems: ['busy'] }));
      expect(await waits()).to.deep.equal([
        ['a', 0, 30_000, 'poor; foreign'],
        ['b', 1, 1_000, 'busy'],
      ]);
      await remember(waiting('b', { isInterrupted: true }));
      await remember(waiting('a'));
      expect(await waits()).to.deep.equal([
        ['a', 0, 30_000, 'poor; foreign'],
        ['b', 2, 2_000, 'poor; foreign'],
      ]);
      for (const outcome of ['settled', 'nothing', 'failed'] as const) {
        await remember(waiting('a'));
        await remember({ mint: 'a', outcome, problems: [] });
        expect((await waits()).map(([subject]) => subject)).to.deep.equal(['b']);
      }
    });

    it('reports of a pass replace those that it no longer found, except of open settlements', async () => {
      const kept = await insert({ state: 'planned' });
      const ended = await insert({ state: 'failed' });
      for (const mint of ['gone', 'still', 'settled', kept.mint, ended.mint])
        await remember(waiting(mint, { problems: ['old'] }));
      await database.queries.execute(
        sql`insert into tasks (kind, subject, attempts, due_at) values ('pool', 'gone', 1, now())`,
      );
      const gauges = () => settlementGauges(database.queries);
      expect(await gauges()).to.deep.equal({ waiting: 5, troubled: 0, sampling: 0, lastPass: 0 });
      const reports: SettlementReport[] = [
        waiting('still'),
        waiting('new'),
        { mint: 'settled', outcome: 'settled', problems: [] },
        { mint: 'unknown', outcome: 'nothing', problems: [] },
      ];
      const pass = (now: number) => database.transaction((tx) => rememberPass(tx, reports, { ...when, now }));
      await pass(NOW - 4_000);
      await pass(NOW);
      const settling = eq(tasks.kind, 'settlement');
      const rows = await database.queries.select().from(tasks).where(settling).orderBy(asc(tasks.subject));
      expect(rows.map(({ subject, problem }) => [subject, problem])).to.deep.equal([
        [kept.mint, 'old'],
        ['new', 'poor; foreign'],
        ['still', 'poor; foreign'],
      ]);
      expect(await rowsOf(database.queries, sql`select 1 from tasks where kind = 'pool'`)).to.have.lengthOf(
        1,
      );
      expect(await gauges()).to.deep.equal({ waiting: 3, troubled: 0, sampling: 0, lastPass: NOW / 1_000 });
    });

    it('do not count as waiting while the period runs', async () => {
      const { mint } = await insert({ state: 'sampling' });
      await insert({ state: 'sampling' });
      await remember(waiting(mint));
      await remember(waiting('another'));
      const { waiting: count, sampling } = await settlementGauges(database.queries);
      expect({ count, sampling }).to.deep.equal({ count: 1, sampling: 2 });
    });
  });

  it('reports of trouble list what was kept, and what was paid but not booked', async () => {
    const kept = await insert({ state: 'planned', problem: 'too poor' });
    const paid = await insert({ state: 'abandoned' });
    const unsent = await insert({ state: 'planned', problem: 'no signature' });
    const failed = await insert({ state: 'failed', problem: 'failed' });
    const usual = await insert({ state: 'planned' });
    await insertTransaction(database.queries, kept.id, 'later', 'expired', 2);
    await insertTransaction(database.queries, kept.id, 'earlier', 'expired', 1);
    await insertTransaction(database.queries, kept.id, 'of no use', 'failed', 1);
    await insertTransaction(database.queries, paid.id, 'paid', 'finalized');
    await insertTransaction(database.queries, failed.id, 'lost', 'expired');
    await insertTransaction(database.queries, usual.id, 'under way', 'signed');
    expect(await troubledSettlements(database.queries)).to.deep.equal([
      {
        ...{ id: kept.id, mint: kept.mint, trouble: 'kept', problem: 'too poor' },
        signatures: ['earlier', 'later'],
      },
      { id: paid.id, mint: paid.mint, trouble: 'unbooked', problem: null, signatures: ['paid'] },
      { id: unsent.id, mint: unsent.mint, trouble: 'kept', problem: 'no signature', signatures: [] },
    ]);
    expect((await settlementGauges(database.queries)).troubled).to.equal(3);
  });
});
