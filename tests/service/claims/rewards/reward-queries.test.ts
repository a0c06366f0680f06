// The queries of GET /rewards on PostgreSQL. Planning takes longer than reading, so the plan is cached. threat: many-rewards
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { prepareRewardQueries } from '#app/claims/rewards/reward-queries.js';
import { sumRewards } from '#app/claims/rewards/rewards-repository.js';
import { randomStream } from '../../../../scripts/random.js';
import { sharedPostgres } from '#tests/database/database.js';

/** PostgreSQL always plans the first five executions separately. */
const PLANNED_ANEW = 5;
const EXECUTIONS = 20;

describe('the queries of GET /rewards (postgres)', function () {
  this.timeout(60_000);
  let database: Database;

  before('open a database of one connection', async () => {
    const url = await (await sharedPostgres()).createDatabase();
    database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
    await database.migrate();
  });
  after(() => database?.close());

  it('keep their plan, whatever the number of wallets', async () => {
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

  it('are not compiled, on any connection of the service', async () => {
    const compiles = sql`select setting from pg_settings where name = 'jit'`;
    for (const purpose of ['requests', 'payments', 'jobs'] as const) {
      const { queries } = database.on(purpose);
      expect(await rowsOf(queries, compiles)).to.deep.equal([{ setting: 'off' }]);
    }
  });

  it('return null for a token that is not indexed, whatever its position', async () => {
    await database.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`insert into token_metadata (mint, uri, image) values ('b', '', 'image of b')`);
    });
    const rows = await prepareRewardQueries(database.queries).tokens(['c', 'a', 'b']);
    expect(rows.map(({ mint, image }) => [mint, image])).to.have.deep.members([
      ['a', null],
      ['b', 'image of b'],
      ['c', null],
    ]);
  });

  it('return the same sums, computed by the service or by PostgreSQL', async () => {
    const random = randomStream(1, 0);
    const kinds = ['claimable', 'reserved', 'claimed', 'pending'];
    const accounts = kinds.flatMap((kind) =>
      ['SOL', 'TOKEN'].flatMap((asset) =>
        ['settlement', 'referral'].flatMap((origin) =>
          [1, 2, 3, 4, 5].flatMap((mint) =>
            [1, 2, 3].map((wallet) => ({
              ...{ kind, asset, origin },
              ...{ mint: `mint ${mint}`, owner: `wallet ${wallet}` },
            })),
          ),
        ),
      ),
    );
    // Two of the largest exceed 64 bits together.
    const amounts = [0n, 1n, 7_000_000n, 2n ** 64n - 1n];
    const rows = accounts
      .filter(() => random.chance(40))
      .map((account, n) => ({ ...account, n, amount: amounts[random.below(4)]! }));
    await database.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      for (const { owner, mint, asset, kind, origin, amount, n } of rows) {
        await tx.execute(
          kind === 'pending'
            ? sql`insert into pending_rewards (record_id, wallet, mint, asset, amount)
                values (${n}, ${owner}, ${mint}, ${asset}, ${String(amount)}::numeric)`
            : sql`insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
                values (${kind}, ${owner}, ${mint}, ${asset}, ${origin}, ${String(amount)}::numeric)`,
        );
      }
    });
    const { ofWallets, ofWallet } = prepareRewardQueries(database.queries);
    const wallets = [...new Set(rows.map(({ owner }) => owner))];
    const together = await ofWallets(wallets);
    expect(together).to.have.length(rows.length);
    for (const wallet of wallets) {
      const sums = sumRewards(together.filter(({ owner }) => owner === wallet));
      expect(sums).to.deep.equal(await ofWallet(wallet, '', 10));
      const total = rows
        .filter(({ owner, asset }) => owner === wallet && asset === 'SOL')
        .reduce((sum, { amount }) => sum + amount, 0n);
      expect(sums.reduce((sum, { allSol }) => sum + BigInt(allSol), 0n)).to.equal(total);
    }
  });
});
