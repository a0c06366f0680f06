// What the chain's payments are reconciled with: the gate that holds payments back, and what was found on chain.
import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { address, amount, moment, signature } from './columns.js';
import { settlements } from './settlement.js';

/** Keys whose transactions pay wallets. */
export const WATCH_ROLES = ['treasury', 'dex owner'] as const;
/** What a transaction signed by such a key is. */
export const FINDING_KINDS = ['claim', 'settlement', 'funding', 'other'] as const;
/**
 * `open`: a payment that cannot be booked, which holds all others. `booked`: a payment that the tables lacked. `accepted`:
 * left unbooked on the operator's word. `other`: not a payment of the service.
 */
export const FINDING_STATES = ['open', 'booked', 'accepted', 'other'] as const;

/** One row. Payments may be made when `payments_held()` is null. */
export const paymentsGate = pgTable(
  'payments_gate',
  {
    id: smallint().primaryKey().default(1),
    /** The `database_incarnation()` that is reconciled. */
    incarnation: text(),
    reconciledAt: moment(),
    /** Every payment up to this finalized slot is accounted for. */
    reconciledSlot: bigint({ mode: 'number' }),
    /** What an operator must do first, in one line. */
    held: text(),
    /** The incarnation that is being reconciled. */
    waitingIncarnation: text(),
    /** Finalized block height from which on no transaction signed before the restore can land. */
    waitingHeight: bigint({ mode: 'number' }),
    /** How far reconciling has got, in one line. */
    progress: text(),
  },
  (table) => [check('payments_gate_single', sql`${table.id} = 1`)],
);

/** Addresses whose transactions are read, and how far. */
export const paymentWatches = pgTable(
  'payment_watches',
  {
    address: address().primaryKey(),
    role: text({ enum: WATCH_ROLES }).notNull(),
    /** The newest transaction that is accounted for. */
    signature: signature(),
    /** Every transaction up to this finalized slot is accounted for; null before the first look. */
    slot: bigint({ mode: 'number' }),
  },
  (table) => [check('payment_watches_role', sql`${table.role} in ('treasury', 'dex owner')`)],
);

/** Transactions signed by a watched address that the tables lacked. */
export const paymentFindings = pgTable(
  'payment_findings',
  {
    signature: signature().primaryKey(),
    slot: bigint({ mode: 'number' }).notNull(),
    kind: text({ enum: FINDING_KINDS }).notNull(),
    state: text({ enum: FINDING_STATES }).notNull(),
    /** What it is, what was done, or why it cannot be booked. */
    detail: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    index('payment_findings_open')
      .on(table.slot)
      .where(sql`${table.state} = 'open'`),
    check('payment_findings_kind', sql`${table.kind} in ('claim', 'settlement', 'funding', 'other')`),
    check('payment_findings_state', sql`${table.state} in ('open', 'booked', 'accepted', 'other')`),
  ],
);

/** Settlements that were found on chain: their holders' parts, which are yet to be divided. */
export const recoveredSettlements = pgTable(
  'recovered_settlements',
  {
    settlementId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => settlements.id),
    mint: address().notNull(),
    /** Slot of the transaction that paid it. */
    slot: bigint({ mode: 'number' }).notNull(),
    /** The holders' parts: lamports and token units. */
    sol: amount().notNull(),
    token: amount().notNull(),
    /** What nobody has been credited or paid yet. */
    solLeft: amount().notNull(),
    tokenLeft: amount().notNull(),
  },
  (table) => [
    index('recovered_settlements_left')
      .on(table.mint, table.settlementId)
      .where(sql`${table.solLeft} > 0 or ${table.tokenLeft} > 0`),
    check('recovered_settlements_sol', sql`${table.solLeft} between 0 and ${table.sol}`),
    check('recovered_settlements_token', sql`${table.tokenLeft} between 0 and ${table.token}`),
  ],
);

/** Claims found on chain that were paid out of a recovered settlement. */
export const recoveredPayments = pgTable(
  'recovered_payments',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => recoveredSettlements.settlementId),
    /** Of the claim. */
    signature: signature().notNull(),
    wallet: address().notNull(),
    sol: amount().notNull(),
    token: amount().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.signature] })],
);
