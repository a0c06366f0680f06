// Settlements of the community storages, and transactions signed with the authorities' keys. Each transaction is stored
// before it is sent, so that a crash at any point can be repaired.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature, sum } from './columns.js';

/**
 * State of a settlement. `sampling`: its period runs and the holders are sampled several times. `planned`: parts and
 * credits are fixed. `paid`: its transaction is finalized and the wallets are being credited. `done`: all wallets are
 * credited. `failed`: its transaction failed and nothing moved. `abandoned`: its period ended with nothing to take.
 */
export const SETTLEMENT_STATES = ['sampling', 'planned', 'paid', 'done', 'failed', 'abandoned'] as const;
/** State of a stored transaction. Every state except the first is final. */
export const TRANSACTION_STATES = ['signed', 'finalized', 'failed', 'expired'] as const;

/**
 * Settlements: the amounts taken from the two storages, and the parts that each amount is split into. Lamports and token
 * units.
 */
export const settlements = pgTable(
  'settlements',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    mint: address().notNull(),
    state: text({ enum: SETTLEMENT_STATES }).notNull().default('sampling'),
    /** Null when it receives nothing. */
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
    /**
     * The amount of the creator's part that is paid to the treasury and credited, because the creator has no account for
     * it.
     */
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
    /** SHA-256 of the seed, in hex, public from the start of the period. Null when the holders have no part. */
    seedHash: text(),
    /** The seed in hex, which decides the times of the samples. Null until the period is over. */
    seed: text(),
    startedAt: moment(),
    /** Finalized slot of the storages' balances when the period began. */
    startedSlot: bigint({ mode: 'number' }),
    /** Length of the period in milliseconds. */
    periodMs: bigint({ mode: 'number' }).notNull().default(0),
    /** Number of samples of the holders in the period. */
    samples: integer().notNull().default(0),
    /** Value of both storages in lamports when the period began. */
    value: sum()
      .notNull()
      .default(sql`0`),
    /** Whether the DEX owner pays for the creator's token account. */
    opensCreatorAccount: boolean().notNull().default(false),
    /** Finalized slot of the last sample; null when the holders have no part. */
    snapshotSlot: bigint({ mode: 'number' }),
    /** Number of wallets in any sample, and the token units they held, summed over all samples. */
    holders: integer().notNull().default(0),
    held: sum()
      .notNull()
      .default(sql`0`),
    /** Signature of the finalized transaction that paid the parts. */
    signature: signature(),
    /** In state `paid`: the last wallet whose credit is booked, and the lamports booked so far. */
    creditedThrough: address(),
    solCredited: amount()
      .notNull()
      .default(sql`0`),
    /** Why it failed. */
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // One open settlement per token.
    uniqueIndex('settlements_open')
      .on(table.mint)
      .where(sql`${table.state} in ('sampling', 'planned', 'paid')`),
    index('settlements_under_way')
      .on(table.id)
      .where(sql`${table.state} in ('sampling', 'planned', 'paid')`),
    index('settlements_of_mint').on(table.mint, table.id),
    check(
      'settlements_state',
      sql`${table.state} in ('sampling', 'planned', 'paid', 'done', 'failed', 'abandoned')`,
    ),
    check('settlements_sol', sql`${table.sol} = ${table.solHolders} + ${table.solLp} + ${table.solCreator}`),
    check(
      'settlements_token',
      sql`${table.token} = ${table.tokenBurned} + ${table.tokenHolders} + ${table.tokenLp} + ${table.tokenCreator}`,
    ),
    check('settlements_done', sql`(${table.state} in ('paid', 'done')) = (${table.signature} is not null)`),
  ],
);

/** Seeds of running periods. Separate from the settlements, so that no response or log reveals a seed by accident. */
export const settlementSeeds = pgTable('settlement_seeds', {
  settlementId: bigint({ mode: 'number' })
    .primaryKey()
    .references(() => settlements.id),
  /** 32 bytes in hex. */
  seed: text().notNull(),
});

/** Samples of a token's holders. A finished sample stays. Its balances are deleted when the settlement is planned. */
export const settlementSamples = pgTable(
  'settlement_samples',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    /** Number of the part of the period, from 0. */
    index: integer().notNull(),
    /** Finalized slot of the balances; null while the sample is being read. */
    slot: bigint({ mode: 'number' }),
    /** Time of the request to the RPC node. */
    takenAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex('settlement_samples_once')
      .on(table.settlementId, table.index)
      .where(sql`${table.slot} is not null`),
    index('settlement_samples_of_settlement').on(table.settlementId),
  ],
);

/** Raw balances of a sample, some thousand token accounts per row. */
export const settlementSampleChunks = pgTable(
  'settlement_sample_chunks',
  {
    sampleId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlementSamples.id, { onDelete: 'cascade' }),
    chunk: integer().notNull(),
    wallets: text().array().notNull(),
    balances: numeric().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sampleId, table.chunk] })],
);

/** Time of the last pass over all storages, one row. */
export const settlementPasses = pgTable(
  'settlement_passes',
  { id: smallint().primaryKey().default(1), passedAt: moment().notNull() },
  (table) => [check('settlement_passes_single', sql`${table.id} = 1`)],
);

/** Token accounts that the platform has paid for, or will pay for, per owner. It never pays for the same account again. */
export const openedAccounts = pgTable(
  'opened_accounts',
  {
    owner: address().notNull(),
    mint: address().notNull(),
    /** The purpose: `settlement:ID`. */
    subject: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.mint] })],
);

/** Weights of a token's holders while a settlement is being planned. */
export const settlementHolders = pgTable(
  'settlement_holders',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    wallet: address().notNull(),
    /** Token units in all accounts of the wallet, summed over the samples. */
    balance: sum().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.wallet] })],
);

/** The credits of a settlement per wallet. They are booked once it is paid. */
export const settlementCredits = pgTable(
  'settlement_credits',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => settlements.id),
    wallet: address().notNull(),
    /** Token units held, summed over the samples. 0 for a creator who held none. */
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
    /** The purpose: `settlement:ID` or `migration:MINT`. */
    subject: text().notNull(),
    /** The signed transaction as it is sent, in base64. */
    transaction: text().notNull(),
    /** Slot at which the transaction's blockhash was read. Null for transactions signed before the slot was stored. */
    blockhashSlot: bigint({ mode: 'number' }),
    lastValidBlockHeight: bigint({ mode: 'number' }).notNull(),
    state: text({ enum: TRANSACTION_STATES }).notNull().default('signed'),
    /** Why it failed. */
    problem: text(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    // The database also enforces this: no new transaction while an earlier one may still land.
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
