import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { column } from '#app/db/arrays.js';
import type { Database } from '#app/db/database.js';
import { loadPreviews } from '#app/index/store/previews.js';
import { openTestDatabase } from '#tests/database/database.js';

/** Number of records per transaction, oldest first. One of them has more than a single query reads. */
const RECORDS = [1, 3, 1, 80, 2, 1];

describe('loadPreviews', () => {
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
    await store('finalized', 5, true);
    for (const [index, count] of RECORDS.entries()) await store(`preview ${index}`, count, false);
  });
  after(() => database.close());

  async function store(signature: string, count: number, finalized: boolean): Promise<void> {
    const inner = Array.from({ length: count }, (_, index) => index);
    await database.queries.execute(sql`
      with stored as (
        insert into other_records (signature, "outer", "inner", slot, kind)
        select ${signature}, 0, i, 7, 'unknown' from unnest(${column(inner, 'integer')}) as of_transaction (i) order by i
        returning id
      )
      insert into unfinalized select id, 'curve' from stored where not ${finalized}
    `);
  }

  it('returns as many transactions as requested, each with all its records', async () => {
    const all = RECORDS.map((count, index) => {
      const before = RECORDS.slice(0, index).reduce((sum, records) => sum + records, 5);
      return { signature: `preview ${index}`, slot: 7, firstId: before + 1, lastId: before + count };
    });
    for (let most = 1; most <= RECORDS.length + 1; most += 1) {
      const previews = await loadPreviews(database.queries, most);
      const found = previews.map((preview) => ({
        ...preview,
        firstId: Number(preview.firstId),
        lastId: Number(preview.lastId),
      }));
      expect(found, `${most}`).to.deep.equal(all.slice(0, most));
    }
  });
});
