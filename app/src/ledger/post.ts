// The service writes to the ledger only here. Claims and settlements post in the functions of
// `app/database/0002_payments.sql`. Locks are always taken in the same order, so that postings to the same accounts wait
// instead of deadlocking: keys, then accounts by name, then balances by id (in the trigger on entries).
import { sql } from 'drizzle-orm';
import { column, unnestable } from '../db/arrays.js';
import { rowsOf, type Transaction } from '../db/database.js';
import type { Account } from './accounts.js';

/** One movement: positive into the account, negative out of it. */
export interface Entry extends Account {
  readonly amount: bigint;
}

/**
 * Entries with a key that identifies their cause. They sum to zero for each token, asset and origin. Entries of 0 are
 * omitted.
 */
export interface Posting {
  readonly key: string;
  readonly entries: readonly Entry[];
}

/**
 * Books a posting.
 *
 * @returns false when the key is booked already; then nothing is changed
 * @throws when the entries do not sum to zero for each token, asset and origin, or would make a balance negative
 */
export async function post(tx: Transaction, posting: Posting): Promise<boolean> {
  return (await postAll(tx, [posting])).has(posting.key);
}

/** Like `post`, for many postings in three statements. @returns the keys that were not booked before */
export async function postAll(tx: Transaction, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const ids = await openPostings(
    tx,
    postings.map(({ key }) => key),
  );
  const accounts = new Map<string, Account & { readonly place: number }>();
  const moved: { posting: string; place: number; amount: bigint }[] = [];
  for (const { key, entries } of postings) {
    const posting = ids.get(key);
    if (posting === undefined) continue;
    for (const { amount, ...account } of entries) {
      if (amount === 0n) continue;
      const name = nameOf(account);
      const known = accounts.get(name) ?? { ...account, place: accounts.size + 1 };
      accounts.set(name, known);
      moved.push({ posting, place: known.place, amount });
    }
  }
  if (moved.length > 0) await addEntries(tx, [...accounts.values()], moved);
  return new Set(ids.keys());
}

/** Waits for a concurrent posting with the same key. */
async function openPostings(tx: Transaction, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await rowsOf<{ id: string; key: string }>(
    tx,
    sql`insert into ledger_postings (key) select key from unnest(${column(keys, 'text')}) as new(key) order by key
        on conflict do nothing returning id::text as id, key`,
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

async function addEntries(
  tx: Transaction,
  accounts: readonly Account[],
  moved: readonly { readonly posting: string; readonly place: number; readonly amount: bigint }[],
): Promise<void> {
  const names = sql`unnest(${unnestable(accounts, {
    kind: ['text', ({ kind }) => kind],
    owner: ['text', ({ owner }) => owner],
    mint: ['text', ({ mint }) => mint],
    asset: ['text', ({ asset }) => asset],
    origin: ['text', ({ origin }) => origin],
  })}) with ordinality as named(kind, owner, mint, asset, origin, place)`;
  await tx.execute(sql`
    insert into ledger_accounts (kind, owner, mint, asset, origin)
    select kind, owner, mint, asset, origin from ${names} order by owner, mint, asset, kind, origin
    on conflict do nothing
  `);
  // Makes the planner use one index lookup per account, independent of the table size that it assumes.
  const isNamed = sql`a.mint = named.mint and a.asset = named.asset and a.kind = named.kind and a.origin = named.origin`;
  const rows = sql`unnest(${unnestable(moved, {
    posting: ['bigint', ({ posting }) => posting],
    place: ['bigint', ({ place }) => place],
    amount: ['numeric', ({ amount }) => amount],
  })}) as moved(posting, place, amount)`;
  await tx.execute(sql`
    with account as materialized (
      select named.place, a.id from ${names}
        cross join lateral (select id from ledger_accounts a where a.owner = named.owner and ${isNamed} limit 1) a
      union all
      select named.place, a.id from ${names}
        cross join lateral (
          select id from ledger_accounts a where named.owner is null and a.owner is null and ${isNamed} limit 1
        ) a
    )
    insert into ledger_entries (posting_id, account_id, amount)
    select moved.posting, account.id, moved.amount from ${rows} join account using (place)
  `);
}

function nameOf({ kind, owner, mint, asset, origin }: Account): string {
  return JSON.stringify([kind, owner, mint, asset, origin]);
}
