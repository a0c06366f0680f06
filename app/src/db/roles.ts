// Roles of PostgreSQL that own nothing, and what each kind of process may do with a database that its owner has migrated.
import { sql, type SQL, type SQLChunk } from 'drizzle-orm';
import { statement, type Queries, type Transaction } from './database.js';
import { DatabaseError } from './errors.js';

/** `service`: everything that `curvekit start` does. `api`: only what ROLE=api does. `signer`: what `curvekit signer --claims` does. */
export type ProcessKind = 'service' | 'api' | 'signer';

/** Rights in PostgreSQL's letters: r select, a insert, w update, d delete, D truncate, U usage of a sequence (nextval), X execute. */
type Rights = readonly [service: string, api: string, signer: string];
const KINDS: readonly ProcessKind[] = ['service', 'api', 'signer'];

/**
 * What each kind of process may do with each table and view. Partitions have no rights of their own. What the ledger has booked stays, and
 * only the owner migrates. Who takes over a process of `api` credits and pays nobody; who takes over a signer cannot book a credit.
 */
// prettier-ignore
export const TABLES: Readonly<Record<string, Rights>> = {
  addresses:                ['ra',   'r',                  ''],
  api_keys:                 ['raw',  'r w(last_used_at)',  'r'],
  authority_transactions:   ['raw',  'r',                  'r'],
  candle_days:              ['rawd', 'r',                  ''],
  candle_hours:             ['rawd', 'r',                  ''],
  candles:                  ['rawd', 'r',                  ''],
  claims:                   ['raw',  'r',                  'r'],
  curve_migrations:         ['ra',   'r',                  ''],
  curve_states:             ['raw',  'r',                  'r'],
  database_versions:        ['r',    'r',                  'r'],
  fee_shares:               ['rad',  'ra',                 ''],
  graduations:              ['raw',  'r',                  'r'],
  hidden_tokens:            ['rawd', 'r',                  ''],
  idempotency_keys:         ['rawd', '',                   'raw'],
  indexer_anchors:          ['rad',  '',                   ''],
  indexer_backlog:          ['radD', '',                   ''],
  indexer_state:            ['raw',  'r',                  'r'],
  leases:                   ['raw',  '',                   ''],
  ledger_accounts:          ['raw',  'r',                  'r'],
  ledger_entries:           ['ra',   'r',                  'r'],
  ledger_postings:          ['ra',   'r',                  'r'],
  ledger_totals:            ['rawd',  'r',                  'r'],
  market_events:            ['rad',  'r',                  ''],
  market_state:             ['raw',  'r',                  ''],
  market_tokens:            ['raw',  'r',                  ''],
  opened_accounts:          ['rad',  'r',                  'r'],
  other_records:            ['rad',  'r',                  'r'],
  partner_totals:           ['r',    'r',                  ''],
  partner_users:            ['raw',  'r a(partner_id, registered_at, registered_slot, signature, wallet)', ''],
  partners:                 ['ra',   'r',                  'r'],
  payer_marks:              ['raw',  'r',                  'r'],
  payment_findings:         ['rawd', 'r',                   'rd'],
  payment_unread:           ['rawd', '',                   ''],
  payment_watches:          ['raw',  'r',                  'ra'],
  payments_gate:            ['raw',  'r',                  'r w(incarnation)'],
  pending_rewards:          ['rawd', 'r',                  'r'],
  position_rows:            ['rawd', 'r',                  ''],
  recovered_payments:       ['ra',   '',                   ''],
  recovered_settlements:    ['raw',  'r',                  'r'],
  referral_reward_rows:     ['ra',   'r',                  ''],
  registration_nonces:      ['rawd', 'rawd',               ''],
  settlement_credits:       ['rawd', 'r',                  ''],
  settlement_holders:       ['rad',  '',                   ''],
  settlement_passes:        ['raw',  '',                   ''],
  settlement_sample_chunks: ['rad',  '',                   ''],
  settlement_samples:       ['rawd', 'r',                  ''],
  settlement_seeds:         ['rad',  '',                   ''],
  settlements:              ['raw',  'r',                  'r'],
  stored_files:             ['rawd', 'ra w(stored_at)',    ''],
  tasks:                    ['rawd', 'r',                  'r'],
  token_metadata:           ['raw',  'r',                  ''],
  token_names:              ['raw',  'r',                  ''],
  token_terms:              ['ra',   'r',                  ''],
  tokens:                   ['ra',   'r',                  'r'],
  trade_rows:               ['rad',  'r',                  ''],
  treasury:                 ['raw',  'r',                  'r'],
  treasury_fundings:        ['ra',   'r',                  ''],
  unfinalized:              ['rad',  'r',                  ''],
  unreadable_transactions:  ['rawd', 'r',                  'r'],
  used_signatures:          ['rad',  'ra',                 ''],
  volume_rates:             ['raw',  'r',                  ''],
  volume_rewards:           ['raw',  'r',                  ''],
  positions:                ['r',    'r',                  ''],
  records:                  ['r',    'r',                  ''],
  webhook_dead_letters:     ['rawd', 'r',                  ''],
  webhook_endpoints:        ['rawd', 'rawd',               ''],
  webhook_events:           ['rawd', 'r',                  ''],
  webhook_secrets:          ['rawd', 'r(endpoint_id, expires_at) a w(expires_at)', ''],
  referral_rewards:         ['r',    'r',                  ''],
  trades:                   ['r',    'r',                  ''],
};

/** `r` reads the last value, `w` sets it. The owner alone uses the others. */
// prettier-ignore
export const SEQUENCES: Readonly<Record<string, Rights>> = {
  indexer_backlog_age_seq:   ['U',   '',  ''],
  ledger_accounts_id_seq:    ['U',   '',  ''],
  ledger_entries_id_seq:     ['U',   '',  ''],
  ledger_postings_id_seq:    ['U',   '',  ''],
  ledger_totals_id_seq:      ['U',   '',  ''],
  market_events_id_seq:      ['U',   '',  ''],
  partners_id_seq:           ['U',   '',  ''],
  payment_unread_id_seq:     ['U',   '',  ''],
  records_id_seq:            ['rwU', 'r', 'r'],
  settlement_samples_id_seq: ['U',   '',  ''],
  settlements_id_seq:        ['U',   '',  ''],
  webhook_events_number_seq: ['U',   '',  ''],
};

/** Functions that run with the rights of the tables' owner. The others do no more than their caller may, so everybody may call them. */
// prettier-ignore
export const OWNERS_FUNCTIONS: Readonly<Record<string, Rights>> = {
  claim_store:         ['X', '', 'X'],
  partner_totals_add:    ['', '', ''],
  partner_totals_change: ['', '', ''],
  trade_partition_add: ['X', '', ''],
  treasury_cover:      ['X', '', 'X'],
  webhook_claim:      ['', '', ''],
  webhook_held:       ['', '', ''],
  webhook_rewards:    ['', '', ''],
  webhook_settlement: ['', '', ''],
  webhook_test:        ['X', 'X', ''],
  webhook_user:       ['', '', ''],
};

const WORDS: Readonly<Record<string, string>> = {
  r: 'select',
  a: 'insert',
  w: 'update',
  d: 'delete',
  D: 'truncate',
  U: 'usage',
  X: 'execute',
};

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
  const functions =
    kind === 'service' && !storesClaims
      ? { ...OWNERS_FUNCTIONS, claim_store: ['', '', ''] as const }
      : OWNERS_FUNCTIONS;
  await queries.transaction(async (tx: Transaction) => {
    for (const statement of [
      sql`revoke all on all tables in schema public, drizzle from ${to}`,
      sql`revoke all on all sequences in schema public, drizzle from ${to}`,
      sql`revoke all on schema public, drizzle from ${to}`,
      sql`grant usage on schema public, drizzle to ${to}`,
      sql`grant select on all tables in schema drizzle to ${to}`,
      // Everybody may execute a function unless told otherwise.
      sql`revoke execute on function ${names(Object.keys(OWNERS_FUNCTIONS))} from public, ${to}`,
      ...grants('table', TABLES, kind, to),
      ...grants('sequence', SEQUENCES, kind, to),
      ...grants('function', functions, kind, to),
    ])
      await tx.execute(statement);
  });
}

function grants(
  what: 'table' | 'sequence' | 'function',
  list: Readonly<Record<string, Rights>>,
  kind: ProcessKind,
  to: SQLChunk,
): SQL[] {
  return Object.entries(list).flatMap(([name, rights]) =>
    [...rights[KINDS.indexOf(kind)]!.matchAll(/(\w)(\([^)]+\))?/g)].map(
      ([, letter, columns = '']) =>
        sql`grant ${sql.raw(WORDS[letter!]! + columns)} on ${sql.raw(what)} ${sql.identifier(name)} to ${to}`,
    ),
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
  const [found] = await statement<{ super: boolean; owns: boolean }>(queries)`
    select rolsuper as super, pg_has_role(oid, (select relowner from pg_class where oid = 'ledger_entries'::regclass), 'usage') as owns
    from pg_roles where rolname = ${role}`;
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
