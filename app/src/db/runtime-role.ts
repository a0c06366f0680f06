import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Queries, type Transaction } from './database.js';
import { DatabaseError } from './errors.js';

/** What no service changes: what the ledger has booked stays, and the owner migrates. */
const APPEND_ONLY = ['ledger_entries', 'ledger_postings'];
const READ_ONLY = ['database_versions'];
/** Emptied as a whole. */
const EMPTIED = ['indexer_backlog'];

/**
 * Gives a role of PostgreSQL the rights with which `curvekit start` runs on a migrated database, and takes all others from it. Call
 * it as the owner of the tables, after each migration.
 *
 * @throws DatabaseError when there is no such role, or it has more rights than can be taken from it
 */
export async function grantRuntimeRole(queries: Queries, role: string): Promise<void> {
  await requireWeakRole(queries, role);
  const to = sql.identifier(role);
  const tables = (names: readonly string[]): SQL =>
    sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    );
  await queries.transaction(async (tx: Transaction) => {
    for (const statement of [
      sql`revoke all on all tables in schema public, drizzle from ${to}`,
      sql`revoke all on schema public, drizzle from ${to}`,
      sql`grant usage on schema public, drizzle to ${to}`,
      sql`grant select, insert, update, delete on all tables in schema public to ${to}`,
      sql`grant usage, select, update on all sequences in schema public to ${to}`,
      sql`grant select on all tables in schema drizzle to ${to}`,
      sql`revoke update, delete on ${tables(APPEND_ONLY)} from ${to}`,
      sql`revoke insert, update, delete on ${tables(READ_ONLY)} from ${to}`,
      sql`grant truncate on ${tables(EMPTIED)} to ${to}`,
    ])
      await tx.execute(statement);
  });
}

/** Rights that come with the role itself cannot be taken from it here. */
async function requireWeakRole(queries: Queries, role: string): Promise<void> {
  const [found] = await rowsOf<{ super: boolean; owns: boolean }>(
    queries,
    sql`select rolsuper as super, pg_has_role(oid, (select relowner from pg_class where oid = 'ledger_entries'::regclass), 'usage') as owns
        from pg_roles where rolname = ${role}`,
  );
  if (found === undefined)
    throw new DatabaseError(
      `there is no role '${role}': create it with \`create role ${role} login password '…'\``,
    );
  if (found.super) throw new DatabaseError(`the role '${role}' is a superuser: name a role that is not`);
  if (found.owns)
    throw new DatabaseError(
      `the role '${role}' owns the tables: name another one, and migrate as their owner`,
    );
}
