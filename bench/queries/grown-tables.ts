// A database as after years: every table that grows has many rows.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Database, type Transaction } from '#app/db/database.js';
import { lapse } from '#app/market/day-job.js';
import { POSITION_CHANGE } from '#app/market/books/book-trades.js';
import { fillFromTrades, fillTrades, readAll, type MarketRows } from '../http/market-rows.js';
import { fillRewards } from '../http/reward-rows.js';
import { vacuumAll } from '../http/vacuum-all.js';

/** Tables that stay small, however many tokens, trades, wallets and claims there are. Queries may read them whole. */
export const BOUNDED: ReadonlySet<string> = new Set([
  // One row, or one for each asset, role or lease.
  ...[
    '__drizzle_migrations',
    'database_versions',
    'indexer_state',
    'leases',
    'ledger_totals',
    'market_state',
    'payer_marks',
  ],
  ...['payment_watches', 'payments_gate', 'settlement_passes', 'treasury'],
  // Written by the operator.
  ...['api_keys', 'hidden_tokens', 'partner_totals', 'partners'],
  // What is not finished.
  ...['indexer_anchors', 'indexer_backlog', 'payment_unread', 'tasks', 'unfinalized'],
]);

export interface Sizes {
  readonly tokens: number;
  readonly trades: number;
  readonly rewards: number;
  /** Rows of each other table. */
  readonly others: number;
}

/** Rows that the event trimmer leaves. */
const MOST_EVENTS = 50_000;
/** What is filled at the same time, each on a connection of the jobs. */
const AT_ONCE = 2;

/** Fills the empty tables of a new database. */
export async function fillGrown(
  database: Database,
  { tokens, trades, rewards, others }: Sizes,
): Promise<MarketRows> {
  const rows = await fillTrades(database, { tokens, trades, isSplit: true, atOnce: AT_ONCE });
  const jobs = database.on('jobs');
  await Promise.all([
    fillFromTrades(database).then(() =>
      jobs.transaction((tx) => insertOfTrades(tx, Math.min(trades, MOST_EVENTS))),
    ),
    fillRewards(database, { rows: rewards, askers: [], mints: rows.mints }),
  ]);
  await jobs.transaction((tx) => insertOthers(tx, others));
  // As the job does in its first minute.
  await lapse(jobs, Math.floor(Date.now() / 1_000));
  await vacuumAll(database);
  return rows;
}

/** What the indexer writes with the trades, except what `fillFromTrades` inserts. */
async function insertOfTrades(tx: Transaction, events: number): Promise<void> {
  await readAll(tx);
  await tx.execute(sql`
    insert into position_rows (wallet_id, mint_id, amount, paid, received, trades)
    select trader_id, mint_id, ${POSITION_CHANGE} from trade_rows group by trader_id, mint_id
  `);
  await tx.execute(sql`
    insert into market_events (mint, wallet, type, data)
    select mint, trader, case when id % 10 = 0 then 'update' else 'trade' end, '{}'
    from (select * from trades order by id desc limit ${events}) newest order by id
  `);
  await tx.execute(sql`
    insert into token_metadata (mint, uri, image, picture, document)
    select mint, uri, '', 'picture ' || mint, 'document ' || mint from tokens
  `);
  await tx.execute(sql`
    insert into token_terms (term, mint)
    select term, mint from tokens, lateral (values (lower(name)), (lower(symbol)), (mint)) terms (term)
  `);
}

/** A job that deletes what has expired finds a few rows. */
const SOON = "now() + (n - 10) * interval '1 minute'";

/** Columns whose value is not that of their type: states that no job takes up, and what a check demands. */
const VALUES: Readonly<Record<string, string>> = {
  'authority_transactions.state': "'finalized'",
  'claims.asset': "'SOL'",
  'claims.state': "'COMPLETED'",
  'idempotency_keys.expires_at': SOON,
  'other_records.kind': "'migrate'",
  'payment_findings.kind': "'claim'",
  'payment_findings.state': "'booked'",
  'pending_rewards.asset': "'SOL'",
  'recovered_settlements.sol_left': '0',
  'recovered_settlements.token_left': '0',
  'partner_users.partner_id': '1',
  'partner_users.wallet': '(select mint from tokens where record_id = n)',
  'registration_nonces.expires_at': SOON,
  'settlement_samples.index': '0',
  'settlements.samples': '1',
  'settlements.period_ms': '1000',
  'settlements.mint': '(select mint from tokens where record_id = 1 + n % 100)',
  'settlements.signature': "'signature ' || n",
  'settlements.state': "'done'",
  'settlements.sol': '0',
  'settlements.token': '0',
  'stored_files.kind': "'picture'",
  'treasury_fundings.origin': "'referral'",
  'unreadable_transactions.has_records': 'true',
  'unreadable_transactions.look_again_at': SOON,
  'used_signatures.expires_at': SOON,
};

const OF_TYPE: Readonly<Record<string, string>> = {
  bigint: 'n',
  integer: 'n',
  smallint: 'n % 100',
  numeric: '1',
  boolean: 'false',
  'timestamp with time zone': "now() - n * interval '1 second'",
  jsonb: 'null',
  ARRAY: "'{}'",
};

/** Filled by others, with as many rows as they have in reality. */
const FILLED = new Set(['ledger_accounts', 'ledger_entries', 'ledger_postings', 'market_events']);

/** One token in a hundred graduates. A table of a few hundred is read as a whole, which says nothing of many. */
const [GRADUATES_ONE_IN, LEAST_GRADUATIONS] = [100, 10_000];

interface Table extends Record<string, unknown> {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly preset: boolean }[];
}

/** Fills every other table that grows, by the types of its columns. */
async function insertOthers(tx: Transaction, count: number): Promise<void> {
  await tx.execute(sql`set local session_replication_role = replica`);
  const tables = await rowsOf<Table>(
    tx,
    sql`select table_name as name,
          json_agg(json_build_object('name', column_name, 'type', data_type, 'preset', column_default is not null)) as columns
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name`,
  );
  for (const { name: table, columns } of tables) {
    if (BOUNDED.has(table) || FILLED.has(table) || (await isFilled(tx, table, count))) continue;
    const given = columns.filter(({ name, preset }) => !preset || `${table}.${name}` in VALUES);
    const values = given.map(({ name, type }) =>
      sql.raw(VALUES[`${table}.${name}`] ?? OF_TYPE[type] ?? `'${name} ' || n`),
    );
    const names: SQL[] = given.map(({ name }) => sql`${sql.identifier(name)}`);
    await tx.execute(sql`
      insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)})
      select ${sql.join(values, sql`, `)} from generate_series(1, ${rowsOfTable(table, count)}::integer) n
    `);
  }
}

const rowsOfTable = (table: string, count: number): number =>
  table === 'graduations'
    ? Math.min(count, Math.max(Math.ceil(count / GRADUATES_ONE_IN), LEAST_GRADUATIONS))
    : count;

async function isFilled(tx: Transaction, table: string, count: number): Promise<boolean> {
  const [row] = await rowsOf<{ many: boolean }>(
    tx,
    sql`select count(*) >= ${count} as many from (select 1 from ${sql.identifier(table)} limit ${count}) counted`,
  );
  return row!.many;
}
