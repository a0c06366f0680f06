import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';

/** Lets a database without a service pay, as if its payments were just reconciled. */
export async function openPaymentsGate({ queries }: Database): Promise<void> {
  await queries.execute(sql`
    insert into payments_gate (id, incarnation, reconciled_at) values (1, database_incarnation(), now())
    on conflict (id) do update set incarnation = excluded.incarnation, reconciled_at = now(), held = null
  `);
}
