// What the treasury owes. Claims, `curvekit doctor` and the cover of referral rewards use the same functions of the database.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import { settlementsOwed } from './functions.js';

/**
 * Lamports that the treasury owes, judged by its finalized balance of a slot: for settlements that can be in the balance, and to
 * partners from fees that it has.
 */
export async function owedByTreasury(db: Executor, slot: number): Promise<bigint> {
  const [row] = await rowsOf<{ owed: string }>(
    db,
    sql`select (${settlementsOwed({ slot })} + greatest(referral_cover, 0))::text as owed
        from treasury where asset = 'SOL'`,
  );
  return BigInt(row?.owed ?? 0);
}
