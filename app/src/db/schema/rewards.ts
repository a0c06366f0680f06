// Claims, idempotency keys and used signatures of the Rewards Claiming API.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { CLAIM_STATES } from './claim-states.js';
import { address, amount, moment, signature } from './columns.js';
import { ASSETS } from './ledger.js';

/** Why a new claim is not stored. */
export const CLAIM_REFUSALS = [
  /** Payments are held. The detail is the reason, for the operator. */
  'held',
  /** An answer is stored under the idempotency key already. */
  'key taken',
  /** Another claim of the wallet and token is in progress. */
  'in progress',
  /** The claimable amount differs from the amount that the transaction pays. */
  'other amount',
  /** A payment was made after the balances were read. */
  'stale balance',
  /** The balances do not cover this claim and all other claims in progress. */
  'short of tokens',
  'short of SOL',
  'short of SOL for the network',
  /** The treasury does not hold the SOL for the claim's referral rewards yet. */
  'referral not funded',
] as const;

export const claimRefusal = pgEnum('claim_refusal', CLAIM_REFUSALS);

/** Claims. The key is the signature of the transaction that pays the claim. */
export const claims = pgTable(
  'claims',
  {
    signature: signature().primaryKey(),
    wallet: address().notNull(),
    mint: address().notNull(),
    asset: text({ enum: ASSETS }).notNull(),
    /** The reserved amount: lamports including the network fee, or token units. */
    amount: amount().notNull(),
    /** The part of the amount that comes from referrals. The rest comes from settlements. */
    referral: amount()
      .notNull()
      .default(sql`0`),
    /** Network fee in lamports, part of the amount. */
    networkFee: amount().notNull(),
    burn: boolean().notNull(),
    /** Whether the treasury pays for the wallet's token account. */
    opensAccount: boolean().notNull().default(false),
    /** Lamports of rent that the transaction takes from the treasury. A transaction that burns returns them at its end. */
    rent: amount()
      .notNull()
      .default(sql`0`),
    /** The transaction as returned to the wallet: base64, signed by the treasury. */
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
    // The database also enforces this: one open claim per wallet and token.
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

/** Stored answers of requests with an `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    wallet: address().notNull(),
    key: text().notNull(),
    /** SHA-256 of the request in hex. A different request with the same key is refused. */
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

/** Request signatures that must not be accepted again. */
export const usedSignatures = pgTable(
  'used_signatures',
  {
    signature: signature().primaryKey(),
    expiresAt: moment().notNull(),
  },
  (table) => [index('used_signatures_expiry').on(table.expiresAt)],
);

/**
 * Rewards of trades that are confirmed but not finalized: shown, never claimable. The row is deleted when the trade is
 * finalized (and booked in the ledger) or dropped.
 */
export const pendingRewards = pgTable(
  'pending_rewards',
  {
    recordId: bigint({ mode: 'bigint' }).notNull(),
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
