import { sql } from 'drizzle-orm';
import type { Database } from '#app/db/database.js';

/** Opens the payments gate of a database without a service, for longer than any test takes. */
export async function openPaymentsGate({ queries }: Database): Promise<void> {
  await queries.execute(sql`
    insert into payments_gate (id, incarnation, reconciled_at)
    values (1, database_incarnation(), now() + interval '1 hour')
    on conflict (id) do update set incarnation = excluded.incarnation, reconciled_at = excluded.reconciled_at, held = null
  `);
}
