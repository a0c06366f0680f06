// Previews: records that are shown before they are finalized.
import { sql, type SQL } from 'drizzle-orm';
import { column } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';
import { deleteTrades } from '../trades/store.js';
import { isFinal } from '../trades/trade.js';
import { recordsAmong } from '../functions.js';
import type { Dropped } from '../hooks.js';
import { takeBackCurves } from './curves.js';

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
  const rows = await statement<{ signature: string; slot: string; finalized: boolean }>(db)`
    select signature, slot::text as slot, finalized from ${recordsAmong({ signatures: column(signatures, 'text') })}`;
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
  const rows = await statement<{ signature: string; slot: string }>(db)`
    select signature, slot::text as slot from (
      select * from (${newestFinal('other_records', sql``)} union all ${newestFinal('trades', sql`venue = 'curve' and`)}) all_newest
      order by id desc limit ${MOST_FINALIZED}
    ) newest where slot > ${slot} group by signature, slot order by newest.slot desc`;
  return rows.map((row) => ({ signature: row.signature, slot: Number(row.slot) }));
}

// One for each table: PostgreSQL does not use the order of an index through the view `records`.
const newestFinal = (table: string, condition: SQL) => sql`(
  select id, signature, slot from ${sql.identifier(table)} r where ${condition} ${isFinal('r.id')}
  order by id desc limit ${MOST_FINALIZED})`;

/** A transaction whose records are not finalized yet. */
export interface Preview {
  readonly signature: string;
  readonly slot: number;
  readonly firstId: bigint;
  readonly lastId: bigint;
}

/** The slot of the newest preview; 0 without any. */
export async function newestPreviewSlot(db: Executor): Promise<number> {
  const [row] = await statement<{ slot: string }>(db)`
    select r.slot::text as slot from (
      select id from unfinalized where venue = 'curve' order by id desc limit 1
    ) newest cross join lateral (
      select t.slot from trade_rows t where t.id = newest.id union all
      select o.slot from other_records o where o.id = newest.id
    ) r`;
  return Number(row?.slot ?? 0);
}

/** Records read in addition to one per transaction, because a few transactions have several. */
const SPARE_RECORDS = 32;

/** Records of curves from the first unfinalized one on: no later one is final. */
const unfinalFrom = (table: string, condition: SQL, after: bigint, page: number) => sql`(
  select id, signature, slot from ${sql.identifier(table)} where ${condition} id >= (
    select min(u.id) from unfinalized u where u.venue = 'curve' and u.id > ${String(after)}::bigint
  ) order by id limit ${page})`;

/** The first `most` unfinalized transactions, in order. @param from all up to this id are final; 0 when unknown */
export async function loadPreviews(db: Executor, from: bigint, most: number): Promise<Preview[]> {
  const previews: (Preview & { lastId: bigint })[] = [];
  const page = most + SPARE_RECORDS;
  for (let after = from; ;) {
    const rows = await statement<Record<'id' | 'signature' | 'slot', string>>(db)`
      select id::text as id, signature, slot::text as slot from (
        ${unfinalFrom('trades', sql`venue <> 'pool' and`, after, page)} union all
        ${unfinalFrom('other_records', sql``, after, page)}
      ) previews order by previews.id limit ${page}`;
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

/**
 * Deletes the previews from a record on, because a reorg dropped them, and the trades in pools that they opened. The curves
 * return to the state after their last remaining record.
 *
 * @returns what is deleted, and how many records
 */
export async function dropPreviews(
  tx: Transaction,
  firstId: bigint,
): Promise<Dropped & { readonly records: number }> {
  const others = await statement<{ mint: string | null; kind: string }>(tx)`
    with gone as (
      delete from other_records r using unfinalized u
      where u.id = r.id and u.venue = 'curve' and r.id >= ${String(firstId)}::bigint returning r.id, r.mint, r.kind
    ), closed as (
      delete from unfinalized u using gone where u.id = gone.id
    )
    select mint, kind from gone`;
  const ofCurves = await deleteTrades(tx, { venue: 'curve', firstId });
  const closed = others.flatMap(({ mint, kind }) => (kind === 'graduate' && mint !== null ? mint : []));
  const ofPools =
    closed.length === 0 ? [] : await deleteTrades(tx, { venue: 'pool', firstId, mints: closed });
  const mints = new Set(ofCurves.map(({ mint }) => mint));
  for (const { mint } of others) if (mint !== null) mints.add(mint);
  await takeBackCurves(tx, [...mints], ofCurves);
  const trades = [...ofCurves, ...ofPools];
  return { firstId, mints: [...mints], trades, records: others.length + ofCurves.length };
}
