// The ledger: append-only, double entry. Its rules are enforced by the triggers in `app/database/0001_rules.sql`, so that
// no code path can break them: entries are never changed, each posting sums to zero, balances follow from the entries.
import { sql } from 'drizzle-orm';
import { bigint, bigserial, check, index, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core';
import { address, moment, sum } from './columns.js';

/** What can be rewarded: lamports, or the token's smallest units. */
export const ASSETS = ['SOL', 'TOKEN'] as const;
/** Where rewards come from; their accounts go negative by what they have credited. */
export const SOURCE_KINDS = ['referral', 'settlement'] as const;
/** The three states of a wallet's rewards. Σ of these = −the source, for every token, asset and origin. */
export const WALLET_KINDS = ['claimable', 'reserved', 'claimed'] as const;

/**
 * An account for each kind, wallet, token, asset and origin. Rewards of two origins never mix: each is paid from the money
 * that was moved to the treasury for it.
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
    /** The kind of the source that the rewards came from; a source's own. */
    origin: text({ enum: SOURCE_KINDS }).notNull(),
    /** Σ of the account's entries, kept by a trigger. */
    balance: sum()
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    unique('ledger_accounts_once')
      .on(table.owner, table.mint, table.asset, table.kind, table.origin)
      .nullsNotDistinct(),
    index('ledger_accounts_of_mint').on(table.mint),
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

/** One event that moved rewards; its key makes a repetition harmless. */
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
 * Totals of all accounts of an asset, origin and kind, kept by a trigger: their sum is the total. Each statement adds its
 * rows, so that no two postings wait for each other here; a job sums up old rows (`foldTotals`).
 */
export const ledgerTotals = pgTable('ledger_totals', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  asset: text({ enum: ASSETS }).notNull(),
  origin: text({ enum: SOURCE_KINDS }).notNull(),
  kind: text({ enum: [...WALLET_KINDS, ...SOURCE_KINDS] }).notNull(),
  amount: sum().notNull(),
});
