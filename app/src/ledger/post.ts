// Posts to the ledger. Its tables are written by the functions in `ledger/sql` only: `ledger_post` has the order of locks.
import { sql } from 'drizzle-orm';
import { column, unnestable } from '../db/statements.js';
import { statement, type Transaction } from '../db/database.js';
import type { Account } from './accounts.js';
import { ledgerPost, ledgerTotalsFold } from './functions.js';

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

/** Like `post`, for many postings in one statement. @returns the keys that were not booked before */
export async function postAll(tx: Transaction, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const entries = postings.flatMap(({ key, entries }) => entries.map((entry) => ({ key, ...entry })));
  const fields = unnestable(entries, {
    key: ['text', ({ key }) => key],
    kind: ['text', ({ kind }) => kind],
    owner: ['text', ({ owner }) => owner],
    mint: ['text', ({ mint }) => mint],
    asset: ['text', ({ asset }) => asset],
    origin: ['text', ({ origin }) => origin],
    amount: ['numeric', ({ amount }) => amount],
  });
  const keys = column(
    postings.map(({ key }) => key),
    'text',
  );
  const rows = sql`(select array_agg(entry::ledger_entry)
    from unnest(${fields}) as entry(key, kind, owner, mint, asset, origin, amount))`;
  const booked = await statement<{ key: string }>(tx)`
    select unnest(${ledgerPost({ keys, entries: rows })}) as key`;
  return new Set(booked.map(({ key }) => key));
}

// Totals of all accounts, updated with each posting, so that no query reads every account.

/** Maximum rows that one call merges. */
const FOLDED_AT_ONCE = 50_000;

/** Merges the rows that postings have added, so that few rows must be read. */
export async function foldTotals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select ${ledgerTotalsFold({ rows: FOLDED_AT_ONCE })}`);
}
