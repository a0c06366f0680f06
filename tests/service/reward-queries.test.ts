// The queries behind GET /rewards on PostgreSQL: planning takes longer than reading, so a plan is kept.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { prepareRewardQueries } from '#app/rewards/reward-queries.js';
import { sharedPostgres } from '#tests/database/database.js';

/** PostgreSQL plans the first five executions anew in any case. */
const PLANNED_ANEW = 5;
const EXECUTIONS = 20;

describe('queries of rewards (postgres)', function () {
  this.timeout(60_000);
  let database: Database;

  before('open a database of one connection', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
    await database.migrate();
  });
  after(() => database?.close());

  it('keep their plan, however many wallets are asked for', async () => {
    const queries = prepareRewardQueries(database.queries);
    for (let count = 0; count < EXECUTIONS; count += 1) {
      await queries.ofWallets(Array.from({ length: 1 + (count % 3) * 7 }, (_, n) => `wallet ${n}`));
    }
    const [statement] = await rowsOf<{ custom: number; generic: number }>(
      database.queries,
      sql`select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements
          where name = 'rewards_of_wallets'`,
    );
    expect(statement).to.deep.equal({ custom: PLANNED_ANEW, generic: EXECUTIONS - PLANNED_ANEW });
  });

  it('tell nothing of a token that is not indexed, before any other token', async () => {
    await database.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`insert into token_metadata (mint, uri, image) values ('b', '', 'image of b')`);
      await tx.execute(sql`
        insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
        select 'claimable', 'holder', mint, 'SOL', 'settlement', 7 from unnest(array['a', 'b', 'c']) mint`);
    });
    const { ofWallets, ofWallet } = prepareRewardQueries(database.queries);
    for (const rows of [await ofWallets(['nobody', 'holder']), await ofWallet('holder', '', 10)]) {
      expect(
        rows.map(({ owner, mint, unclaimedSol, image }) => [owner, mint, unclaimedSol, image]),
      ).to.deep.equal([
        ['holder', 'a', '7', null],
        ['holder', 'b', '7', 'image of b'],
        ['holder', 'c', '7', null],
      ]);
    }
  });
});
