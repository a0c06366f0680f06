// Claims, and what the Rewards Claiming API remembers of requests.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { records } from './chain.js';
import { address, amount, moment, signature } from './columns.js';
import { ASSETS } from './ledger.js';

/** States of a claim; every one but the first is final. */
export const CLAIM_STATES = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;

/** Claims, by the signature of the transaction that pays them. */
export const claims = pgTable(
  'claims',
  {
    signature: signature().primaryKey(),
    wallet: address().notNull(),
    mint: address().notNull(),
    asset: text({ enum: ASSETS }).notNull(),
    /** What was reserved: lamports, network fee included, or token units. */
    amount: amount().notNull(),
    /** As much of the amount as comes from referrals; the rest comes from settlements. */
    referral: amount()
      .notNull()
      .default(sql`0`),
    /** Lamports of the amount that pay the network. */
    networkFee: amount().notNull(),
    burn: boolean().notNull(),
    /** Whether the treasury pays for the wallet's token account. */
    opensAccount: boolean().notNull().default(false),
    /** Lamports of rent that its transaction takes from the treasury; one that burns gives them back at its end. */
    rent: amount()
      .notNull()
      .default(sql`0`),
    /** As handed out: base64, signed by the treasury. */
    transaction: text().notNull(),
    /** Slot at which the transaction's blockhash was read. */
    blockhashSlot: bigint({ mode: 'number' }).notNull(),
    lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: CLAIM_STATES }).notNull().default('IN_PROGRESS'),
    /** Why it failed. */
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // The database also enforces: one claim per wallet and token at a time.
    uniqueIndex('claims_in_progress')
      .on(table.wallet, table.mint)
      .where(sql`${table.state} = 'IN_PROGRESS'`),
    index('claims_open')
      .on(table.createdAt)
      .where(sql`${table.state} = 'IN_PROGRESS'`),
    index('claims_expired')
      .on(table.updatedAt)
      .where(sql`${table.state} = 'EXPIRED'`),
    index('claims_paid')
      .on(table.updatedAt)
      .where(sql`${table.state} in ('COMPLETED', 'FAILED')`),
    index('claims_of_wallet').on(table.wallet, table.createdAt),
    index('claims_opening_accounts')
      .on(table.createdAt)
      .where(sql`${table.opensAccount}`),
    check('claims_state', sql`${table.state} in ('IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED')`),
  ],
);

/** Answers already given under an `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    wallet: address().notNull(),
    key: text().notNull(),
    /** SHA-256 of the request in hex: another one under the same key is refused. */
    requestHash: text().notNull(),
    statusCode: integer().notNull(),
    body: text().notNull(),
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.wallet, table.key] }),
    index('idempotency_keys_expiry').on(table.expiresAt),
  ],
);

/** Request signatures that may not be used again. */
export const usedSignatures = pgTable(
  'used_signatures',
  {
    signature: signature().primaryKey(),
    expiresAt: moment().notNull(),
  },
  (table) => [index('used_signatures_expiry').on(table.expiresAt)],
);

/**
 * Rewards of trades that are confirmed but not finalized yet: shown, never claimable. A row goes when its record is
 * finalized (and booked in the ledger) or disappears.
 */
export const pendingRewards = pgTable(
  'pending_rewards',
  {
    recordId: bigint({ mode: 'bigint' })
      .notNull()
      .references(() => records.id, { onDelete: 'cascade' }),
    wallet: address().notNull(),
    mint: address().notNull(),
    asset: text({ enum: ASSETS }).notNull(),
    amount: amount().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.recordId, table.wallet, table.asset] }),
    index('pending_rewards_of_wallet').on(table.wallet, table.mint),
  ],
);
