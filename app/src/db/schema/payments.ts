// Reconciliation of payments with the chain: the gate that can hold payments, and the transactions found on chain.
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { address, amount, moment, signature } from './columns.js';
import { settlements } from './settlement.js';

/** Keys whose transactions pay wallets. */
export const WATCH_ROLES = ['treasury', 'dex owner'] as const;
/** Kinds of transactions that such a key has signed. */
export const FINDING_KINDS = ['claim', 'settlement', 'funding', 'other'] as const;
/**
 * `open`: a payment that cannot be booked; it holds all others. `booked`: a payment that was missing in the tables.
 * `accepted`: the operator accepted that it stays unbooked. `other`: not a payment of the service. `unreadable`: of a
 * transaction version that cannot be read yet, so not a payment of the service.
 */
export const FINDING_STATES = ['open', 'booked', 'accepted', 'other', 'unreadable'] as const;

/** One row. Payments are open when `payments_held()` returns null. */
export const paymentsGate = pgTable(
  'payments_gate',
  {
    id: smallint().primaryKey().default(1),
    /** The reconciled `database_incarnation()`. */
    incarnation: text(),
    reconciledAt: moment(),
    /** Every payment up to this finalized slot is booked or accepted. */
    reconciledSlot: bigint({ mode: 'number' }),
    /** What the operator must do before payments can open, in one line. */
    held: text(),
    /** The incarnation that is being reconciled. */
    waitingIncarnation: text(),
    /** Finalized block height at which every transaction signed before the restore has expired. */
    waitingHeight: bigint({ mode: 'number' }),
    /** Progress of the reconciliation, in one line. */
    progress: text(),
    /** Listed transactions that are still to be read; null when all are read. */
    unread: bigint({ mode: 'number' }),
  },
  (table) => [check('payments_gate_single', sql`${table.id} = 1`)],
);

/** Which database pays from a treasury, as this one knows: docs/decisions/one-payer.md. */
export const payerMarks = pgTable('payer_marks', {
  treasury: address().primaryKey(),
  /** The mark that this database has on chain, or was about to write. */
  mark: address(),
  /** What stood there before; null when there was no account. */
  previous: address(),
  /** The finalized height from which on claims may be signed; null until the mark was seen on chain. */
  opensAt: bigint({ mode: 'number' }),
  /** The highest `last_valid_block_height` of a claim that may be signed; null while none may be. */
  validTo: bigint({ mode: 'number' }),
  /** Why payments wait, in one line. */
  held: text(),
  /** Whether another database has taken over. */
  isLost: boolean().notNull().default(false),
});

/** Addresses whose transactions are read, in each role that they had, and the progress of each. */
export const paymentWatches = pgTable(
  'payment_watches',
  {
    address: address().notNull(),
    role: text({ enum: WATCH_ROLES }).notNull(),
    /** The newest transaction that was processed. */
    signature: signature(),
    /** Every transaction up to this finalized slot was processed; null before the first pass. */
    slot: bigint({ mode: 'number' }),
    /** Every transaction up to this slot was set aside or is in `payment_unread`, and the newest of them. */
    listedSlot: bigint({ mode: 'number' }),
    listedSignature: signature(),
    /** `listed_slot` and `listed_signature` when the listing in progress ends; null without one. */
    listingSlot: bigint({ mode: 'number' }),
    listingSignature: signature(),
    /** The oldest transaction listed so far: the listing goes from new to old and continues here. */
    listingBefore: signature(),
  },
  (table) => [
    primaryKey({ columns: [table.address, table.role] }),
    check('payment_watches_role', sql`${table.role} in ('treasury', 'dex owner')`),
  ],
);

/** Transactions with a watched address that are listed and not processed yet. Progress of a long reading. */
export const paymentUnread = pgTable(
  'payment_unread',
  {
    /** In the order of the listing: within a slot, newer transactions have smaller numbers. */
    id: bigserial({ mode: 'number' }).primaryKey(),
    signature: signature().notNull().unique('payment_unread_signature'),
    slot: bigint({ mode: 'number' }).notNull(),
    /** Whether it was read and can be a payment of the service. Other read transactions are deleted. */
    isOwn: boolean().notNull().default(false),
  },
  (table) => [index('payment_unread_order').on(table.isOwn, table.slot)],
);

/** Transactions signed by a watched address that are missing in the tables. */
export const paymentFindings = pgTable(
  'payment_findings',
  {
    signature: signature().primaryKey(),
    slot: bigint({ mode: 'number' }).notNull(),
    kind: text({ enum: FINDING_KINDS }).notNull(),
    state: text({ enum: FINDING_STATES }).notNull(),
    /** What the transaction is, what was done, or why it cannot be booked. */
    detail: text().notNull(),
    createdAt: moment().notNull().defaultNow(),
    updatedAt: moment().notNull().defaultNow(),
  },
  (table) => [
    index('payment_findings_open')
      .on(table.slot)
      .where(sql`${table.state} = 'open'`),
    index('payment_findings_unreadable')
      .on(table.slot)
      .where(sql`${table.state} = 'unreadable'`),
    check('payment_findings_kind', sql`${table.kind} in ('claim', 'settlement', 'funding', 'other')`),
    check(
      'payment_findings_state',
      sql`${table.state} in ('open', 'booked', 'accepted', 'other', 'unreadable')`,
    ),
  ],
);

/** Settlements found on chain, with the holders' parts that are still to be divided. */
export const recoveredSettlements = pgTable(
  'recovered_settlements',
  {
    settlementId: bigint({ mode: 'number' })
      .primaryKey()
      .references(() => settlements.id),
    mint: address().notNull(),
    /** Slot of the transaction that paid the settlement. */
    slot: bigint({ mode: 'number' }).notNull(),
    /** The holders' parts: lamports and token units. */
    sol: amount().notNull(),
    token: amount().notNull(),
    /** The rest that is not credited or paid to a wallet yet. */
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

/** Claims found on chain that a recovered settlement paid. */
export const recoveredPayments = pgTable(
  'recovered_payments',
  {
    settlementId: bigint({ mode: 'number' })
      .notNull()
      .references(() => recoveredSettlements.settlementId),
    /** Signature of the claim. */
    signature: signature().notNull(),
    wallet: address().notNull(),
    sol: amount().notNull(),
    token: amount().notNull(),
  },
  (table) => [primaryKey({ columns: [table.settlementId, table.signature] })],
);
