// The epochs of treasuries in the database. `claim_store` reads there until when claims may be signed.
import { eq } from 'drizzle-orm';
import type { Database, Executor } from '../../db/database.js';
import { payerMarks } from '../../db/schema/index.js';

export type Mark = Omit<typeof payerMarks.$inferSelect, 'treasury'>;

/** No claim may be signed. */
export const CLOSED = { opensAt: null, validTo: null, held: null, isLost: false } as const;

export async function readMarkRow(db: Executor, treasury: string): Promise<Mark> {
  const [row] = await db.select().from(payerMarks).where(eq(payerMarks.treasury, treasury));
  return row ?? { mark: null, previous: null, ...CLOSED };
}

export async function storeMarkRow(database: Database, treasury: string, mark: Mark): Promise<void> {
  await database.transaction((tx) =>
    tx
      .insert(payerMarks)
      .values({ ...mark, treasury })
      .onConflictDoUpdate({ target: payerMarks.treasury, set: { ...mark, treasury } }),
  );
}

/** Whether another database has taken over from this one, which then waits for the operator. */
export async function isLeftBehind(db: Executor): Promise<boolean> {
  const rows = await db
    .select({ treasury: payerMarks.treasury })
    .from(payerMarks)
    .where(eq(payerMarks.isLost, true));
  return rows.length > 0;
}
