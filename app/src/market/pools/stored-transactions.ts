// The transactions of a pool whose trades are stored.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../../db/database.js';
import { idOf, isFinal } from '../../index/trades/trade.js';

/** Tradable reserves of a pool. Lamports and token base units. */
export interface Reserves {
  readonly sol: bigint;
  readonly token: bigint;
}

/** A transaction with trades of one pool. */
export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly finalized: boolean;
  readonly firstId: bigint;
  /** Reserves after its last trade. */
  readonly after: Reserves;
}

/** The newest finalized transaction of a pool, and all unfinalized ones, oldest first. */
export async function storedTransactions(db: Executor, mint: string): Promise<StoredTransaction[]> {
  const ofMint = sql`mint_id = ${idOf(sql`${mint}`)}`;
  const rows = await rowsOf<
    Record<'signature' | 'slot' | 'first' | 'sol' | 'token', string> & { readonly finalized: boolean }
  >(
    db,
    sql`select signature, slot::text as slot, finalized, min(id)::text as first,
          (array_agg(virtual_sol::text order by id desc))[1] as sol,
          (array_agg(virtual_token::text order by id desc))[1] as token
        from (
          select *, ${isFinal('trades.id')} as finalized from trades where ${ofMint} and venue = 'pool' and id >= coalesce((
            select id from trades where ${ofMint} and venue = 'pool' and ${isFinal('trades.id')} order by id desc limit 1
          ), 0)
        ) newest
        group by signature, slot, finalized order by min(id)`,
  );
  return rows.map(({ signature, slot, finalized, first, sol, token }) => ({
    signature,
    slot: Number(slot),
    finalized,
    firstId: BigInt(first),
    after: { sol: BigInt(sol), token: BigInt(token) },
  }));
}

/** Transactions of a slot that have finalized trades of a pool. */
export async function finalSignatures(db: Executor, mint: string, slot: number): Promise<Set<string>> {
  const rows = await rowsOf<{ signature: string }>(
    db,
    sql`select distinct signature from trades
        where mint_id = ${idOf(sql`${mint}`)} and venue = 'pool' and slot = ${slot} and ${isFinal('trades.id')}`,
  );
  return new Set(rows.map(({ signature }) => signature));
}
