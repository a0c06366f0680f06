// An indexer in a separate process, for a test that kills it. The environment configures it. It books each trade under a
// unique key in table `booked`, so that booking twice fails.
import { sql } from 'drizzle-orm';
import { createIndexer } from '#app/index/indexer.js';
import type { IndexHooks } from '#app/index/hooks.js';
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { rowsOf } from '#app/db/database.js';
import { tradeKeys } from '#tests/node/finalized-trades.js';

const hooks: IndexHooks = {
  onFinalized: async (tx, ids) => {
    for (const key of await tradeKeys(tx, ids))
      await tx.execute(sql`insert into booked (key) values (${key})`);
  },
};

const context = await createContext(readConfig(process.env));
await context.database.queries.execute(
  sql`create table if not exists booked (id serial primary key, key text unique not null)`,
);
const indexer = createIndexer(context, [hooks], { pageSize: 10, batchSize: 3, lookupTimeoutMs: 5_000 });
indexer.start();
// Reports the number of booked records, because no other process can open an embedded database meanwhile.
const telling = setInterval(() => {
  void rowsOf<{ count: number }>(
    context.database.queries,
    sql`select count(*)::integer as count from records where finalized`,
  ).then(([row]) => process.send?.(row?.count));
}, 100);
process.send?.(0);
process.once('SIGTERM', () => {
  clearInterval(telling);
  void indexer
    .stop()
    .then(() => context.database.close())
    .then(() => process.exit(0));
});
