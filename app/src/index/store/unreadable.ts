// Finalized transactions that could not be read. They are set aside so that indexing continues.
// See docs/decisions/indexer.md.
import { sql } from 'drizzle-orm';
import { column, insertRows } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';

/** A transaction that could not be read. */
export interface Unreadable {
  readonly signature: string;
  readonly slot: number;
  /** Version of its message; undefined when unknown. */
  readonly version: number | undefined;
  readonly reason: string;
}

const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 3_600;
const REASON_LENGTH = 500;

/** Sets transactions aside. Existing rows stay unchanged. */
export async function setAside(tx: Transaction, transactions: readonly Unreadable[]): Promise<void> {
  await insertRows(
    tx,
    'unreadable_transactions',
    transactions,
    {
      signature: ['text', ({ signature }) => signature],
      slot: ['bigint', ({ slot }) => slot],
      version: ['integer', ({ version }) => version ?? null],
      reason: ['text', ({ reason }) => reason.slice(0, REASON_LENGTH).replaceAll('\0', '')],
    },
    sql`on conflict do nothing`,
  );
}

/** Transactions that are due for a retry, longest waiting first. With `early`, all transactions. */
export async function dueUnreadable(
  db: Executor,
  limit: number,
  { early = false }: { readonly early?: boolean } = {},
): Promise<Unreadable[]> {
  const rows = await statement<{ signature: string; slot: string; version: number | null; reason: string }>(
    db,
  )`
    select signature, slot::text as slot, version, reason from unreadable_transactions
    where (${early} or look_again_at <= now()) and not has_records order by look_again_at limit ${limit}`;
  return rows.map(({ slot, version, ...rest }) => ({
    ...rest,
    slot: Number(slot),
    version: version ?? undefined,
  }));
}

/** Makes all transactions due now, because another RPC node or another version of the service may be able to read them. */
export async function makeAllDue(tx: Transaction): Promise<void> {
  await tx.execute(
    sql`update unreadable_transactions set look_again_at = now(), looks = 0 where not has_records`,
  );
}

/** Doubles the wait of transactions that are still unreadable. */
export async function postpone(tx: Transaction, signatures: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update unreadable_transactions set looks = looks + 1, look_again_at = now() + make_interval(secs =>
        least(${LONGEST_WAIT_SECONDS}::double precision, ${FIRST_WAIT_SECONDS}::double precision * power(2, least(looks, 16))))
    where signature = any(${column(signatures, 'text')})
  `);
}

export async function forgetUnreadable(tx: Transaction, signatures: readonly string[]): Promise<void> {
  await tx.execute(
    sql`delete from unreadable_transactions where signature = any(${column(signatures, 'text')})`,
  );
}

/** Marks transactions that were read and have records. Only a reindex can book them in the order of the chain. */
export async function foundRecords(tx: Transaction, signatures: readonly string[]): Promise<void> {
  await tx.execute(
    sql`update unreadable_transactions set has_records = true where signature = any(${column(signatures, 'text')})`,
  );
}

/** Number of transactions set aside, and the newest one. */
export interface UnreadableCount {
  readonly count: number;
  /** Transactions that were read later and have records. */
  readonly withRecords: number;
  readonly newest: { readonly signature: string; readonly version: number | undefined } | undefined;
}

export async function countUnreadable(db: Executor): Promise<UnreadableCount> {
  const [row] = await statement<{
    count: number;
    with_records: number;
    signature: string | null;
    version: number | null;
  }>(db)`
    select count(*)::integer as count, count(*) filter (where has_records)::integer as with_records,
      (select signature from unreadable_transactions order by slot desc, signature limit 1) as signature,
      (select version from unreadable_transactions order by slot desc, signature limit 1) as version
    from unreadable_transactions`;
  const { count = 0, with_records: withRecords = 0, signature = null, version = null } = row ?? {};
  return {
    count,
    withRecords,
    newest: signature === null ? undefined : { signature, version: version ?? undefined },
  };
}
