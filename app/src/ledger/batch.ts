// Many small postings at once, for what is booked trade by trade.
import { sql } from 'drizzle-orm';
import { column } from '../db/arrays.js';
import type { Transaction } from '../db/database.js';
import type { Purse, SourceKind } from './ledger.js';

/** A posting that credits one wallet. */
export interface KeyedCredit extends Purse {
  /** Names its cause. */
  readonly key: string;
  readonly wallet: string;
  /** Above zero. */
  readonly amount: bigint;
}

/**
 * Credits each wallet under a key of its own, in three statements for all of them. Keys that are booked already change
 * nothing.
 */
export async function creditEach(
  tx: Transaction,
  from: SourceKind,
  credits: readonly KeyedCredit[],
): Promise<void> {
  if (credits.length === 0) return;
  const textColumn = (name: 'key' | 'wallet' | 'mint' | 'asset') =>
    column(
      credits.map((credit) => credit[name]),
      'text',
    );
  const amounts = column(
    credits.map(({ amount }) => amount),
    'numeric',
  );
  const rows = sql`unnest(
    ${textColumn('key')}, ${textColumn('wallet')}, ${textColumn('mint')}, ${textColumn('asset')}, ${amounts}
  ) as credited(key, owner, mint, asset, amount)`;
  // One order for all, so that two batches wait for each other instead of deadlocking.
  await tx.execute(sql`
    insert into ledger_accounts (kind, owner, mint, asset, origin)
    select kind, owner, mint, asset, ${from}::text from (
      select distinct 'claimable' as kind, owner, mint, asset from ${rows}
      union all select distinct ${from}::text, null, mint, asset from ${rows}
    ) accounts order by owner, mint, asset, kind
    on conflict do nothing
  `);
  await tx.execute(sql`
    with booked as (
      insert into ledger_postings (key) select key from ${rows} order by key
      on conflict do nothing returning id, key
    )
    insert into ledger_entries (posting_id, account_id, amount)
    select booked.id, a.id, credited.amount from booked
      join ${rows} on credited.key = booked.key
      join ledger_accounts a on a.owner = credited.owner and a.mint = credited.mint
        and a.asset = credited.asset and a.kind = 'claimable' and a.origin = ${from}
    union all
    select booked.id, a.id, -credited.amount from booked
      join ${rows} on credited.key = booked.key
      join ledger_accounts a on a.owner is null and a.mint = credited.mint
        and a.asset = credited.asset and a.kind = ${from}
  `);
}
