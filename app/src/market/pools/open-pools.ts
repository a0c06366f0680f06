// The pools that graduations have opened.
import { sql } from 'drizzle-orm';
import { rowsOf, statement, type Executor, type Transaction } from '../../db/database.js';

export interface OpenPool {
  readonly mint: string;
  readonly pool: string;
  /** Id of the graduation's record. It changes when a reorg replaces the record. */
  readonly recordId: bigint;
  readonly opened: { readonly signature: string; readonly slot: number };
  /** Initial reserves. Lamports and token base units. */
  readonly sol: bigint;
  readonly token: bigint;
}

/** Pools whose graduation record is newer than `after`, oldest first, at most `limit`. */
export async function poolsOpenedAfter(db: Executor, after: bigint, limit: number): Promise<OpenPool[]> {
  const rows = await rowsOf<Record<'id' | 'mint' | 'pool' | 'signature' | 'slot' | 'sol' | 'token', string>>(
    db,
    // Within the join the planner would read all graduations.
    sql`select g.record_id::text as id, g.mint, g.pool, r.signature, r.slot::text as slot, g.pool_sol::text as sol,
          g.pool_token::text as token
        from (
          select * from graduations where record_id > ${String(after)}::bigint order by record_id limit ${limit}::integer
        ) g join other_records r on r.id = g.record_id order by g.record_id`,
  );
  return rows.map(({ id, mint, pool, signature, slot, sol, token }) => ({
    mint,
    pool,
    recordId: BigInt(id),
    opened: { signature, slot: Number(slot) },
    sol: BigInt(sol),
    token: BigInt(token),
  }));
}

/** Whether the graduation is still indexed. Locks it until the transaction ends. */
export async function keepOpen(tx: Transaction, { recordId }: OpenPool): Promise<boolean> {
  const rows = await statement(tx)`
    select 1 from graduations where record_id = ${String(recordId)}::bigint for key share`;
  return rows.length > 0;
}
