// Volume rewards: the creator's share of the platform fee of each trade on a curve. Called by the indexer.
import { sql } from 'drizzle-orm';
import { statement, type Database, type Transaction } from '../../db/database.js';
import { rangeOf, type IdRange } from '../../db/statements.js';
import type { IndexHooks } from '../../index/hooks.js';
import { newestIndexedSlot } from '../../index/store/state.js';
import { volumeCredit, volumeShow } from '../functions.js';

/** How often what is shown is summed anew. */
const SHOWN_ANEW_MS = 60_000;

/**
 * Hooks that show a share while its trade is only confirmed, and credit it when the trade is final: `market/sql` says to whom, and
 * how much. Without a share, now and before, they do nothing.
 *
 * @param shareBps of the fee, in basis points; a change counts for trades of later slots
 */
export function volumeHooks(shareBps: number): IndexHooks {
  let isOn = false;
  // An earlier build may have left what is shown in another form, and a choice that is stored beside a batch is not seen by it.
  let nextAnew = 0;
  const show = async (tx: Transaction, confirmed?: IdRange) => {
    if (!isOn) return;
    const isAnew = confirmed === undefined || Date.now() >= nextAnew;
    await tx.execute(sql`select ${volumeShow(isAnew ? { first: null, last: null } : confirmed)}`);
    if (isAnew) nextAnew = Date.now() + SHOWN_ANEW_MS;
  };
  return {
    onBegin: async (database, newestSlot) => {
      isOn = await keepRate(database, shareBps, newestSlot);
    },
    onConfirmedTrades: (tx, trades) => show(tx, rangeOf(trades)),
    onFinalized: async (tx, range, confirmedTo = 0n) => {
      if (isOn) await tx.execute(sql`select ${volumeCredit({ ...range, shownTo: confirmedTo })}`);
    },
    onDropped: (tx) => show(tx),
  };
}

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
