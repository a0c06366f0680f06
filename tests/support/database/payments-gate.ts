import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';

/** Opens the payments gate of a database without a service, as if its payments had just been reconciled. */
export async function openPaymentsGate({ queries }: Database): Promise<void> {
  await queries.execute(sql`
    insert into payments_gate (id, incarnation, reconciled_at) values (1, database_incarnation(), now())
    on conflict (id) do update set incarnation = excluded.incarnation, reconciled_at = now(), held = null
  `);
}
