// A database as after years: every table that grows has many rows, inserted by a few SQL statements.
import { createHash, randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { sql, type SQL } from 'drizzle-orm';
import { column } from '#app/db/statements.js';
import { statement, type Database, type Transaction } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { POSITION_CHANGE } from '#app/market/books/book-trades.js';
import { expireDay } from '#app/market/day-job.js';
import { idsTake } from '#app/index/trades/functions.js';

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
    'volume_rates',
  ],
  ...['payment_watches', 'payments_gate', 'settlement_passes', 'treasury'],
  // Written by the operator.
  ...['api_keys', 'hidden_tokens', 'partner_totals', 'partners'],
  // A few for each partner.
  ...['webhook_endpoints', 'webhook_secrets'],
  // What is not finished.
  ...['indexer_anchors', 'indexer_backlog', 'payment_unread', 'tasks', 'unfinalized'],
]);

export interface Sizes {
  readonly tokens: number;
  readonly trades: number;
  /** Accounts of the ledger with a reward. */
  readonly rewards: number;
  /** Wallets that must have rewards. */
  readonly askers?: readonly string[];
  /** Rows of each other table. */
  readonly others: number;
}

export interface GrownRows {
  readonly mints: readonly string[];
  /** Wallets that trade. The first ones also create tokens. */
  readonly wallets: readonly string[];
  /** Mints of the popular tokens. */
  readonly popular: readonly string[];
}

/** One token in `POPULAR_SHARE` is popular. The popular tokens have half of all trades. */
const POPULAR_SHARE = 100;
const TRADES_PER_STATEMENT = 500_000;
const WALLETS = 50_000;
const CREATORS = 5_000;
const BEGIN = 1_795_000_000;
const SPAN_SECONDS = 7 * 86_400;
/** The last day begins here, a whole minute. */
const LAPSED_TO = BEGIN + SPAN_SECONDS - 86_400 - ((BEGIN + SPAN_SECONDS) % 60);

/** Tokens per wallet, each with a reward in SOL and one in the token. */
const TOKENS_OF_WALLET = 2;
const ASSETS = 2;
const WALLETS_PER_STATEMENT = 25_000;

/** Rows that the event trimmer leaves. */
const MOST_EVENTS = 50_000;
/** What is filled at the same time, each on a connection of the jobs. */
const AT_ONCE = 2;

export const walletsOf = (rewards: number): number => Math.ceil(rewards / (TOKENS_OF_WALLET * ASSETS));

/** Fills the empty tables of a new database. */
export async function fillGrown(
  database: Database,
  { tokens, trades, rewards, askers = [], others }: Sizes,
): Promise<GrownRows> {
  const rows = await fillTrades(database, tokens, trades);
  const jobs = database.on('jobs');
  await fillFromTrades(database);
  await jobs.transaction((tx) => insertOfTrades(tx, Math.min(trades, MOST_EVENTS)));
  await fillRewards(database, tokens, walletsWith(askers, walletsOf(rewards)));
  await jobs.transaction((tx) => insertOthers(tx, others));
  // As the job does in its first minute.
  await expireDay(jobs, Math.floor(Date.now() / 1_000));
  await vacuumAll(database);
  return rows;
}

interface TradeBatch {
  readonly from: number;
  readonly count: number;
  /** The id of its first trade. */
  readonly first: number;
}

/** Tokens, addresses and trades, half of them in another partition. */
async function fillTrades(database: Database, tokens: number, trades: number): Promise<GrownRows> {
  const [mints, wallets] = [addresses('market', tokens), addresses('trader', WALLETS)];
  const jobs = database.on('jobs');
  await jobs.transaction((tx) => insertTokens(tx, mints, wallets.slice(0, CREATORS)));
  await statement(jobs.queries)`
    insert into addresses (address) select * from unnest(${column([...mints, ...wallets], 'text')})`;
  const most = Math.min(TRADES_PER_STATEMENT, Math.ceil(trades / 2));
  const batches: TradeBatch[] = [];
  for (let from = 0; from < trades; from += most) {
    const count = Math.min(most, trades - from);
    const [taken] = await statement<{ last: string }>(
      jobs.queries,
    )`select ${idsTake({ count })}::text as last`;
    batches.push({ from, count, first: Number(taken!.last) - count + 1 });
    if (from === 0)
      await jobs.queries.execute(sql`select setval('records_id_seq', trade_partitions_end() - 1)`);
  }
  // Each lane takes the next batch that is left.
  const left = batches.values();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const batch of left)
      await jobs.transaction((tx) => insertTrades(tx, wallets, { ...batch, tokens, trades }));
  });
  await Promise.all(lanes);
  return { mints, wallets, popular: mints.slice(0, Math.ceil(tokens / POPULAR_SHARE)) };
}

function addresses(of: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    bs58.encode(createHash('sha256').update(`${of} ${index}`).digest()),
  );
}

/** Texts with their numbers from 1, as a table. */
const numbered = (texts: readonly string[], name: string) =>
  sql`unnest(${column(texts, 'text')}) with ordinality as ${sql.raw(name)}`;

async function insertTokens(
  tx: Transaction,
  mints: readonly string[],
  creators: readonly string[],
): Promise<void> {
  await stayIdle(tx);
  await statement(tx)`insert into other_records (signature, "outer", "inner", slot, kind, mint)
    select 'creation of ' || mint, 0, 0, n, 'create', mint from ${numbered(mints, 'listed(mint, n)')} order by n`;
  await statement(tx)`
    insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps, holders_bps,
      lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
    select mint, id, creator, mint, 'Token ' || id, 'T' || id, 'https://example.org/' || id || '.json', 100,
      1000, 2000, 3000, 30000000000, 1073000000000000, 100, ${BEGIN}::bigint
    from records join ${numbered(creators, 'creators(creator, n)')} on n = 1 + id % ${creators.length}::integer`;
  await statement(tx)`
    insert into curve_states (mint, status, virtual_sol, virtual_token, buys, sells, sol_paid, sol_received, tokens_bought,
      tokens_sold, fees, last_record_id, updated_at)
    select mint, 1, initial_virtual_sol, initial_virtual_token, 0, 0, 0, 0, 0, 0, 0, record_id, created_at from tokens`;
}

/** Trades at changing prices, half of them of popular tokens. */
async function insertTrades(
  tx: Transaction,
  wallets: readonly string[],
  { from, count, first, tokens, trades }: TradeBatch & Pick<Sizes, 'tokens' | 'trades'>,
): Promise<void> {
  const popular = Math.ceil(tokens / POPULAR_SHARE);
  await stayIdle(tx);
  await statement(tx)`
    insert into trade_rows (id, in_pool, signature, "outer", "inner", slot, mint_id, trader_id, is_buy, sol_amount, token_amount, fee,
      virtual_sol, virtual_token, graduated, timestamp)
    select r.id, false, 'trade ' || r.id, 0, 0, r.id, mints.id, traders.id, r.id % 3 > 0,
      1000000 + r.id * 7919 % 1000000000, 1000000000, 10000, 30000000000 + r.id * 104729 % 50000000000,
      1073000000000000 - r.id * 1299709 % 700000000000000, false,
      ${BEGIN}::bigint + (r.id - ${first - from}::bigint) * ${SPAN_SECONDS}::bigint / ${trades}::bigint
    from generate_series(0, ${count - 1}::integer) n cross join lateral (select n + ${first}::bigint as id) r
      join tokens t on t.record_id =
        1 + (n::bigint / 2 * 7919 + ${from}::bigint) % (case when n % 2 = 0 then ${popular}::bigint else ${tokens}::bigint end)
      join addresses mints on mints.address = t.mint
      join ${numbered(wallets, 'listed(wallet, n)')} on listed.n = 1 + r.id % ${wallets.length}::integer
      join addresses traders on traders.address = listed.wallet`;
}

/** For the rest of the transaction: parameters of a million elements take seconds to write. */
async function stayIdle(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
}

/** For the rest of the transaction, which reads all trades: it sorts in memory, and takes as long as that takes. */
async function readAll(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local work_mem = '1GB'`);
  await tx.execute(sql`set local statement_timeout = 0`);
}

/** Fills the derived tables as the indexer and the job of the last day would, step by step. */
async function fillFromTrades(database: Database): Promise<void> {
  const jobs = database.on('jobs');
  // New tables have no statistics, and each token's newest trade would be looked for among all.
  await jobs.queries.execute(sql`analyze tokens, addresses, trade_rows`);
  await jobs.transaction(insertCandles);
  await jobs.queries.execute(sql`analyze candles`);
  await jobs.transaction(insertMarketTokens);
}

async function insertCandles(tx: Transaction): Promise<void> {
  await readAll(tx);
  await statement(tx)`insert into candles (mint, minute, first_id, open, high, low, close, volume, trades)
    select a.address, c.minute, c.first_id, c.caps[1], c.high, c.low, c.caps[c.trades], c.volume, c.trades from (
      select mint_id, minute, min(id) as first_id, array_agg(cap) as caps, max(cap) as high, min(cap) as low,
        sum(sol_amount) as volume, count(*) as trades
      from (
        select mint_id, timestamp - timestamp % 60 as minute, id, sol_amount,
          div(virtual_sol * 1000000000000000, virtual_token) as cap
        from trade_rows order by mint_id, minute, id
      ) t group by mint_id, minute
    ) c join addresses a on a.id = c.mint_id`;
}

async function insertMarketTokens(tx: Transaction): Promise<void> {
  await readAll(tx);
  await statement(tx)`
    insert into market_tokens (mint, status, initial_virtual_token, virtual_sol, virtual_token, market_cap, progress_bps,
      day_volume, day_open, trades, last_trade_at, created_id, last_id)
    select t.mint, 1, t.initial_virtual_token, coalesce(l.virtual_sol, t.initial_virtual_sol),
      coalesce(l.virtual_token, t.initial_virtual_token), coalesce(div(l.virtual_sol * 1000000000000000, l.virtual_token), 27958993476),
      coalesce(l.id, 0) % 10000, coalesce(c.day_volume, 0), coalesce(o.close, 27958993476), coalesce(c.trades, 0),
      coalesce(l.timestamp, 0), t.record_id, coalesce(l.id, t.record_id)
    from tokens t join addresses m on m.address = t.mint
      left join lateral (select * from trade_rows where mint_id = m.id order by id desc limit 1) l on true
      left join (
        select mint, coalesce(sum(volume) filter (where minute >= ${LAPSED_TO}::bigint), 0) as day_volume, sum(trades) as trades
        from candles group by mint
      ) c on c.mint = t.mint
      left join lateral (
        select close from candles where candles.mint = t.mint and minute < ${LAPSED_TO}::bigint order by minute desc limit 1
      ) o on true`;
  await tx.execute(sql`update market_state set lapsed_to = ${LAPSED_TO}::bigint where id = 1`);
}

/** The ledger, past its triggers. @throws when it does not add up afterwards */
async function fillRewards(database: Database, tokens: number, wallets: readonly string[]): Promise<void> {
  await database.on('jobs').transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await stayIdle(tx);
    for (let from = 0; from < wallets.length; from += WALLETS_PER_STATEMENT)
      await statement(tx)`insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
        select 'claimable', wallet, t.mint, asset, 'settlement', 1 + (n * 7919 + t.record_id * 104729) % 1000000007
        from ${numbered(wallets.slice(from, from + WALLETS_PER_STATEMENT), 'listed(wallet, n)')}
        cross join generate_series(0, ${TOKENS_OF_WALLET - 1}::integer) as chosen(turn)
        join tokens t on t.record_id = 1 + (n + turn * 37) % ${tokens}::integer
        cross join (values ('SOL'), ('TOKEN')) as assets(asset)`;
    // One posting for each token and asset, and the totals that the ledger's trigger would keep.
    for (const statement of [
      sql`insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
        select 'settlement', null, mint, asset, origin, -sum(balance) from ledger_accounts group by mint, asset, origin`,
      sql`insert into ledger_postings (key)
        select 'settlement of ' || mint || ' ' || asset from ledger_accounts where owner is null`,
      sql`insert into ledger_entries (posting_id, account_id, amount)
        select p.id, a.id, a.balance from ledger_accounts a join ledger_postings p
          on p.key = 'settlement of ' || a.mint || ' ' || a.asset`,
      sql`insert into ledger_totals (asset, origin, kind, amount)
        select asset, origin, kind, sum(balance) from ledger_accounts group by asset, origin, kind`,
    ])
      await tx.execute(statement);
  });
  await vacuumAll(database);
  const problems = await checkLedger(database.on('jobs').queries, { whole: true });
  if (problems.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(problems[0])}`);
}

/** Table by table, so that each statement is within the time that a job's may take. */
async function vacuumAll(database: Database): Promise<void> {
  const { queries } = database.on('jobs');
  const tables = await statement<{ name: string }>(queries)`
    select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`;
  for (const { name } of tables) await queries.execute(sql`vacuum (analyze) ${sql.raw(name)}`);
}

/** Addresses, with these spread evenly among them. */
function walletsWith(askers: readonly string[], count: number): string[] {
  const wallets = Array.from({ length: count }, () => '');
  for (const [index, asker] of askers.entries()) wallets[Math.floor((index * count) / askers.length)] = asker;
  return wallets.map((wallet) => wallet || bs58.encode(randomBytes(32)));
}

/** What the indexer writes with the trades, except what `fillFromTrades` inserts. */
async function insertOfTrades(tx: Transaction, events: number): Promise<void> {
  await readAll(tx);
  await statement(tx)`insert into position_rows (wallet_id, mint_id, amount, paid, received, trades, sold)
    select trader_id, mint_id, ${POSITION_CHANGE} from trade_rows group by trader_id, mint_id`;
  await statement(tx)`insert into market_events (mint, wallet, type, data)
    select mint, trader, case when id % 10 = 0 then 'update' else 'trade' end, '{}'
    from (select * from trades order by id desc limit ${events}) newest order by id`;
  await statement(tx)`insert into token_metadata (mint, uri, image, picture, document)
    select mint, uri, '', 'picture ' || mint, 'document ' || mint from tokens`;
  await statement(tx)`insert into token_terms (term, mint)
    select term, mint from tokens, lateral (values (lower(name)), (lower(symbol)), (mint)) terms (term)`;
}

/** A job that deletes what has expired finds a few rows. */
const SOON = "now() + (n - 10) * interval '1 minute'";

/** Columns whose value is not that of their type: states that no job takes up, and what a check demands. */
const VALUES: Readonly<Record<string, string>> = {
  'authority_transactions.state': "'finalized'",
  'claims.asset': "'SOL'",
  'claims.state': "'COMPLETED'",
  'idempotency_keys.expires_at': SOON,
  'fee_shares.kind': "'traders'",
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
  const tables = await statement<Table>(tx)`select table_name as name,
      json_agg(json_build_object('name', column_name, 'type', data_type, 'preset', column_default is not null)) as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name`;
  for (const { name: table, columns } of tables) {
    if (BOUNDED.has(table) || FILLED.has(table) || (await isFilled(tx, table, count))) continue;
    const given = columns.filter(({ name, preset }) => !preset || `${table}.${name}` in VALUES);
    const values = given.map(({ name, type }) =>
      sql.raw(VALUES[`${table}.${name}`] ?? OF_TYPE[type] ?? `'${name} ' || n`),
    );
    const names: SQL[] = given.map(({ name }) => sql`${sql.identifier(name)}`);
    await statement(tx)`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)})
      select ${sql.join(values, sql`, `)} from generate_series(1, ${rowsOfTable(table, count)}::integer) n`;
  }
}

const rowsOfTable = (table: string, count: number): number =>
  table === 'graduations'
    ? Math.min(count, Math.max(Math.ceil(count / GRADUATES_ONE_IN), LEAST_GRADUATIONS))
    : count;

async function isFilled(tx: Transaction, table: string, count: number): Promise<boolean> {
  const [row] = await statement<{ many: boolean }>(tx)`
    select count(*) >= ${count} as many from (select 1 from ${sql.identifier(table)} limit ${count}) counted`;
  return row!.many;
}
