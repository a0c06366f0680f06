// Rewards of trades that are confirmed, and that a reorg can still drop: shown, never claimable.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import type { SourceKind } from './accounts.js';

/** Deletes the pending rewards of trades that are final, or dropped: then from an id on. */
export async function deletePending(
  tx: Transaction,
  origin: SourceKind,
  { first, last }: { readonly first: bigint; readonly last?: bigint },
): Promise<void> {
  const to = last === undefined ? sql`` : sql`and record_id <= ${String(last)}::bigint`;
  await tx.execute(
    sql`delete from pending_rewards where record_id >= ${String(first)}::bigint ${to} and origin = ${origin}`,
  );
}
