// How a settlement's row changes: begun, planned, credited to the creator, failed. Amounts are distinct, so that none can take
// another's place.
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import type { TransactionState } from '#app/sending/history.js';
import { rowsOf, type Database, type Transaction } from '#app/db/database.js';
import { settlements } from '#app/db/schema/index.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import type { Plan } from '#app/graduation/settlement/payment/plan.js';
import { holdPlan, holdPlanned } from '#app/graduation/settlement/payment/hold-planned.js';
import { seedHashOf } from '#app/graduation/settlement/periods/moments.js';
import { sumSamples } from '#app/graduation/settlement/periods/samples-repository.js';
import {
  abandonSettlement,
  beginSettlement,
  creditCreator,
  failSettlement,
  mintsWithOpenSettlement,
  openSettlement,
  planned,
  settlementOf,
  withCreatorCredited,
  type Settlement,
} from '#app/graduation/settlement/repository.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { insertTransaction } from '#tests/database/open-settlement.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';

const SIDE = {
  sol: { taken: 1_110n, parts: { burn: 0n, holders: 10n, lp: 100n, creator: 1_000n }, creatorCredited: 0n },
  token: {
    taken: 22_222n,
    parts: { burn: 2n, holders: 20n, lp: 200n, creator: 22_000n },
    creatorCredited: 0n,
  },
};
const PLAN: Plan = { ...SIDE, opensCreatorAccount: true, waiting: [] };
const RECIPIENTS = { treasury: 'treasury', lp: 'lp', creator: 'creator' };
/** Of two wallets. */
const WEIGHTS = { holders: 2, held: 10n, slot: 1 };

describe(`a settlement's row (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  const write = <T>(work: (tx: Transaction) => Promise<T>) => database.transaction(work);
  const stored = async (id: number): Promise<Settlement> => (await settlementOf(database.queries, id))!;
  const credits = (id: number) =>
    rowsOf<{ wallet: string; sol: string; token: string }>(
      database.queries,
      sql`select wallet, sol::text as sol, token::text as token from settlement_credits
          where settlement_id = ${id} order by wallet`,
    );
  const count = async (table: string) => {
    const [row] = await rowsOf<{ n: number }>(
      database.queries,
      sql`select count(*)::integer as n from ${sql.identifier(table)}`,
    );
    return row!.n;
  };
  const counts = () =>
    Promise.all(
      ['settlement_seeds', 'settlement_holders', 'settlement_sample_chunks', 'opened_accounts'].map(count),
    );
  const secretOf = async (id: number) => {
    const [row] = await rowsOf<{ seed: string }>(
      database.queries,
      sql`select seed from settlement_seeds where settlement_id = ${id}`,
    );
    return row!.seed;
  };
  /** A period with one sample of two wallets, which hold 7 and 3. */
  async function sampled(mint = 'mint'): Promise<number> {
    const id = await beginPeriod(database, mint);
    const holdings = [
      { owner: 'a', balance: 7n },
      { owner: 'b', balance: 3n },
    ];
    expect(await addSample(database, id, 0, [holdings])).to.equal(true);
    return id;
  }
  /** A planned settlement whose samples are summed. */
  async function plan(given: Partial<Plan> = {}, mint = 'mint'): Promise<Settlement> {
    const id = await sampled(mint);
    await write((tx) => sumSamples(tx, id, []));
    const isPlanned = await write((tx) =>
      planned(tx, { id, mint }, { ...PLAN, ...given }, RECIPIENTS, WEIGHTS),
    );
    expect(isPlanned).to.equal(true);
    return stored(id);
  }
  const addTransaction = (id: number, state: TransactionState) =>
    insertTransaction(database.queries, id, `${state} of ${id}`, state);

  it('begins once for each token, with the hash of its seed, and is then open', async () => {
    const period = {
      ...{ mint: 'mint', creator: 'creator', startedAt: new Date(5_000), startedSlot: 7, value: 11n },
    };
    const begin = (seed: string | null, mint = 'mint') =>
      write((tx) => beginSettlement(tx, { ...period, mint, seed, periodMs: 9, samples: 4 }));
    const seed = 'ab'.repeat(32);
    const id = (await begin(seed))!;
    expect(await begin(seed)).to.equal(undefined);
    expect(await begin(null, 'other')).to.be.above(id);
    expect(await counts()).to.deep.equal([1, 0, 0, 0]);
    expect(await stored(id)).to.deep.include({
      ...period,
      ...{ state: 'sampling', seed: null, seedHash: seedHashOf(seed), periodMs: 9, samples: 4 },
    });
    expect(await openSettlement(database.queries, 'other')).to.deep.include({ seed: null, seedHash: null });
    expect(await openSettlement(database.queries, 'third')).to.equal(undefined);
    const { queries } = database;
    expect(await mintsWithOpenSettlement(queries)).to.deep.equal(['mint', 'other']);
    expect(await mintsWithOpenSettlement(queries, ['other', 'third'])).to.deep.equal(['other']);
    expect(await mintsWithOpenSettlement(queries, [])).to.deep.equal([]);
    expect(await settlementOf(queries, 1_000)).to.equal(undefined);
  });

  it('is abandoned only while it is sampled: its seed is public then, and its balances are gone', async () => {
    const id = await sampled();
    const seed = await secretOf(id);
    expect(await write((tx) => abandonSettlement(tx, id))).to.equal(true);
    expect(await stored(id)).to.deep.include({ state: 'abandoned', seed, problem: null });
    expect(await counts()).to.deep.equal([0, 0, 0, 0]);
    expect(await write((tx) => abandonSettlement(tx, id))).to.equal(false);
    const other = await plan();
    expect(await write((tx) => abandonSettlement(tx, other.id))).to.equal(false);
    expect((await credits(other.id)).length).to.equal(2);
  });

  it('is planned with each part, its recipients and the credits of its holders', async () => {
    const id = await sampled();
    const seed = await secretOf(id);
    await write((tx) => sumSamples(tx, id, []));
    const make = () =>
      write((tx) =>
        planned(
          tx,
          { id, mint: 'mint' },
          {
            ...PLAN,
            sol: { ...SIDE.sol, creatorCredited: 400n },
            token: { ...SIDE.token, creatorCredited: 5_000n },
          },
          RECIPIENTS,
          WEIGHTS,
        ),
      );
    expect(await make()).to.equal(true);
    expect(await stored(id)).to.deep.include({
      ...{ state: 'planned', ...RECIPIENTS, seed, opensCreatorAccount: true },
      ...{ sol: 1_110n, solHolders: 10n, solLp: 100n, solCreator: 1_000n, solCreatorCredited: 400n },
      ...{ token: 22_222n, tokenBurned: 2n, tokenHolders: 20n, tokenLp: 200n, tokenCreator: 22_000n },
      ...{ tokenCreatorCredited: 5_000n, holders: 2, held: 10n, snapshotSlot: 1, problem: null },
    });
    expect(await credits(id)).to.deep.equal([
      { wallet: 'a', sol: '7', token: '14' },
      { wallet: 'b', sol: '3', token: '6' },
      { wallet: 'creator', sol: '400', token: '5000' },
    ]);
    expect(await counts()).to.deep.equal([0, 0, 0, 1]);
    // Another process is late.
    expect(await make()).to.equal(false);
    expect((await credits(id))[2]).to.deep.include({ sol: '400' });
  });

  it('is planned without holders, and does not open an account that was opened before', async () => {
    const id = await beginPeriod(database, 'mint');
    const none = { ...PLAN, opensCreatorAccount: false };
    await write((tx) => planned(tx, { id, mint: 'mint' }, none, RECIPIENTS, undefined));
    expect(await stored(id)).to.deep.include({
      holders: 0,
      held: 0n,
      snapshotSlot: null,
      opensCreatorAccount: false,
    });
    expect(await counts()).to.deep.equal([0, 0, 0, 0]);
    expect(await credits(id)).to.deep.equal([]);
    await database.queries.execute(
      sql`insert into opened_accounts (owner, mint, subject) values ('creator', 'new', 'claim')`,
    );
    const next = await beginPeriod(database, 'new');
    const again = write((tx) => planned(tx, { id: next, mint: 'new' }, PLAN, RECIPIENTS, undefined));
    await rejection(again, SettlementError);
    expect((await stored(next)).state).to.equal('sampling');
  });

  it('fails when none of its transactions may have paid', async () => {
    const settlement = await plan();
    const { id, seed } = settlement;
    await addTransaction(id, 'failed');
    expect(await write((tx) => failSettlement(tx, settlement, 'refused'))).to.equal('failed');
    expect(await stored(id)).to.deep.include({ state: 'failed', problem: 'refused', seed });
    expect(seed).to.have.lengthOf(64);
    expect([await credits(id), await counts()]).to.deep.equal([[], [0, 0, 0, 0]]);
    expect(await write((tx) => failSettlement(tx, settlement, 'again'))).to.equal('taken over');
    expect((await stored(id)).problem).to.equal('refused');
  });

  it('stays planned when one may have paid, and is left to others while one may land', async () => {
    const settlement = await plan();
    const { id } = settlement;
    await addTransaction(id, 'expired');
    expect(await write((tx) => failSettlement(tx, settlement, 'refused'))).to.equal('kept');
    expect(await stored(id)).to.deep.include({ state: 'planned', problem: 'refused' });
    expect([(await credits(id)).length, (await counts())[3]]).to.deep.equal([2, 1]);
    await addTransaction(id, 'signed');
    expect(await write((tx) => failSettlement(tx, settlement, 'later'))).to.equal('taken over');
    expect(await stored(id)).to.deep.include({ state: 'planned', problem: 'refused' });
  });

  for (const [sol, token] of [
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    it(`credits the creator ${[sol && 'SOL', token && 'tokens'].filter(Boolean).join(' and ')} instead of paying`, async () => {
      const settlement = await plan({
        sol: { ...SIDE.sol, creatorCredited: 300n },
        token: { ...SIDE.token, creatorCredited: 4_000n },
      });
      const { id } = settlement;
      const after = {
        solCreatorCredited: sol ? 1_000n : 300n,
        tokenCreatorCredited: token ? 22_000n : 4_000n,
        opensCreatorAccount: !token,
      };
      expect(withCreatorCredited(settlement, { sol, token })).to.deep.equal({ ...settlement, ...after });
      await addTransaction(id, 'failed');
      expect(await write((tx) => creditCreator(tx, settlement, { sol, token }, 'new treasury'))).to.equal(
        true,
      );
      expect(await stored(id)).to.deep.include({ ...after, treasury: 'new treasury', state: 'planned' });
      const [, , creator] = await credits(id);
      expect(creator).to.deep.equal({
        wallet: 'creator',
        sol: sol ? '1000' : '300',
        token: token ? '22000' : '4000',
      });
      // The plan that it was based on is no longer the stored one.
      const late = () => write((tx) => creditCreator(tx, settlement, { sol, token }, 'new treasury'));
      expect(await late()).to.equal(false);
      expect((await credits(id))[2]).to.deep.equal(creator);
    });
  }

  it('opens no token account that its plan does not open', async () => {
    const settlement = await plan({ opensCreatorAccount: false });
    for (const token of [false, true])
      expect(withCreatorCredited(settlement, { sol: true, token }).opensCreatorAccount).to.equal(false);
  });

  it('credits nothing while a transaction may have paid', async () => {
    for (const state of ['signed', 'expired', 'finalized'] as const) {
      const settlement = await plan({ opensCreatorAccount: false }, state);
      await addTransaction(settlement.id, state);
      const both = { sol: true, token: true };
      expect(await write((tx) => creditCreator(tx, settlement, both, 'treasury'))).to.equal(false);
      expect(await stored(settlement.id)).to.deep.equal(settlement);
      expect(await credits(settlement.id)).to.have.lengthOf(2);
    }
  });

  it('is held only as it was read, and only while it is planned', async () => {
    const settlement = await plan();
    const hold = (given: Settlement) => write((tx) => holdPlan(tx, given));
    expect(await hold(settlement)).to.equal(true);
    const amounts = ['sol', 'solHolders', 'solLp', 'solCreator', 'solCreatorCredited'] as const;
    const units = [
      'token',
      'tokenBurned',
      'tokenHolders',
      'tokenLp',
      'tokenCreator',
      'tokenCreatorCredited',
    ] as const;
    for (const column of [...amounts, ...units])
      expect(await hold({ ...settlement, [column]: settlement[column] + 1n }), column).to.equal(false);
    for (const column of ['treasury', 'lp', 'creator'] as const)
      expect(await hold({ ...settlement, [column]: 'another' }), column).to.equal(false);
    expect(await hold({ ...settlement, opensCreatorAccount: false })).to.equal(false);
    // What is no part of the plan may differ.
    expect(await hold({ ...settlement, problem: 'another' })).to.equal(true);
    expect(await write((tx) => holdPlanned(tx, settlement.id))).to.equal(true);
    await database.queries
      .update(settlements)
      .set({ state: 'failed' })
      .where(eq(settlements.id, settlement.id));
    expect(await hold(settlement)).to.equal(false);
    expect(await write((tx) => holdPlanned(tx, settlement.id))).to.equal(false);
  });
});
