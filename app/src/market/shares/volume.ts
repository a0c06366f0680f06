// Volume rewards: the creator's share of the platform fee of each trade on a curve. Called by the indexer.
import { sql } from 'drizzle-orm';
import { column } from '../../db/statements.js';
import { statement, type Database, type Transaction } from '../../db/database.js';
import type { IndexHooks } from '../../index/hooks.js';
import { newestIndexedSlot } from '../../index/store/state.js';
import { deletePending } from '../../ledger/pending.js';
import { volumeCredit, volumeParts } from '../functions.js';

/**
 * Hooks that show a share while its trade is only confirmed, and credit it when the trade is final: `market/sql` says to whom, and
 * how much. Without a share, now and before, they do nothing.
 *
 * @param shareBps of the fee, in basis points; a change counts for trades of later slots
 */
export function volumeHooks(shareBps: number): IndexHooks {
  let isOn = false;
  return {
    onBegin: async (database, newestSlot) => {
      isOn = await keepRate(database, shareBps, newestSlot);
    },
    onConfirmedTrades: async (tx, trades) => {
      if (!isOn) return;
      const ids = idsOf(trades.map(({ id }) => id));
      await tx.execute(sql`insert into pending_rewards (record_id, wallet, mint, asset, amount, origin)
        select record_id, wallet, mint, 'SOL', amount, 'volume' from ${volumeParts({ ids })} on conflict do nothing`);
    },
    onFinalized: async (tx, ids) => {
      if (!isOn) return;
      await tx.execute(sql`select ${volumeCredit({ ids: idsOf(ids) })}`);
    },
    onDropped: async (tx, { trades }) => {
      if (!isOn) return;
      await deletePending(
        tx,
        'volume',
        trades.map(({ id }) => id),
      );
    },
  };
}

const idsOf = (ids: readonly bigint[]) => column(ids, 'bigint');

/** Keeps the rate from the next slot on, if it is another one than before. @returns whether there was ever a share */
async function keepRate(
  database: Database,
  shareBps: number,
  newestSlot: () => Promise<number>,
): Promise<boolean> {
  const [newest] = await statement<{ bps: number; ever: boolean }>(database.queries)`
    select share_bps as bps, bool_or(share_bps > 0) over () as ever from volume_rates order by from_slot desc limit 1`;
  if ((newest?.bps ?? 0) !== shareBps) {
    const told = await newestSlot();
    await database.transaction(async (tx: Transaction) => {
      // This node may lag behind the ones that the index was read from.
      const from = 1 + Math.max(told, await newestIndexedSlot(tx));
      await tx.execute(sql`insert into volume_rates (from_slot, share_bps) values (${from}, ${shareBps})
        on conflict (from_slot) do update set share_bps = excluded.share_bps`);
    });
  }
  return shareBps > 0 || newest?.ever === true;
}
