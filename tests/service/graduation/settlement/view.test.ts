// The public view of a token's settlements: every field, in which order and how many, and what stays hidden while a period runs.
// threat: sell-after-sample
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';
import { settlements, settlementSamples } from '#app/db/schema/index.js';
import { momentOf, seedHashOf } from '#app/graduation/settlement/periods/moments.js';
import { publicSettlements } from '#app/graduation/settlement/periods/view.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { insertOpenSettlement, type OpenSettlement } from '#tests/database/open-settlement.js';

const SEED = '5e'.repeat(32);
const STARTED = 1_800_000_000_000;

describe(`the public view of settlements (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  const view = (mint: string, limit = 10, before?: number) =>
    publicSettlements(database.queries, mint, { limit, before });
  const insert = (mint: string, columns: OpenSettlement['columns'] = {}) =>
    insertOpenSettlement(database, mint, STARTED, { columns });
  /** A sample at the slot `100 + index`, taken a second after its moment. */
  const sample = (settlementId: number, index: number, slot: number | null = 100 + index) =>
    database.queries
      .insert(settlementSamples)
      .values({ settlementId, index, slot, takenAt: new Date(STARTED + 1_000 * index) });

  it('has every field of a settlement, and its complete samples in order', async () => {
    const period = { seed: SEED, periodMs: 32_000, samples: 2 };
    const id = await insert('whole', {
      ...{ state: 'done', signature: 'signature', seedHash: seedHashOf(SEED), ...period, holders: 3 },
      ...{ sol: 1_110n, solHolders: 100n, solLp: 10n, solCreator: 1_000n, solCreatorCredited: 7n },
      ...{ token: 42_220n, tokenBurned: 40_000n, tokenHolders: 200n, tokenLp: 20n },
      ...{ tokenCreator: 2_000n, tokenCreatorCredited: 9n },
    });
    for (const index of [2, 0]) await sample(id, index);
    await sample(id, 1, null);
    const moment = (index: number) =>
      new Date(momentOf({ ...period, startedAt: STARTED }, index)).toISOString();
    expect(await view('whole')).to.deep.equal([
      {
        ...{ id, state: 'done', seedHash: seedHashOf(SEED), seed: SEED },
        ...{ startedAt: '2027-01-15T08:00:00.000Z', periodMs: 32_000, samples: 2 },
        taken: [
          { index: 0, moment: moment(0), takenAt: '2027-01-15T08:00:00.000Z', slot: 100 },
          { index: 2, moment: moment(2), takenAt: '2027-01-15T08:00:02.000Z', slot: 102 },
        ],
        holders: 3,
        sol: { taken: 1_110n, holders: 100n, lp: 10n, creator: 1_000n, creatorCredited: 7n },
        token: {
          ...{ taken: 42_220n, holders: 200n, lp: 20n, creator: 2_000n, creatorCredited: 9n },
          burned: 40_000n,
        },
        signature: 'signature',
      },
    ]);
  });

  it('hides the samples of a period that runs, and shows those of the others', async () => {
    const over = [];
    for (const state of ['planned', 'failed', 'abandoned', 'sampling'] as const) {
      const id = await insert(state, { state });
      await sample(id, 0);
      const [shown] = (await view(state))!;
      expect(shown!.state).to.equal(state);
      expect(shown!.signature).to.equal(null);
      if (shown!.taken.length === 1) over.push(state);
    }
    expect(over).to.deep.equal(['planned', 'failed', 'abandoned']);
  });

  it('begins with the newest, and has as many as asked for, older than a given one', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 4; index += 1) ids.unshift(await insert('many', { state: 'failed' }));
    await insert('others', { state: 'failed' });
    const shown = async (limit?: number, before?: number) =>
      (await view('many', limit, before))!.map(({ id }) => id);
    expect(await shown()).to.deep.equal(ids);
    expect(await shown(3)).to.deep.equal(ids.slice(0, 3));
    expect(await shown(2, ids[0])).to.deep.equal(ids.slice(1, 3));
  });

  it('shows when an old settlement without a period was made', async () => {
    const id = await insert('old', { startedAt: null });
    const createdAt = new Date(STARTED - 5_000);
    await database.queries.update(settlements).set({ createdAt }).where(eq(settlements.id, id));
    expect((await view('old'))![0]!.startedAt).to.equal(createdAt.toISOString());
  });

  it('is empty for a token without settlements, and undefined for an unknown token', async () => {
    await storeToken(database.queries, { mint: 'known' });
    expect(await view('known')).to.deep.equal([]);
    expect(await view('unknown')).to.equal(undefined);
    // A token that only has settlements is shown, also when none is left to page through.
    const id = await insert('not indexed');
    expect(await view('not indexed', 10, id + 1)).to.have.lengthOf(1);
    expect(await view('known', 10, id)).to.deep.equal([]);
  });
});
