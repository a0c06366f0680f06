// The queries of GET /rewards. Each is a named prepared statement, which PostgreSQL plans once per connection, because
// planning takes longer than reading a wallet's few rows.
import { sql, type SQL } from 'drizzle-orm';
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import type { Executor } from '../../db/database.js';

/**
 * Limit per wallet of the shared query of many wallets, for ledger rows and for pending rewards each. A wallet with more
 * rows is read by its own query, so that other wallets do not wait for it.
 */
export const SHARED_ROWS = 100;

/** A row of the ledger, or a pending reward with kind `pending`. */
export interface AmountRow {
  readonly owner: string;
  readonly mint: string;
  readonly asset: 'SOL' | 'TOKEN';
  readonly kind: string;
  /** Decimal digits. */
  readonly amount: string;
}

/** A wallet's rewards of a token, as decimal digits. */
export interface RewardRow {
  readonly mint: string;
  readonly unclaimedSol: string;
  readonly unclaimedToken: string;
  /** The sum of claimable, reserved and claimed. */
  readonly allSol: string;
  readonly allToken: string;
}

export interface TokenRow {
  readonly mint: string;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly image: string | null;
  /** Decimal digits. */
  readonly virtualSol: string | null;
  readonly virtualToken: string | null;
}

export interface RewardQueries {
  /** Rows of several wallets, ordered by token address, at most `SHARED_ROWS` of each kind per wallet. */
  readonly ofWallets: (wallets: readonly string[]) => Promise<AmountRow[]>;
  /** A wallet's first `count` tokens after an address, ordered by address. */
  readonly ofWallet: (wallet: string, after: string, count: number) => Promise<RewardRow[]>;
  /** One row per mint. */
  readonly tokens: (mints: readonly string[]) => Promise<TokenRow[]>;
}

export function prepareRewardQueries(db: Executor): RewardQueries {
  const ofWallets = prepare(db, 'rewards_of_wallets', OF_WALLETS, toAmountRow);
  const ofWallet = prepare(db, 'rewards_of_wallet', OF_WALLET, toRewardRow);
  const tokens = prepare(db, 'tokens_of_rewards', TOKENS, toTokenRow);
  return {
    ofWallets: (wallets) => ofWallets.execute({ wallets }),
    ofWallet: (wallet, after, count) => ofWallet.execute({ wallet, after, count }),
    tokens: (mints) => tokens.execute({ mints }),
  };
}

/**
 * Rows of one wallet, in the order of an index that begins with the wallet. The comparison of the pair (wallet, mint)
 * forces that index. With `wallet = … order by mint limit …` the planner read the rows of all wallets when few wallets had
 * most of the rows.
 */
const ledgerRows = (wallet: SQL, after: SQL, columns: SQL) => sql`
  select ${columns} from ledger_accounts
  where (owner, mint) > (${wallet}, ${after}) and owner <= ${wallet} order by owner, mint`;
const pendingRows = (wallet: SQL, after: SQL, columns: SQL) => sql`
  select ${columns} from pending_rewards
  where (wallet, mint) > (${wallet}, ${after}) and wallet <= ${wallet} order by wallet, mint`;

/**
 * `(select …)` hides the array's length from the planner. Otherwise it would plan every execution with fewer than ten
 * elements again.
 */
const asked = (name: string, column: SQL) =>
  sql`unnest((select ${sql.placeholder(name)}::text[])) as asked(${column})`;

const SHARED = sql.raw(String(SHARED_ROWS));
/** The service sums the rows, because PostgreSQL would take longer to sum them than to read them. */
const OF_WALLETS = sql`
  select asked.wallet as owner, mint, asset, kind, amount::text from ${asked('wallets', sql`wallet`)}
  cross join lateral (
    (${ledgerRows(sql`asked.wallet`, sql`''`, sql`mint, asset, kind, balance as amount`)} limit ${SHARED})
    union all
    (${pendingRows(sql`asked.wallet`, sql`''`, sql`mint, asset, 'pending', amount`)} limit ${SHARED})
  ) counted order by mint`;

const WALLET = sql`${sql.placeholder('wallet')}::text`;
const AFTER = sql`${sql.placeholder('after')}::text`;
const COUNT = sql`${sql.placeholder('count')}::integer`;

/**
 * Reads the page's tokens first, only from the indexes, so that the cost does not depend on how many tokens follow. Then looks up each
 * token: with a range of tokens the planner read the whole ledger once it had 10,000,000 rows. The order and the limit force the
 * index; a wallet has at most 12 rows of a token.
 */
const OF_WALLET = sql`
  select page.mint, sums.* from (
    select mint from (${ledgerRows(WALLET, AFTER, sql`distinct owner, mint`)} limit ${COUNT}) of_ledger
    union
    select mint from (${pendingRows(WALLET, AFTER, sql`distinct wallet, mint`)} limit ${COUNT}) of_pending
    order by mint limit ${COUNT}
  ) page
  cross join lateral (
    select
      coalesce(sum(amount) filter (where asset = 'SOL' and kind in ('claimable', 'pending')), 0)::text as unclaimed_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN' and kind in ('claimable', 'pending')), 0)::text as unclaimed_token,
      coalesce(sum(amount) filter (where asset = 'SOL'), 0)::text as all_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN'), 0)::text as all_token
    from (
      (
        select asset, kind, balance as amount from ledger_accounts where owner = ${WALLET} and mint = page.mint
        order by asset, kind, origin limit ${SHARED}
      )
      union all
      select asset, 'pending', amount from pending_rewards where wallet = ${WALLET} and mint = page.mint
    ) counted
  ) sums order by page.mint`;

/**
 * Joins the columns of a token's row. A plain join would read all tokens; with `mint = …` the planner still reads a whole
 * table of a few hundred rows per token. `order by mint limit 1` always uses the index.
 */
const ofToken = (table: SQL, columns: SQL) => sql`
  left join lateral (
    select mint as found, ${columns} from ${table} where mint >= asked.mint order by mint limit 1
  ) ${table} on ${table}.found = asked.mint`;

const TOKENS = sql`
  select asked.mint, name, symbol, image, virtual_sol::text, virtual_token::text
  from ${asked('mints', sql`mint`)} ${ofToken(sql`tokens`, sql`name, symbol`)}
  ${ofToken(sql`token_metadata`, sql`image`)} ${ofToken(sql`curve_states`, sql`virtual_sol, virtual_token`)}`;

const DIALECT = new PgDialect();

/**
 * Rows arrive as arrays of columns. Drizzle would build each object column by column, which takes as long as reading the
 * rows.
 */
function prepare<Columns, Row>(db: Executor, name: string, query: SQL, toRow: (columns: Columns) => Row) {
  return db._.session.prepareQuery<PreparedQueryConfig & { execute: Row[] }>(
    DIALECT.sqlToQuery(query),
    undefined,
    name,
    true,
    (rows) => (rows as Columns[]).map(toRow),
  );
}

function toAmountRow([owner, mint, asset, kind, amount]: readonly [
  ...[owner: string, mint: string, asset: AmountRow['asset'], kind: string, amount: string],
]): AmountRow {
  return { owner, mint, asset, kind, amount };
}

function toRewardRow([mint, unclaimedSol, unclaimedToken, allSol, allToken]: readonly [
  ...[mint: string, unclaimedSol: string, unclaimedToken: string, allSol: string, allToken: string],
]): RewardRow {
  return { mint, unclaimedSol, unclaimedToken, allSol, allToken };
}

type Text = string | null;

function toTokenRow([mint, name, symbol, image, virtualSol, virtualToken]: readonly [
  ...[mint: string, name: Text, symbol: Text, image: Text, virtualSol: Text, virtualToken: Text],
]): TokenRow {
  return { mint, name, symbol, image, virtualSol, virtualToken };
}
