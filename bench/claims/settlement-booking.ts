// A paid settlement with very many holders, booked as the service does when its transaction is finalized.
import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { bookCredits, markPaid } from '#app/settlement/credits/booking.js';
import { rowsOf, type Database } from '#app/db/database.js';

const MINT = 'a token of very many holders';
/** Lamports for each holder. */
const PART = 1_000;

/** Stores a settlement whose transaction is finalized and whose holders are not credited yet. @returns its id */
export async function payManyHolders(database: Database, holders: number): Promise<number> {
  const jobs = database.on('jobs');
  const signature = `payment ${randomBytes(8).toString('hex')}`;
  const [row] = await rowsOf<{ id: string }>(
    jobs.queries,
    sql`insert into settlements (mint, creator, state, sol, sol_holders)
        values (${MINT}, 'creator', 'planned', ${holders}::numeric * ${PART}::numeric, ${holders}::numeric * ${PART}::numeric)
        returning id::text as id`,
  );
  const id = Number(row!.id);
  await jobs.queries.execute(sql`
    insert into settlement_credits (settlement_id, wallet, balance, sol, token)
    select ${id}::bigint, md5(n::text), 1, ${PART}::numeric, 0 from generate_series(1, ${holders}::integer) n
  `);
  await jobs.queries.execute(sql`
    insert into authority_transactions (signature, subject, transaction, last_valid_block_height)
    values (${signature}, ${`settlement:${id}`}, '', 1)
  `);
  const isPaid = await jobs.transaction((tx) => markPaid(tx, id, signature));
  if (!isPaid) throw new Error('the settlement is not paid');
  return id;
}

/** Credits all holders. @returns seconds that it took */
export async function bookManyHolders(database: Database, settlement: number): Promise<number> {
  const began = performance.now();
  await bookCredits(database.on('jobs'), { id: settlement }, { signal: new AbortController().signal });
  return (performance.now() - began) / 1_000;
}
