// The ledger: append-only, double entry. Triggers in `ledger/sql` enforce its rules for every code path:
// entries never change, each posting sums to zero, and balances follow from the entries.
import { sql } from 'drizzle-orm';
import { bigint, bigserial, check, index, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { address, moment, sum } from './columns.js';

/** Assets of rewards: lamports, or token base units. */
export const ASSETS = ['SOL', 'TOKEN'] as const;
/** Sources of rewards. The balance of a source is minus the amount that it has credited. */
export const SOURCE_KINDS = ['referral', 'settlement'] as const;
/**
 * The three states of a wallet's rewards. For every token, asset and origin, the sum of these equals minus the source's
 * balance.
 */
export const WALLET_KINDS = ['claimable', 'reserved', 'claimed'] as const;

/**
 * One account per kind, wallet, token, asset and origin. Rewards of two origins never mix, because each origin is paid from
 * its own money in the treasury.
 */
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    kind: text({ enum: [...WALLET_KINDS, ...SOURCE_KINDS] }).notNull(),
    /** The wallet; null for a source. */
    owner: address(),
    mint: address().notNull(),
    asset: text({ enum: ASSETS }).notNull(),
    /** The source kind that the rewards came from. For a source, its own kind. */
    origin: text({ enum: SOURCE_KINDS }).notNull(),
    /** Sum of the account's entries, kept by a trigger. */
    balance: sum()
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    unique('ledger_accounts_once')
      .on(table.owner, table.mint, table.asset, table.kind, table.origin)
      .nullsNotDistinct(),
    check(
      'ledger_accounts_kind',
      sql`${table.kind} in ('claimable', 'reserved', 'claimed', 'referral', 'settlement')`,
    ),
    check(
      'ledger_accounts_origin',
      sql`${table.origin} in ('referral', 'settlement') and (${table.owner} is not null or ${table.kind} = ${table.origin})`,
    ),
    check('ledger_accounts_asset', sql`${table.asset} in ('SOL', 'TOKEN')`),
    check(
      'ledger_accounts_owner',
      sql`(${table.owner} is null) = (${table.kind} in ('referral', 'settlement'))`,
    ),
    check(
      'ledger_accounts_sign',
      sql`case when ${table.owner} is null then ${table.balance} <= 0 else ${table.balance} >= 0 end`,
    ),
  ],
);

/** One event that moved rewards. The key makes a repeated event harmless. */
export const ledgerPostings = pgTable(
  'ledger_postings',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    key: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [uniqueIndex('ledger_postings_once').on(table.key)],
);

/** The movements of a posting: positive into the account, negative out of it. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigserial({ mode: 'bigint' }).primaryKey(),
    postingId: bigint({ mode: 'bigint' })
      .notNull()
      .references(() => ledgerPostings.id),
    accountId: bigint({ mode: 'bigint' })
      .notNull()
      .references(() => ledgerAccounts.id),
    amount: sum().notNull(),
  },
  (table) => [
    index('ledger_entries_of_account').on(table.accountId),
    index('ledger_entries_of_posting').on(table.postingId),
    check('ledger_entries_amount', sql`${table.amount} <> 0`),
  ],
);

/**
 * Totals of all accounts per asset, origin and kind, kept by a trigger: the total is the sum of the rows. Each statement
 * adds its own rows, so that postings do not wait for each other here. A job merges old rows (`foldTotals`).
 */
export const ledgerTotals = pgTable('ledger_totals', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  asset: text({ enum: ASSETS }).notNull(),
  origin: text({ enum: SOURCE_KINDS }).notNull(),
  kind: text({ enum: [...WALLET_KINDS, ...SOURCE_KINDS] }).notNull(),
  amount: sum().notNull(),
});
