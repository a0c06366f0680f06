// A ledger with very many open claims, inserted with a few SQL statements without triggers, and then verified with the
// ledger's complete check.
import { sql } from 'drizzle-orm';
import { column } from '#app/db/arrays.js';
import type { Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { vacuumAll } from '../http/vacuum-all.js';

/** Lamports of each reward. */
const REWARD = 10_000_000;

export interface OpenClaims {
  readonly mint: string;
  /** Open claims, of wallets that the benchmark does not use. */
  readonly open: number;
  /** Wallets with a claimable reward. */
  readonly wallets: readonly string[];
}

/** Fills empty tables. @throws when the ledger does not add up afterwards */
export async function fillOpenClaims(database: Database, { mint, open, wallets }: OpenClaims): Promise<void> {
  await database.on('jobs').transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into other_records (signature, "outer", "inner", slot, kind, mint) values ('creation', 0, 0, 1, 'create', ${mint})
    `);
    await tx.execute(sql`
      insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps, holders_bps,
        lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
      select ${mint}, id, 'creator', 'curve', 'Token', 'TOKEN', 'https://example.org', 100, 0, 10000, 0, 30000000000,
        1073000000000000, 100, 1700000000 from records
    `);
    await tx.execute(sql`
      insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
      select 'reserved', 'claiming ' || n, ${mint}, 'SOL', 'settlement', ${REWARD}::numeric from generate_series(1, ${open}::integer) n
      union all
      select 'claimable', wallet, ${mint}, 'SOL', 'settlement', ${REWARD}::numeric from unnest(${column(wallets, 'text')}) wallet
    `);
    await tx.execute(sql`
      insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
      select 'settlement', null, mint, asset, origin, -sum(balance) from ledger_accounts group by mint, asset, origin
    `);
    await tx.execute(sql`insert into ledger_postings (key) values ('filled')`);
    await tx.execute(sql`
      insert into ledger_entries (posting_id, account_id, amount) select p.id, a.id, a.balance from ledger_accounts a, ledger_postings p
    `);
    await tx.execute(sql`
      insert into ledger_totals (asset, origin, kind, amount)
      select asset, origin, kind, sum(balance) from ledger_accounts group by asset, origin, kind
    `);
    await tx.execute(sql`
      insert into claims (signature, wallet, mint, asset, amount, network_fee, burn, transaction, blockhash_slot,
        last_valid_block_height, created_at)
      select 'open claim ' || n, 'claiming ' || n, ${mint}, 'SOL', ${REWARD}::numeric, 10000, false, repeat('A', 400), 1000,
        1000000000, now() - n * interval '1 millisecond' from generate_series(1, ${open}::integer) n
    `);
    await tx.execute(
      sql`update treasury set reserved = ${open}::numeric * ${REWARD}::numeric where asset = 'SOL'`,
    );
  });
  await vacuumAll(database);
  const problems = await checkLedger(database.on('jobs').queries, { whole: true });
  if (problems.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(problems[0])}`);
}
