// Previews: records that are shown before they are finalized.
import { CurveStatus } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { column } from '../../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../../db/database.js';
import type { IndexedTrade } from '../hooks.js';

/** A transaction that has records in the tables. */
export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly finalized: boolean;
}

/** Which of these transactions have records. */
export async function storedAmong(
  db: Executor,
  signatures: readonly string[],
): Promise<Map<string, StoredTransaction>> {
  if (signatures.length === 0) return new Map();
  const rows = await rowsOf<{ signature: string; slot: string; finalized: boolean }>(
    db,
    sql`select distinct signature, slot::text as slot, finalized from records
        where signature = any(${column(signatures, 'text')})`,
  );
  return new Map(
    rows.map(({ signature, slot, finalized }) => [signature, { signature, slot: Number(slot), finalized }]),
  );
}

/** Limit: an RPC node can look up this many in a few calls. */
const MOST_FINALIZED = 1_024;

/** The newest transactions with finalized records that are newer than a slot, newest first. */
export async function finalizedSince(
  db: Executor,
  slot: number,
): Promise<Pick<StoredTransaction, 'signature' | 'slot'>[]> {
  const rows = await rowsOf<{ signature: string; slot: string }>(
    db,
    sql`select signature, slot::text as slot from (
          select signature, slot from records where finalized order by id desc limit ${MOST_FINALIZED}
        ) newest where slot > ${slot} group by signature, slot order by newest.slot desc`,
  );
  return rows.map((row) => ({ signature: row.signature, slot: Number(row.slot) }));
}

/** A transaction whose records are not finalized yet. */
export interface Preview {
  readonly signature: string;
  readonly slot: number;
  readonly firstId: bigint;
  readonly lastId: bigint;
}

/** Records read in addition to one per transaction, because a few transactions have several. */
const SPARE_RECORDS = 32;

/** The first `most` unfinalized transactions, in order. */
export async function loadPreviews(db: Executor, most: number): Promise<Preview[]> {
  const previews: (Preview & { lastId: bigint })[] = [];
  const page = most + SPARE_RECORDS;
  for (let after = 0n; ;) {
    const rows = await rowsOf<Record<'id' | 'signature' | 'slot', string>>(
      db,
      sql`select id::text as id, signature, slot::text as slot from records
          where not finalized and id > ${String(after)}::bigint order by records.id limit ${page}`,
    );
    for (const { id, signature, slot } of rows) {
      const previous = previews.at(-1);
      const lastId = BigInt(id);
      if (previous?.signature === signature) previous.lastId = lastId;
      else if (previews.length === most) return previews;
      else previews.push({ signature, slot: Number(slot), firstId: lastId, lastId });
      after = lastId;
    }
    if (rows.length < page) return previews;
  }
}

/** Finalizes the previews up to a record and deletes their pending rewards. @returns their trades */
export async function finalizePreviews(tx: Transaction, lastId: bigint): Promise<IndexedTrade[]> {
  const last = sql`${String(lastId)}::bigint`;
  await tx.execute(sql`delete from pending_rewards where record_id <= ${last}`);
  const rows = await rowsOf<Record<string, string | number | boolean>>(
    tx,
    sql`with final as (
          update records set finalized = true where not finalized and id <= ${last} returning *
        )
        select r.id::text as id, r.signature, r."outer" as o, r."inner" as i, r.slot::text as slot, t.mint, t.trader, t.is_buy,
          t.sol_amount::text as sol, t.token_amount::text as token, t.fee::text as fee, t.timestamp::text as timestamp
        from final r join trades t on t.record_id = r.id order by r.id`,
  );
  return rows.map((row) => ({
    recordId: BigInt(row['id'] as string),
    signature: row['signature'] as string,
    outer: row['o'] as number,
    inner: row['i'] as number,
    slot: Number(row['slot']),
    mint: row['mint'] as string,
    trader: row['trader'] as string,
    isBuy: row['is_buy'] as boolean,
    solAmount: BigInt(row['sol'] as string),
    tokenAmount: BigInt(row['token'] as string),
    fee: BigInt(row['fee'] as string),
    timestamp: Number(row['timestamp']),
  }));
}

/**
 * Deletes the previews from a record on, because a reorg dropped them. The curves return to the state after their last
 * remaining record.
 *
 * @returns how many records were deleted
 */
export async function dropPreviews(tx: Transaction, firstId: bigint): Promise<number> {
  const first = sql`${String(firstId)}::bigint`;
  await tx.execute(sql`
    update curve_states s set
      buys = s.buys - gone.buys, sells = s.sells - gone.sells, sol_paid = s.sol_paid - gone.sol_paid,
      sol_received = s.sol_received - gone.sol_received, tokens_bought = s.tokens_bought - gone.tokens_bought,
      tokens_sold = s.tokens_sold - gone.tokens_sold, fees = s.fees - gone.fees
    from (
      select mint, count(*) filter (where is_buy) as buys, count(*) filter (where not is_buy) as sells,
        coalesce(sum(sol_amount) filter (where is_buy), 0) as sol_paid,
        coalesce(sum(sol_amount) filter (where not is_buy), 0) as sol_received,
        coalesce(sum(token_amount) filter (where is_buy), 0) as tokens_bought,
        coalesce(sum(token_amount) filter (where not is_buy), 0) as tokens_sold, sum(fee) as fees
      from trades where record_id >= ${first} group by mint
    ) gone where s.mint = gone.mint
  `);
  // A curve only has trades and, after them, one migration. So its state is that of its last remaining trade, or of its creation.
  await tx.execute(sql`
    update curve_states s set
      status = case when last.graduated then ${CurveStatus.Finalized}::smallint else ${CurveStatus.Trading}::smallint end,
      virtual_sol = coalesce(last.virtual_sol, t.initial_virtual_sol),
      virtual_token = coalesce(last.virtual_token, t.initial_virtual_token),
      last_record_id = coalesce(last.record_id, t.record_id), updated_at = coalesce(last.timestamp, t.created_at)
    from tokens t left join lateral (
      select * from trades where trades.mint = t.mint and trades.record_id < ${first} order by trades.record_id desc limit 1
    ) last on true
    where s.mint = t.mint and s.last_record_id >= ${first}
  `);
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`with gone as (delete from records where id >= ${first} and not finalized returning 1)
        select count(*)::integer as count from gone`,
  );
  return row!.count;
}
