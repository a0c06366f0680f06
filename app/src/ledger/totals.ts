// Totals of all accounts, updated with each posting, so that no query reads every account.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor, type Transaction } from '../db/database.js';
import type { Asset, SourceKind, WalletKind } from './accounts.js';
import { ledgerTotalsFold } from './functions.js';

/** Maximum rows that one call merges. */
const FOLDED_AT_ONCE = 50_000;

/** Lamports, or units of all tokens together. */
export class LedgerTotals {
  readonly #amounts: ReadonlyMap<string, bigint>;

  constructor(amounts: ReadonlyMap<string, bigint>) {
    this.#amounts = amounts;
  }

  of(asset: Asset, origin: SourceKind, kind: WalletKind | SourceKind): bigint {
    return this.#amounts.get(nameOf(asset, origin, kind)) ?? 0n;
  }

  /** Credited and not paid yet: claimable and reserved. */
  owed(asset: Asset, origin: SourceKind): bigint {
    return this.of(asset, origin, 'claimable') + this.of(asset, origin, 'reserved');
  }
}

/** Reads the totals. They are exact. */
export async function readTotals(db: Executor): Promise<LedgerTotals> {
  const rows = await rowsOf<{
    asset: Asset;
    origin: SourceKind;
    kind: WalletKind | SourceKind;
    amount: string;
  }>(
    db,
    sql`select asset, origin, kind, sum(amount)::text as amount from ledger_totals group by asset, origin, kind`,
  );
  return new LedgerTotals(
    new Map(rows.map(({ asset, origin, kind, amount }) => [nameOf(asset, origin, kind), BigInt(amount)])),
  );
}

/** Merges the rows that postings have added, so that few rows must be read. */
export async function foldTotals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select ${ledgerTotalsFold({ rows: FOLDED_AT_ONCE })}`);
}

function nameOf(asset: Asset, origin: SourceKind, kind: string): string {
  return `${asset} ${origin} ${kind}`;
}
