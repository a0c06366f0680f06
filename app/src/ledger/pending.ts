// Rewards of trades that are confirmed, and that a reorg can still drop: shown, never claimable.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { column } from '../db/statements.js';
import type { SourceKind } from './accounts.js';

/** Deletes the pending rewards of trades that are final or dropped. */
export async function deletePending(
  tx: Transaction,
  origin: SourceKind,
  ids: readonly bigint[],
): Promise<void> {
  await tx.execute(
    sql`delete from pending_rewards where record_id = any(${column(ids, 'bigint')}) and origin = ${origin}`,
  );
}
