// Rewards of trades that are confirmed, and that a reorg can still drop: shown, never claimable.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { within, type IdRange } from '../db/statements.js';
import type { SourceKind } from './accounts.js';

/** Deletes the pending rewards of trades that are final or dropped. */
export async function deletePending(tx: Transaction, origin: SourceKind, ids: IdRange): Promise<void> {
  await tx.execute(sql`delete from pending_rewards where ${within('record_id', ids)} and origin = ${origin}`);
}
