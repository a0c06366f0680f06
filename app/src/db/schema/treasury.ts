// Amounts that open claims take from the treasury, and fees moved to it. The functions in `claims/sql` keep
// them, so that checking a claim needs no sums.
import { sql } from 'drizzle-orm';
import { bigint, check, pgTable, text } from 'drizzle-orm/pg-core';
import { address, amount, moment, signature, sum } from './columns.js';

const zero = sql`0`;

/** A row with asset `SOL`, and one per claimed token, whose asset is its mint. */
export const treasury = pgTable(
  'treasury',
  {
    asset: address().primaryKey(),
    /** Reserved by claims in progress, without referral rewards. */
    reserved: sum().notNull().default(zero),
    /** Lamports that token claims in progress take for network fees and rent. */
    costs: sum().notNull().default(zero),
    /** Lamports of fees moved to the treasury, and the referral rewards that claims have reserved and been paid. */
    referralFunded: sum().notNull().default(zero),
    referralReserved: sum().notNull().default(zero),
    referralSettled: sum().notNull().default(zero),
    /**
     * Lamports of these fees that only referral rewards may use: at most what partners are owed. Negative when rewards were
     * paid that no fees backed.
     */
    referralCover: sum().notNull().default(zero),
    /**
     * The newest balance of which lamports were used that may be fees not booked yet. Fees of an earlier slot raise the
     * cover only when another balance shows them.
     */
    spentSlot: bigint({ mode: 'number' }).notNull().default(0),
    /** The newest slot with a payment. A balance of an older slot does not include it. */
    settledSlot: bigint({ mode: 'number' }).notNull().default(0),
  },
  (table) => [
    check(
      'treasury_signs',
      sql`${table.reserved} >= 0 and ${table.costs} >= 0 and ${table.referralReserved} >= 0 and ${table.referralSettled} >= 0`,
    ),
    check(
      'treasury_cover',
      sql`${table.referralCover} <= ${table.referralFunded} - ${table.referralSettled}`,
    ),
  ],
);

/** Fees moved to the treasury. */
export const treasuryFundings = pgTable(
  'treasury_fundings',
  {
    signature: signature().primaryKey(),
    origin: text({ enum: ['referral'] }).notNull(),
    /** Lamports. */
    amount: amount().notNull(),
    slot: bigint({ mode: 'number' }).notNull(),
    createdAt: moment().notNull().defaultNow(),
  },
  (table) => [
    check('treasury_fundings_origin', sql`${table.origin} in ('referral')`),
    check('treasury_fundings_amount', sql`${table.amount} > 0`),
  ],
);
