// Removes trades of pools that were on a lost fork, from everything that was booked of them.
import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../../db/database.js';
import { takeBack } from './take-back.js';

/** Removes a pool's trades from one on, whose fork was lost. @returns how many */
export async function dropPoolTrades(tx: Transaction, mint: string, firstId: bigint): Promise<number> {
  const done = await takeBack(tx, { of: 'pool_trades', mint, firstId });
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`with gone as (
          delete from pool_trades where mint = ${mint} and id >= ${String(firstId)}::bigint and not finalized returning 1
        ) select count(*)::integer as count from gone`,
  );
  await done();
  return row!.count;
}

/** Removes the trades of pools whose graduation is about to go, and keeps others from being stored until the transaction ends. */
export async function dropTradesOfLostPools(tx: Transaction, firstRecordId: bigint): Promise<void> {
  const lost = await rowsOf<{ mint: string }>(
    tx,
    sql`select mint from graduations where record_id >= ${String(firstRecordId)}::bigint for update`,
  );
  for (const { mint } of lost) await dropPoolTrades(tx, mint, 0n);
}
