// Settlements of the community storages, step by step, so that a crash at any point can be repaired.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature } from './columns.js';

/** Where a settlement stands. */
export const SETTLEMENT_STATES = ['open', 'done'] as const;
/** Where a step's transaction stands. */
export const STEP_STATES = ['signed', 'finalized', 'failed', 'expired'] as const;

/** Settlements: what was taken from the two storages, and the parts it was split into. Lamports and token units. */
export const settlements = pgTable(
  'settlements',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    mint: address().notNull(),
    state: text({ enum: SETTLEMENT_STATES }).notNull().default('open'),
    sol: amount().notNull(),
    solHolders: amount().notNull(),
    solLp: amount().notNull(),
    /** The creator's own part and the burn share. */
    solCreator: amount().notNull(),
    token: amount().notNull(),
    tokenBurned: amount().notNull(),
    tokenHolders: amount().notNull(),
    tokenLp: amount().notNull(),
    tokenCreator: amount().notNull(),
    /** Finalized slot whose balances decide the holders' parts. */
    snapshotSlot: bigint({ mode: 'number' }),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('settlements_open')
      .on(table.mint)
      .where(sql`${table.state} = 'open'`),
    index('settlements_of_mint').on(table.mint, table.id),
  ],
);

/** Transactions of a settlement, stored before they are sent. */
export const settlementSteps = pgTable(
  'settlement_steps',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    step: text().notNull(),
    /** Counts the attempts at this step. */
    attempt: integer().notNull(),
    signature: signature().notNull(),
    /** As sent: base64. */
    transaction: text().notNull(),
    lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: STEP_STATES }).notNull().default('signed'),
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.settlementId, table.step, table.attempt] }),
    uniqueIndex('settlement_steps_signature').on(table.signature),
  ],
);

/** What each holder was credited by a settlement. */
export const settlementCredits = pgTable(
  'settlement_credits',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    wallet: address().notNull(),
    /** Token units held at the snapshot. */
    balance: amount().notNull(),
    /** Lamports credited. */
    sol: amount().notNull(),
    /** Token units credited. */
    token: amount().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.wallet] })],
);
