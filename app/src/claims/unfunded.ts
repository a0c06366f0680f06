// Referral rewards that no fees in the treasury back yet.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { creditsOwed } from '../ledger/functions.js';

/** Lamports. */
export interface ReferralFees {
  /** Credited referral rewards that no fees in the treasury back. They cannot be claimed yet. */
  readonly unfunded: bigint;
  /** Fees moved to the treasury that back no reward. The operator may have withdrawn or spent them. */
  readonly surplus: bigint;
}

export async function readReferralFees(db: Executor): Promise<ReferralFees> {
  const [row] = await rowsOf<{ unfunded: string; surplus: string }>(
    db,
    sql`select greatest(${creditsOwed({ origin: 'referral' })} - referral_cover, 0)::text as unfunded,
          (referral_funded - referral_settled - referral_cover)::text as surplus
        from treasury where asset = 'SOL'`,
  );
  return { unfunded: BigInt(row?.unfunded ?? 0), surplus: BigInt(row?.surplus ?? 0) };
}

/** Lamports of credited referral rewards that no fees in the treasury back. */
export async function unfundedReferrals(db: Executor): Promise<bigint> {
  return (await readReferralFees(db)).unfunded;
}
