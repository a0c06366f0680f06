// The two queries behind GET /rewards, each a named prepared statement: PostgreSQL plans it once per connection, and
// planning takes longer than reading a wallet's few rows.
import { sql, type SQL } from 'drizzle-orm';
import { PgDialect, type PreparedQueryConfig } from 'drizzle-orm/pg-core';
import type { Executor } from '../db/database.js';

/**
 * Rows read of each wallet, of the ledger and of pending rewards alike, by the query that many wallets share. A wallet
 * that has more is read by a query of its own, so that no other wallet waits for it.
 */
export const SHARED_ROWS = 100;

/** A wallet's rewards of a token, and the token. Amounts as text. */
export interface RewardRow {
  readonly owner: string;
  readonly mint: string;
  readonly unclaimedSol: string;
  readonly unclaimedToken: string;
  /** Claimable, reserved and claimed. */
  readonly allSol: string;
  readonly allToken: string;
  /** Rows of the ledger, and of pending rewards, that the amounts sum. */
  readonly accounts: number;
  readonly pending: number;
  readonly name: string | null;
  readonly symbol: string | null;
  readonly image: string | null;
  readonly virtualSol: string | null;
  readonly virtualToken: string | null;
}

export interface RewardQueries {
  /** Rewards of several wallets by token address. Of a wallet with more than `SHARED_ROWS` rows some are left out. */
  readonly ofWallets: (wallets: readonly string[]) => Promise<RewardRow[]>;
  /** A wallet's first `count` tokens after an address, by address. */
  readonly ofWallet: (wallet: string, after: string, count: number) => Promise<RewardRow[]>;
}

/** Prepares the queries. */
export function prepareRewardQueries(db: Executor): RewardQueries {
  const ofWallets = prepare(db, 'rewards_of_wallets', OF_WALLETS);
  const ofWallet = prepare(db, 'rewards_of_wallet', OF_WALLET);
  return {
    ofWallets: (wallets) => ofWallets.execute({ wallets }),
    ofWallet: (wallet, after, count) => ofWallet.execute({ wallet, after, count }),
  };
}

const AMOUNTS = sql`
  coalesce(sum(amount) filter (where asset = 'SOL' and kind in ('claimable', 'pending')), 0) as unclaimed_sol,
  coalesce(sum(amount) filter (where asset = 'TOKEN' and kind in ('claimable', 'pending')), 0) as unclaimed_token,
  coalesce(sum(amount) filter (where asset = 'SOL'), 0) as all_sol,
  coalesce(sum(amount) filter (where asset = 'TOKEN'), 0) as all_token,
  count(*) filter (where kind <> 'pending')::integer as accounts,
  count(*) filter (where kind = 'pending')::integer as pending`;

/**
 * Rows of one wallet, in the order of an index that begins with the wallet. Comparing (wallet, mint) as a pair leaves the
 * planner no other index: `wallet = … order by mint limit …` made it walk through every wallet's rows in the order of mints
 * where few wallets have most of the rows.
 */
const ledgerRows = (wallet: SQL, after: SQL, columns: SQL) => sql`
  select ${columns} from ledger_accounts
  where (owner, mint) > (${wallet}, ${after}) and owner <= ${wallet} order by owner, mint`;
const pendingRows = (wallet: SQL, after: SQL, columns: SQL) => sql`
  select ${columns} from pending_rewards
  where (wallet, mint) > (${wallet}, ${after}) and wallet <= ${wallet} order by wallet, mint`;

const SHARED = sql.raw(String(SHARED_ROWS));
/** `(select …)` hides the array's length from the planner, which would plan every execution with fewer than ten wallets anew. */
const OF_WALLETS = sql`
  select asked.wallet as owner, mint, ${AMOUNTS} from unnest((select ${sql.placeholder('wallets')}::text[])) as asked(wallet)
  cross join lateral (
    (${ledgerRows(sql`asked.wallet`, sql`''`, sql`mint, asset, kind, balance as amount`)} limit ${SHARED})
    union all
    (${pendingRows(sql`asked.wallet`, sql`''`, sql`mint, asset, 'pending', amount`)} limit ${SHARED})
  ) counted group by asked.wallet, mint`;

const WALLET = sql`${sql.placeholder('wallet')}::text`;
const AFTER = sql`${sql.placeholder('after')}::text`;
const COUNT = sql`${sql.placeholder('count')}::integer`;

/** The page's tokens come first, from the indexes alone: what a page costs does not depend on how many tokens follow. */
const OF_WALLET = sql`
  select ${WALLET} as owner, rewards.* from (
    select max(mint) as last from (
      select mint from (${ledgerRows(WALLET, AFTER, sql`distinct owner, mint`)} limit ${COUNT}) of_ledger
      union
      select mint from (${pendingRows(WALLET, AFTER, sql`distinct wallet, mint`)} limit ${COUNT}) of_pending
      order by mint limit ${COUNT}
    ) mints
  ) page
  cross join lateral (
    select mint, ${AMOUNTS} from (
      select mint, asset, kind, balance as amount from ledger_accounts
        where (owner, mint) > (${WALLET}, ${AFTER}) and (owner, mint) <= (${WALLET}, page.last)
      union all
      select mint, asset, 'pending', amount from pending_rewards
        where (wallet, mint) > (${WALLET}, ${AFTER}) and (wallet, mint) <= (${WALLET}, page.last)
    ) counted group by mint
  ) rewards`;

/**
 * What a table knows of a token. Joined as a whole, every query would read all tokens; with `mint = …` a table of a few
 * hundred is still read whole for each token. The first mint from there on comes from the index in any case.
 */
const ofToken = (table: SQL, columns: SQL) => sql`
  left join lateral (
    select mint as found, ${columns} from ${table} where mint >= rewards.mint order by mint limit 1
  ) ${table} on ${table}.found = rewards.mint`;

const DIALECT = new PgDialect();

/**
 * With what is known of each token, ordered by its address. Rows come as lists of columns: Drizzle would make an object of each
 * one column at a time, which takes as long as reading them.
 */
function prepare(db: Executor, name: string, rewards: SQL) {
  const query = sql`
    select owner, mint, unclaimed_sol::text, unclaimed_token::text, all_sol::text, all_token::text, accounts, pending,
      name, symbol, image, virtual_sol::text, virtual_token::text
    from (${rewards}) rewards ${ofToken(sql`tokens`, sql`name, symbol`)} ${ofToken(sql`token_metadata`, sql`image`)}
      ${ofToken(sql`curve_states`, sql`virtual_sol, virtual_token`)}
    order by mint`;
  return db._.session.prepareQuery<PreparedQueryConfig & { execute: RewardRow[] }>(
    DIALECT.sqlToQuery(query),
    undefined,
    name,
    true,
    (rows) => (rows as unknown as Columns[]).map(toRow),
  );
}

type Columns = readonly [
  ...[owner: string, mint: string],
  ...[unclaimedSol: string, unclaimedToken: string, allSol: string, allToken: string],
  ...[accounts: number, pending: number],
  ...[name: string | null, symbol: string | null, image: string | null],
  ...[virtualSol: string | null, virtualToken: string | null],
];

function toRow(row: Columns): RewardRow {
  return {
    owner: row[0],
    mint: row[1],
    unclaimedSol: row[2],
    unclaimedToken: row[3],
    allSol: row[4],
    allToken: row[5],
    accounts: row[6],
    pending: row[7],
    name: row[8],
    symbol: row[9],
    image: row[10],
    virtualSol: row[11],
    virtualToken: row[12],
  };
}
