// `GET /settlements/{mint}`: every field of a settlement, in which order and how many, and what stays hidden while a period runs.
// threat: sell-after-sample
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import { settlements, settlementSamples } from '#app/db/schema/index.js';
import { momentOf, seedHashOf } from '#app/graduation/settlement/periods/moments.js';
import { settlementsApi } from '#app/graduation/settlement/routes.js';
import { parseJson } from '#sdk/http/json.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { insertOpenSettlement, type OpenSettlement } from '#tests/database/open-settlement.js';
import { newAddress } from '#tests/new-address.js';
import { useHttpCore } from '#tests/service/http-core.js';

const SEED = '5e'.repeat(32);
const STARTED = 1_800_000_000_000;

describe(`the public view of settlements (${DATABASE_KIND})`, () => {
  const start = useHttpCore();
  const database = useDatabase();
  let url: string;
  beforeEach(async () => {
    ({ url } = (await start({ apis: [settlementsApi({ database })] })).server);
  });

  async function get(mint: string, query = '') {
    const answer = await fetch(`${url}/settlements/${mint}${query}`);
    const body = parseJson(await answer.text()) as { data: { id: number }[]; message?: string };
    return { ...body, status: answer.status };
  }
  const insert = (mint: string, columns: OpenSettlement['columns'] = {}) =>
    insertOpenSettlement(database, mint, STARTED, { columns });
  /** A sample at the slot `100 + index`, taken a second after its moment. */
  const sample = (settlementId: number, index: number, slot: number | null = 100 + index) =>
    database.queries
      .insert(settlementSamples)
      .values({ settlementId, index, slot, takenAt: new Date(STARTED + 1_000 * index) });

  it('has every field of a settlement, and its complete samples in order', async () => {
    const mint = newAddress();
    const period = { seed: SEED, periodMs: 32_000, samples: 2 };
    const id = await insert(mint, {
      ...{ state: 'done', signature: 'signature', seedHash: seedHashOf(SEED), ...period, holders: 3 },
      ...{ sol: 1_110n, solHolders: 100n, solLp: 10n, solCreator: 1_000n, solCreatorCredited: 7n },
      ...{ token: 42_220n, tokenBurned: 40_000n, tokenHolders: 200n, tokenLp: 20n },
      ...{ tokenCreator: 2_000n, tokenCreatorCredited: 9n },
    });
    for (const index of [2, 0]) await sample(id, index);
    await sample(id, 1, null);
    const moment = (index: number) =>
      new Date(momentOf({ ...period, startedAt: STARTED }, index)).toISOString();
    expect((await get(mint)).data).to.deep.equal([
      {
        ...{ id, state: 'done', seedHash: seedHashOf(SEED), seed: SEED },
        ...{ startedAt: '2027-01-15T08:00:00.000Z', periodMs: 32_000, samples: 2 },
        taken: [
          { index: 0, moment: moment(0), takenAt: '2027-01-15T08:00:00.000Z', slot: 100 },
          { index: 2, moment: moment(2), takenAt: '2027-01-15T08:00:02.000Z', slot: 102 },
        ],
        holders: 3,
        sol: { taken: 1_110, holders: 100, lp: 10, creator: 1_000, creatorCredited: 7 },
        token: {
          ...{ taken: 42_220, holders: 200, lp: 20, creator: 2_000, creatorCredited: 9, burned: 40_000 },
        },
        signature: 'signature',
      },
    ]);
  });

  it('hides the samples of a period that runs, and shows those of the others', async () => {
    for (const state of ['planned', 'failed', 'abandoned', 'sampling'] as const) {
      const mint = newAddress();
      await sample(await insert(mint, { state }), 0);
      const [shown] = (await get(mint)).data as unknown as { taken: unknown[] }[];
      expect(shown!.taken, state).to.have.lengthOf(state === 'sampling' ? 0 : 1);
      expect(shown).to.deep.include({ state, signature: null, seed: null });
    }
  });

  it('begins with the newest, and has as many as asked for, older than a given one', async () => {
    const mint = newAddress();
    const ids: number[] = [];
    for (let index = 0; index < 21; index += 1) ids.unshift(await insert(mint, { state: 'failed' }));
    await insert(newAddress(), { state: 'failed' });
    const shown = async (query: string) => (await get(mint, query)).data.map(({ id }) => id);
    expect(await shown('')).to.deep.equal(ids.slice(0, 20));
    expect(await shown('?limit=100&before=999999999999999')).to.deep.equal(ids);
    expect(await shown(`?limit=2&before=${ids[0]}`)).to.deep.equal(ids.slice(1, 3));
  });

  for (const [field, values, bounds] of [
    ['limit', ['0', '101', '-1', '1.5', '', ' 5', '5x', '1e1', '0000000000000005'], '1 to 100'],
    ['before', ['0', '-1', '1.5', '', 'x', '1000000000000000'], '1 to 999999999999999'],
  ] as const)
    it(`refuses a ${field} of ${values.map((value) => `"${value}"`).join(', ')}`, async () => {
      for (const value of values) {
        const answer = await get(newAddress(), `?${field}=${encodeURIComponent(value)}`);
        expect(answer.status, value).to.equal(400);
        expect(JSON.stringify(answer)).to.contain(`${field} must be a whole number from ${bounds}`);
      }
    });

  it('shows when an old settlement without a period was made', async () => {
    const mint = newAddress();
    const id = await insert(mint, { startedAt: null });
    const createdAt = new Date(STARTED - 5_000);
    await database.queries.update(settlements).set({ createdAt }).where(eq(settlements.id, id));
    expect((await get(mint)).data[0]).to.include({ startedAt: createdAt.toISOString() });
  });

  it('is empty for a token without settlements, and an unknown token has no view', async () => {
    const [known, unknown, unindexed] = [newAddress(), newAddress(), newAddress()];
    await storeToken(database.queries, { mint: known });
    expect((await get(known)).data).to.deep.equal([]);
    expect((await get(unknown)).status).to.equal(404);
    await insert(unindexed);
    expect((await get(unindexed)).data).to.have.lengthOf(1);
  });
});
