import { sql } from 'drizzle-orm';
import { column } from '#app/db/statements.js';
import { rowsOf, type Transaction } from '#app/db/database.js';

/** Signature and position of the trades with these ids, in order. */
export async function tradeKeys(tx: Transaction, ids: readonly bigint[]): Promise<string[]> {
  const rows = await rowsOf<{ key: string }>(
    tx,
    sql`select concat(signature, ':', "outer", ':', "inner") as key from trades where id = any(${column(ids, 'bigint')}) order by id`,
  );
  return rows.map(({ key }) => key);
}
