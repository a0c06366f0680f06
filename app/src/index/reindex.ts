import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.js';

/**
 * Deletes everything derived from the chain, so that the indexer reads the program's history again. Rewards, claims, partners
 * and fetched metadata stay, and no trade is credited twice. A running indexer notices and starts over. Until it has finished,
 * reads are incomplete and `/ready` says so.
 */
export async function reindex(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // Updates this row first: a running indexer has either written before, or will find that it is deposed.
    await tx.execute(sql`
      update indexer_state set version = version + 1, signature = null, slot = null, scanned_slot = null,
        listed_to = null, listed = false, held = null, mismatched_curves = 0,
        updated_at = now()
    `);
    await tx.execute(
      sql`truncate other_records, unfinalized, tokens, trade_rows, curve_migrations, graduations, curve_states, pending_rewards, indexer_backlog, indexer_anchors,
            unreadable_transactions, market_tokens, token_terms, token_names, candles, candle_hours, candle_days, position_rows`,
    );
    await tx.execute(sql`update market_state set rolled_to = 0, minutes_from = 0`);
  });
}
