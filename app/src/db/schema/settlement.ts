// Settlements of the community storages, and the transactions that the service signs with its authorities' keys: each is
// stored before it is sent, so that a crash at any point can be repaired.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature, sum } from './columns.js';

/**
 * Where a settlement stands: `snapshot` (holders are being read) → `planned` (parts and credits are fixed) → `done` (paid
 * and credited), or `failed` (its transaction was refused, nothing moved), or `abandoned` (its snapshot was interrupted).
 */
export const SETTLEMENT_STATES = ['snapshot', 'planned', 'done', 'failed', 'abandoned'] as const;
/** Where a stored transaction stands; every state but the first is final. */
export const TRANSACTION_STATES = ['signed', 'finalized', 'failed', 'expired'] as const;

/** Settlements: what was taken from the two storages, and the parts it was split into. Lamports and token units. */
export const settlements = pgTable(
  'settlements',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    mint: address().notNull(),
    state: text({ enum: SETTLEMENT_STATES }).notNull().default('snapshot'),
    /** Null where nothing goes to it. */
    treasury: address(),
    lp: address(),
    creator: address().notNull(),
    sol: amount()
      .notNull()
      .default(sql`0`),
    solHolders: amount()
      .notNull()
      .default(sql`0`),
    solLp: amount()
      .notNull()
      .default(sql`0`),
    /** The creator's own part and the burn share. */
    solCreator: amount()
      .notNull()
      .default(sql`0`),
    /** As much of the creator's part as is paid to the treasury and credited to the creator, who has no account for it. */
    solCreatorCredited: amount()
      .notNull()
      .default(sql`0`),
    token: amount()
      .notNull()
      .default(sql`0`),
    tokenBurned: amount()
      .notNull()
      .default(sql`0`),
    tokenHolders: amount()
      .notNull()
      .default(sql`0`),
    tokenLp: amount()
      .notNull()
      .default(sql`0`),
    tokenCreator: amount()
      .notNull()
      .default(sql`0`),
    tokenCreatorCredited: amount()
      .notNull()
      .default(sql`0`),
    /** Finalized slot whose balances decide the holders' parts; null when no part is theirs. */
    snapshotSlot: bigint({ mode: 'number' }),
    /** Holders in the snapshot, and the token units they held. */
    holders: integer().notNull().default(0),
    held: sum()
      .notNull()
      .default(sql`0`),
    /** Of the finalized transaction that paid the parts. */
    signature: signature(),
    /** Why it failed. */
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // One settlement of a token at a time.
    uniqueIndex('settlements_open')
      .on(table.mint)
      .where(sql`${table.state} in ('snapshot', 'planned')`),
    index('settlements_of_mint').on(table.mint, table.id),
    check('settlements_state', sql`${table.state} in ('snapshot', 'planned', 'done', 'failed', 'abandoned')`),
    check('settlements_sol', sql`${table.sol} = ${table.solHolders} + ${table.solLp} + ${table.solCreator}`),
    check(
      'settlements_token',
      sql`${table.token} = ${table.tokenBurned} + ${table.tokenHolders} + ${table.tokenLp} + ${table.tokenCreator}`,
    ),
    check('settlements_done', sql`(${table.state} = 'done') = (${table.signature} is not null)`),
  ],
);

/** Balances of a snapshot, until the settlement is planned. */
export const settlementHolders = pgTable(
  'settlement_holders',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    wallet: address().notNull(),
    /** Token units in all its accounts. */
    balance: sum().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.wallet] })],
);

/** What each wallet is credited by a settlement, if it is done. */
export const settlementCredits = pgTable(
  'settlement_credits',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    wallet: address().notNull(),
    /** Token units held at the snapshot; nothing for a creator who holds none. */
    balance: sum().notNull(),
    /** Lamports credited. */
    sol: amount().notNull(),
    /** Token units credited. */
    token: amount().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.wallet] })],
);

/** Transactions signed with an authority's key, stored before they are sent. */
export const authorityTransactions = pgTable(
  'authority_transactions',
  {
    signature: signature().primaryKey(),
    /** What it is for: `settlement:ID` or `migration:MINT`. */
    subject: text().notNull(),
    /** As sent: base64. */
    transaction: text().notNull(),
    /** Slot at which the transaction's blockhash was read; null for those signed before it was kept. */
    blockhashSlot: bigint({ mode: 'number' }),
    lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: TRANSACTION_STATES }).notNull().default('signed'),
    /** Why it failed. */
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // A new one only when the earlier one can't land any more, whatever happens in the code above.
    uniqueIndex('authority_transactions_undecided')
      .on(table.subject)
      .where(sql`${table.state} = 'signed'`),
    index('authority_transactions_of_subject').on(table.subject, table.createdAt),
    check(
      'authority_transactions_state',
      sql`${table.state} in ('signed', 'finalized', 'failed', 'expired')`,
    ),
  ],
);
