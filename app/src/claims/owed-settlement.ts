// What the treasury owes for settlements. Claims, `curvekit doctor` and the cover of referral rewards use the same sum.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { owedLamports } from '../ledger/totals.js';

/**
 * Lamports, as an SQL expression: credited and not paid yet, those of open settlements, whose lamports can arrive before the
 * credits are booked, and those of settlements recovered from the chain.
 */
export const OWED_SETTLEMENT = sql`(${owedLamports('settlement')}
  + (select coalesce(sum(sol_holders + sol_creator_credited - sol_credited), 0) from settlements
    where state in ('planned', 'paid'))
  + (select coalesce(sum(sol_left), 0) from recovered_settlements))`;

/** Lamports that the treasury owes: for settlements, and to partners from fees that it has. */
export async function owedByTreasury(db: Executor): Promise<bigint> {
  const [row] = await rowsOf<{ owed: string }>(
    db,
    sql`select (${OWED_SETTLEMENT} + greatest(referral_cover, 0))::text as owed from treasury where asset = 'SOL'`,
  );
  return BigInt(row?.owed ?? 0);
}
