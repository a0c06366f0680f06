import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.js';

/**
 * Forgets everything that was derived from the chain, so that the indexer reads the program's whole history anew. Rewards,
 * claims, partners and fetched metadata stay: what was credited for a trade once is not credited again. An indexer that is
 * running notices and begins from the start; until it is through, reads are incomplete and `/ready` says so.
 */
export async function reindex(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // First, and by the same row: a running indexer either has written before, or will find that it is deposed.
    await tx.execute(sql`
      update indexer_state set version = version + 1, signature = null, slot = null, scanned_slot = null,
        listed_to = null, listed = false, held = null, mismatched_curves = 0,
        updated_at = now()
    `);
    await tx.execute(
      sql`truncate records, tokens, trades, curve_migrations, curve_states, pending_rewards, indexer_backlog, indexer_anchors,
            unreadable_transactions`,
    );
  });
}
