// A ledger with very many rewards, as after years. A few SQL statements insert them without triggers, which would be
// too slow for a million entries. The ledger's complete check then verifies the result.
import { createHash, randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { column } from '#app/db/arrays.js';
import type { Database, Transaction } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { insertCurveStates, stayIdle } from './market-rows.js';
import { vacuumAll } from './vacuum-all.js';

const TOKENS = 200;
/** Tokens per wallet, each with a reward in SOL and one in the token. */
const TOKENS_OF_WALLET = 2;
const ASSETS = 2;
const WALLETS_PER_STATEMENT = 25_000;

export interface RewardRows {
  /** Accounts with a claimable reward. */
  readonly rows: number;
  readonly wallets: number;
  readonly tokens: number;
}

/** Number of wallets for this number of rewards. */
export function walletsOf(rows: number): number {
  return Math.ceil(rows / (TOKENS_OF_WALLET * ASSETS));
}

export interface RewardsWanted {
  readonly rows: number;
  /** Wallets that must have rewards, spread evenly over all wallets. */
  readonly askers: readonly string[];
  /** Tokens that exist. Without them, a few are inserted. */
  readonly mints?: readonly string[];
}

/**
 * Fills empty tables.
 *
 * @throws when the ledger does not add up afterwards
 */
export async function fillRewards(
  database: Database,
  { rows, askers, mints }: RewardsWanted,
): Promise<RewardRows> {
  const wallets = walletsOf(rows);
  const own = Array.from({ length: TOKENS }, (_, index) =>
    bs58.encode(createHash('sha256').update(`token ${index}`).digest()),
  );
  const rewarded = mints ?? own;
  const listed = walletsWith(askers, wallets);
  await database.on('jobs').transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await stayIdle(tx);
    if (mints === undefined) await insertTokens(tx, own);
    await insertAccounts(tx, rewarded, listed);
    await insertEntries(tx);
    // The totals that the ledger's trigger would keep.
    await tx.execute(sql`
      insert into ledger_totals (asset, origin, kind, amount)
      select asset, origin, kind, sum(balance) from ledger_accounts group by asset, origin, kind
    `);
  });
  const { queries } = database.on('jobs');
  await vacuumAll(database);
  const problems = await checkLedger(queries, { whole: true });
  if (problems.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(problems[0])}`);
  return { rows: wallets * TOKENS_OF_WALLET * ASSETS, wallets, tokens: rewarded.length };
}

function walletsWith(askers: readonly string[], count: number): string[] {
  const wallets = Array.from({ length: count }, () => '');
  for (const [index, asker] of askers.entries()) wallets[Math.floor((index * count) / askers.length)] = asker;
  return wallets.map((wallet) => wallet || bs58.encode(randomBytes(32)));
}

async function insertTokens(tx: Transaction, mints: readonly string[]): Promise<void> {
  const listed = sql`unnest(${column(mints, 'text')}) with ordinality as listed(mint, n)`;
  await tx.execute(sql`
    insert into other_records (signature, "outer", "inner", slot, kind, mint)
    select 'creation of ' || mint, 0, 0, n, 'create', mint from ${listed} order by n
  `);
  await tx.execute(sql`
    insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps, holders_bps,
      lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
    select mint, id, mint, mint, 'Token ' || id, 'T' || id, 'https://example.org/' || id || '.json', 100, 1000, 2000,
      3000, 30000000000, 1073000000000000, 100, 1700000000 from records
  `);
  await tx.execute(sql`
    insert into token_metadata (mint, uri, image)
    select mint, uri, replace(uri, '.json', '.png') from tokens
  `);
  await insertCurveStates(tx);
}

async function insertAccounts(
  tx: Transaction,
  mints: readonly string[],
  wallets: readonly string[],
): Promise<void> {
  // Sent once: there can be a million of them.
  await tx.execute(sql`
    create temporary table rewarded on commit drop as
    select mint, k from unnest(${column(mints, 'text')}) with ordinality as mints(mint, k)
  `);
  await tx.execute(sql`create unique index on rewarded (k)`);
  await tx.execute(sql`analyze rewarded`);
  for (let from = 0; from < wallets.length; from += WALLETS_PER_STATEMENT) {
    const some = wallets.slice(from, from + WALLETS_PER_STATEMENT);
    await tx.execute(sql`
      insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
      select 'claimable', wallet, mints.mint, asset, 'settlement', 1 + (n * 7919 + mints.k * 104729) % 1000000007
      from unnest(${column(some, 'text')}) with ordinality as listed(wallet, n)
      cross join generate_series(0, ${TOKENS_OF_WALLET - 1}::integer) as chosen(turn)
      join rewarded mints on mints.k = 1 + (n + turn * 37) % ${mints.length}::integer
      cross join (values ('SOL'), ('TOKEN')) as assets(asset)
    `);
  }
  await tx.execute(sql`
    insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
    select 'settlement', null, mint, asset, origin, -sum(balance) from ledger_accounts group by mint, asset, origin
  `);
}

/** One posting for each token and asset. */
async function insertEntries(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into ledger_postings (key)
    select 'settlement of ' || mint || ' ' || asset from ledger_accounts where owner is null
  `);
  await tx.execute(sql`
    insert into ledger_entries (posting_id, account_id, amount)
    select p.id, a.id, a.balance from ledger_accounts a join ledger_postings p
      on p.key = 'settlement of ' || a.mint || ' ' || a.asset
  `);
}
