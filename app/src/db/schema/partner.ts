// Partners, their keys, and the users they registered.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature, sum } from './columns.js';
import { SCOPES } from './scopes.js';

/** Services that register users. */
export const partners = pgTable(
  'partners',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    name: text().notNull(),
    /** Receives the referral rewards. */
    payoutWallet: address().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [uniqueIndex('partners_name').on(table.name)],
);

/** API keys. The secret itself is never stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    /** The public part of the key, which may appear in logs. */
    id: text().primaryKey(),
    partnerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => partners.id),
    /** SHA-256 of the secret in hex. */
    secretHash: text().notNull(),
    scopes: text({ enum: SCOPES }).array().notNull(),
    /** Requests per window, counted by key. Null: the limit of the client's address applies. */
    requestLimit: integer(),
    expiresAt: moment(),
    revokedAt: moment(),
    /** Id of the key that replaced this one at a rotation. */
    replacedBy: text(),
    lastUsedAt: moment(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    index('api_keys_of_partner').on(table.partnerId),
    index('api_keys_with_limit')
      .on(table.id)
      .where(sql`${table.requestLimit} is not null and ${table.revokedAt} is null`),
    check('api_keys_request_limit', sql`${table.requestLimit} > 0`),
  ],
);

/** Messages that the service issued for users to sign. */
export const registrationNonces = pgTable(
  'registration_nonces',
  {
    nonce: text().primaryKey(),
    partnerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => partners.id),
    message: text().notNull(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [index('registration_nonces_expiry').on(table.expiresAt)],
);

/**
 * Registered users, with totals of their finalized trades since. A user belongs to the partner that registered it first.
 */
export const partnerUsers = pgTable(
  'partner_users',
  {
    wallet: address().primaryKey(),
    partnerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => partners.id),
    /** The user's signature of the registration message. */
    signature: signature().notNull(),
    registeredAt: moment().notNull().defaultNow(),
    /** The cluster's slot at registration. Only trades of later slots count. */
    registeredSlot: bigint({ mode: 'number' }).notNull(),
    trades: bigint({ mode: 'number' }).notNull().default(0),
    /** Lamports paid and received. */
    volumeSol: sum()
      .notNull()
      .default(sql`0`),
    /** Platform fees in lamports. */
    feesSol: sum()
      .notNull()
      .default(sql`0`),
    /** Referral rewards in lamports. */
    rewardSol: sum()
      .notNull()
      .default(sql`0`),
  },
  (table) => [index('partner_users_page').on(table.partnerId, table.registeredAt, table.wallet)],
);

/** Totals of each partner's users, kept by triggers. Lamports. */
export const partnerTotals = pgTable('partner_totals', {
  partnerId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => partners.id),
  users: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  trades: bigint({ mode: 'bigint' })
    .notNull()
    .default(sql`0`),
  volumeSol: sum()
    .notNull()
    .default(sql`0`),
  feesSol: sum()
    .notNull()
    .default(sql`0`),
  rewardSol: sum()
    .notNull()
    .default(sql`0`),
});

/** Referral rewards, one per trade. They survive a reindex, so that it credits nothing twice. */
export const referralRewards = pgTable(
  'referral_rewards',
  {
    signature: signature().notNull(),
    outer: smallint().notNull(),
    inner: smallint().notNull(),
    partnerId: bigint({ mode: 'number' })
      .notNull()
      .references(() => partners.id),
    /** The user who traded. */
    user: address().notNull(),
    payoutWallet: address().notNull(),
    mint: address().notNull(),
    /** Platform fee in lamports. */
    fee: amount().notNull(),
    shareBps: integer().notNull(),
    /** Lamports credited. */
    reward: amount().notNull(),
  },
  (table) => [
    uniqueIndex('referral_rewards_once').on(table.signature, table.outer, table.inner),
    index('referral_rewards_of_partner').on(table.partnerId),
  ],
);
