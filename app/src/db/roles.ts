// Roles of PostgreSQL that own nothing, and what each kind of process may do with a database that its owner has migrated.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Queries, type Transaction } from './database.js';
import { DatabaseError } from './errors.js';

/** `service`: everything that `curvekit start` does. `api`: only what ROLE=api does. `signer`: what `curvekit signer --claims` does. */
export type ProcessKind = 'service' | 'api' | 'signer';

/** The only way to a claim that reserves what it pays. */
const STORES_CLAIMS = sql`claim_store`;
/** Runs with the rights of the tables' owner. */
const ADDS_PARTITIONS = sql`trade_partition_add`;

/** What no service changes: what the ledger has booked stays, and the owner migrates. */
const APPEND_ONLY = ['ledger_entries', 'ledger_postings'];
const READ_ONLY = ['database_versions'];
/** Emptied as a whole. */
const EMPTIED = ['indexer_backlog'];

type Grant = readonly [rights: string, tables: readonly string[]];

const OF_SERVICE: readonly SQL[] = [
  sql`grant select, insert, update, delete on all tables in schema public to`,
  sql`revoke update, delete on ${names(APPEND_ONLY)} from`,
  sql`revoke insert, update, delete on ${names(READ_ONLY)} from`,
  sql`grant truncate on ${names(EMPTIED)} to`,
];

/** No right on the ledger, claims, the treasury and the watched addresses: who takes over such a process credits and pays nobody. */
const OF_API: readonly Grant[] = [
  ['insert', ['used_signatures']],
  ['insert, update (stored_at)', ['stored_files']],
  ['insert, update, delete', ['registration_nonces']],
  ['insert', ['partner_users']],
  ['insert, update', ['partner_totals']],
  ['update (last_used_at)', ['api_keys']],
];

const OF_SIGNER: readonly Grant[] = [
  // To watch the treasury's address (gate/payments-gate.ts).
  ['insert', ['payment_watches']],
  ['update (incarnation)', ['payments_gate']],
  ['delete', ['payment_findings']],
  ['insert', ['claims', 'ledger_postings', 'ledger_entries']],
  ['insert, update', ['idempotency_keys', 'ledger_accounts', 'ledger_totals', 'treasury']],
];

/**
 * Gives a role the rights of one kind of process, and takes all others from it. Call it as the owner of the tables, after each
 * migration.
 *
 * @param storesClaims whether a service may store claims itself: not where a signer does
 * @throws DatabaseError when there is no such role, or it has more rights than can be taken from it
 */
export async function grantRole(
  queries: Queries,
  role: string,
  kind: ProcessKind,
  { storesClaims }: { readonly storesClaims: boolean },
): Promise<void> {
  await requireWeakRole(queries, role);
  const to = sql.identifier(role);
  const pays = kind === 'signer' || (kind === 'service' && storesClaims);
  await queries.transaction(async (tx: Transaction) => {
    for (const statement of [
      sql`revoke all on all tables in schema public, drizzle from ${to}`,
      sql`revoke all on all sequences in schema public from ${to}`,
      sql`revoke all on schema public, drizzle from ${to}`,
      sql`grant usage on schema public, drizzle to ${to}`,
      sql`grant select on all tables in schema public, drizzle to ${to}`,
      sql`grant usage, select, update on all sequences in schema public to ${to}`,
      ...rightsOf(kind).map((start) => sql`${start} ${to}`),
      // Everybody may execute a function unless told otherwise.
      sql`revoke execute on function ${STORES_CLAIMS}, ${ADDS_PARTITIONS} from public, ${to}`,
      ...(pays ? [sql`grant execute on function ${STORES_CLAIMS} to ${to}`] : []),
      ...(kind === 'service' ? [sql`grant execute on function ${ADDS_PARTITIONS} to ${to}`] : []),
    ])
      await tx.execute(statement);
  });
}

function rightsOf(kind: ProcessKind): readonly SQL[] {
  if (kind === 'service') return OF_SERVICE;
  return (kind === 'api' ? OF_API : OF_SIGNER).map(
    ([rights, tables]) => sql`grant ${sql.raw(rights)} on ${names(tables)} to`,
  );
}

function names(tables: readonly string[]): SQL {
  return sql.join(
    tables.map((name) => sql.identifier(name)),
    sql`, `,
  );
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
