// A market as after a year: tokens, trades and the indexer's derived tables, inserted with a few SQL statements.
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { column } from '#app/db/arrays.js';
import { rowsOf, type Database, type Transaction } from '#app/db/database.js';
import { idsTake } from '#app/trades/functions.js';
import { vacuumAll } from './vacuum-all.js';

/** One token in `POPULAR_SHARE` is popular. The popular tokens have half of all trades. */
const POPULAR_SHARE = 100;
const TRADES_PER_STATEMENT = 500_000;
const WALLETS = 50_000;
const CREATORS = 5_000;
const BEGIN = 1_795_000_000;
const SPAN_SECONDS = 7 * 86_400;
/** The last day begins here, a whole minute. */
const LAPSED_TO = BEGIN + SPAN_SECONDS - 86_400 - ((BEGIN + SPAN_SECONDS) % 60);

export interface MarketRows {
  readonly mints: readonly string[];
  /** Wallets that trade. The first ones also create tokens. */
  readonly wallets: readonly string[];
  /** Mints of the popular tokens. */
  readonly popular: readonly string[];
}

interface MarketSize {
  readonly tokens: number;
  readonly trades: number;
  /** Whether half of the trades are in another partition, however few they are. */
  readonly isSplit?: boolean;
  /** Statements at a time, each on a connection of the jobs: 1 by default. */
  readonly atOnce?: number;
}

interface TradeBatch {
  readonly from: number;
  readonly count: number;
  /** The id of its first trade. */
  readonly first: number;
  readonly tokens: number;
  readonly trades: number;
}

export async function fillMarket(database: Database, size: MarketSize): Promise<MarketRows> {
  const rows = await fillTrades(database, size);
  await fillFromTrades(database);
  await vacuumAll(database);
  return rows;
}

/** Tokens, addresses and trades. */
export async function fillTrades(
  database: Database,
  { tokens, trades, isSplit = false, atOnce = 1 }: MarketSize,
): Promise<MarketRows> {
  const [mints, wallets] = [addresses('market', tokens), addresses('trader', WALLETS)];
  const jobs = database.on('jobs');
  await jobs.transaction((tx) => insertTokens(tx, mints, wallets.slice(0, CREATORS)));
  await jobs.queries.execute(
    sql`insert into addresses (address) select * from unnest(${column([...mints, ...wallets], 'text')})`,
  );
  const most = Math.min(TRADES_PER_STATEMENT, Math.ceil(trades / 2));
  const batches: TradeBatch[] = [];
  for (let from = 0; from < trades; from += most) {
    const count = Math.min(most, trades - from);
    const [taken] = await rowsOf<{ last: string }>(
      jobs.queries,
      sql`select ${idsTake({ count })}::text as last`,
    );
    batches.push({ from, count, first: Number(taken!.last) - count + 1, tokens, trades });
    if (isSplit && from === 0)
      await jobs.queries.execute(sql`select setval('records_id_seq', trade_partitions_end() - 1)`);
  }
  // Each lane takes the next batch that is left.
  const left = batches.values();
  const lanes = Array.from({ length: atOnce }, async () => {
    for (const batch of left) await jobs.transaction((tx) => insertTrades(tx, wallets, batch));
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
  await tx.execute(sql`
    insert into other_records (signature, "outer", "inner", slot, kind, mint)
    select 'creation of ' || mint, 0, 0, n, 'create', mint from ${numbered(mints, 'listed(mint, n)')} order by n
  `);
  await tx.execute(sql`
    insert into tokens (mint, record_id, creator, curve, name, symbol, uri, after_migration_fee_bps, burn_bps, holders_bps,
      lp_bps, initial_virtual_sol, initial_virtual_token, platform_fee_bps, created_at)
    select mint, id, creator, mint, 'Token ' || id, 'T' || id, 'https://example.org/' || id || '.json', 100,
      1000, 2000, 3000, 30000000000, 1073000000000000, 100, ${BEGIN}::bigint
    from records join ${numbered(creators, 'creators(creator, n)')} on n = 1 + id % ${creators.length}::integer
  `);
  await insertCurveStates(tx);
}

/** Curves of all tokens, before their first trade. */
export async function insertCurveStates(tx: Transaction): Promise<void> {
  await tx.execute(sql`
    insert into curve_states (mint, status, virtual_sol, virtual_token, buys, sells, sol_paid, sol_received, tokens_bought,
      tokens_sold, fees, last_record_id, updated_at)
    select mint, 1, initial_virtual_sol, initial_virtual_token, 0, 0, 0, 0, 0, 0, 0, record_id, created_at from tokens
  `);
}

/** Trades at changing prices, half of them of popular tokens. */
async function insertTrades(
  tx: Transaction,
  wallets: readonly string[],
  { from, count, first, tokens, trades }: TradeBatch,
): Promise<void> {
  const popular = Math.ceil(tokens / POPULAR_SHARE);
  await stayIdle(tx);
  await tx.execute(sql`
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
      join addresses traders on traders.address = listed.wallet
  `);
}

/** For the rest of the transaction: parameters of a million elements take seconds to write. */
export async function stayIdle(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
}

/** For the rest of the transaction, which reads all trades: it sorts in memory, and takes as long as that takes. */
export async function readAll(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local work_mem = '1GB'`);
  await tx.execute(sql`set local statement_timeout = 0`);
}

/** Fills the derived tables as the indexer and the job of the last day would, step by step. */
export async function fillFromTrades(database: Database): Promise<void> {
  const jobs = database.on('jobs');
  // New tables have no statistics, and each token's newest trade would be looked for among all.
  await jobs.queries.execute(sql`analyze tokens, addresses, trade_rows`);
  await jobs.transaction(insertCandles);
  await jobs.queries.execute(sql`analyze candles`);
  await jobs.transaction(insertMarketTokens);
}

async function insertCandles(tx: Transaction): Promise<void> {
  await readAll(tx);
  await tx.execute(sql`
    insert into candles (mint, minute, first_id, open, high, low, close, volume, trades)
    select a.address, c.minute, c.first_id, c.caps[1], c.high, c.low, c.caps[c.trades], c.volume, c.trades from (
      select mint_id, minute, min(id) as first_id, array_agg(cap) as caps, max(cap) as high, min(cap) as low,
        sum(sol_amount) as volume, count(*) as trades
      from (
        select mint_id, timestamp - timestamp % 60 as minute, id, sol_amount,
          div(virtual_sol * 1000000000000000, virtual_token) as cap
        from trade_rows order by mint_id, minute, id
      ) t group by mint_id, minute
    ) c join addresses a on a.id = c.mint_id
  `);
}

async function insertMarketTokens(tx: Transaction): Promise<void> {
  await readAll(tx);
  await tx.execute(sql`
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
      ) o on true
  `);
  await tx.execute(sql`update market_state set lapsed_to = ${LAPSED_TO}::bigint where id = 1`);
}
