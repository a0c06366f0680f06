// Referral rewards whose fees are not in the treasury yet.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { readTotals } from '../ledger/totals.js';

/** Lamports of credited referral rewards whose fees have not been moved to the treasury. */
export async function unfundedReferrals(db: Executor): Promise<bigint> {
  const totals = await readTotals(db);
  const [row] = await rowsOf<{ left: string }>(
    db,
    sql`select (referral_funded - referral_settled)::text as left from treasury where asset = 'SOL'`,
  );
  const unfunded = totals.owed('SOL', 'referral') - BigInt(row?.left ?? 0);
  return unfunded > 0n ? unfunded : 0n;
}
