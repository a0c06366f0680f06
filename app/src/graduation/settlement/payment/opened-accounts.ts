// Token accounts that the platform opened for an owner. It pays for each account once.
import { eq } from 'drizzle-orm';
import { statement, type Executor, type Transaction } from '../../../db/database.js';
import { openedAccounts } from '../../../db/schema/index.js';
import { SettlementError } from '../errors.js';

export async function wasOpened(db: Executor, owner: string, mint: string): Promise<boolean> {
  const [row] = await statement<{ opened: boolean }>(db)`
    select exists (select 1 from ${openedAccounts} where owner = ${owner} and mint = ${mint})
      or exists (
        select 1 from claims where wallet = ${owner} and mint = ${mint} and opens_account
          and state in ('IN_PROGRESS', 'COMPLETED')
      ) as opened`;
  return row?.opened === true;
}

/** Records an opening when it is planned. @throws SettlementError when the account was opened before */
export async function recordOpening(
  tx: Transaction,
  owner: string,
  mint: string,
  subject: string,
): Promise<void> {
  if (await noteOpening(tx, owner, mint, subject)) return;
  throw new SettlementError(
    `the token account of ${owner} for ${mint} was opened meanwhile; it is planned again`,
  );
}

/** Records an opening that a settlement has paid for. @returns false when one is recorded already */
export async function noteOpening(
  tx: Transaction,
  owner: string,
  mint: string,
  subject: string,
): Promise<boolean> {
  const recorded = await tx
    .insert(openedAccounts)
    .values({ owner, mint, subject })
    .onConflictDoNothing()
    .returning({ owner: openedAccounts.owner });
  return recorded.length > 0;
}

/** Removes the record of a failed settlement, which paid nothing. */
export async function closeOpening(tx: Transaction, subject: string): Promise<void> {
  await tx.delete(openedAccounts).where(eq(openedAccounts.subject, subject));
}
