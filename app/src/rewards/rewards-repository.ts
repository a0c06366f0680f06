import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Executor } from '../db/database.js';
import { walletBalances, type WalletBalances } from '../ledger/balances.js';
import { tokens } from '../db/schema/index.js';
import { BatchLoader } from '../db/batch-loader.js';
import type { Page, PageRequest } from './pages.js';
import { prepareRewardQueries, SHARED_ROWS, type RewardQueries, type RewardRow } from './reward-queries.js';

/** Large wallets that are read at the same time: however many ask, most connections stay free for the others. */
const LARGE_WALLETS_AT_ONCE = 2;

/** Reads of the Rewards Claiming API. Those of the same kind that come together are one query. */
export class RewardsRepository {
  readonly #queries: RewardQueries;
  /** Rows of wallets that have few; undefined in place of those of a large wallet. */
  readonly #fewRows: BatchLoader<readonly RewardRow[] | undefined>;
  readonly #largeWallets = pLimit(LARGE_WALLETS_AT_ONCE);

  constructor(private readonly db: Executor) {
    this.#queries = prepareRewardQueries(db);
    this.#fewRows = new BatchLoader((wallets) => this.#readFewRows(wallets));
  }

  /** A page of a wallet's rewards, one entry for each token with any reward ever, by token address. */
  async rewards(wallet: string, { after, limit }: PageRequest): Promise<Page<RewardRow>> {
    const few = after === undefined ? await this.#fewRows.get(wallet) : undefined;
    const rows =
      few ?? (await this.#largeWallets(() => this.#queries.ofWallet(wallet, after ?? '', limit + 1)));
    const page = rows.length > limit ? rows.slice(0, limit) : rows;
    return {
      entries: page.filter(hasReward),
      next: rows.length > limit ? page.at(-1)?.mint : undefined,
    };
  }

  /** A wallet's rewards of one token; undefined when it never had any. */
  async balance(wallet: string, mint: string): Promise<WalletBalances | undefined> {
    return (await walletBalances(this.db, wallet, mint))[0];
  }

  async tokenExists(mint: string): Promise<boolean> {
    const rows = await this.db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return rows.length > 0;
  }

  async #readFewRows(wallets: readonly string[]): Promise<Map<string, readonly RewardRow[] | undefined>> {
    const byWallet = new Map<string, RewardRow[]>(wallets.map((wallet) => [wallet, []]));
    for (const row of await this.#queries.ofWallets(wallets)) byWallet.get(row.owner)?.push(row);
    return new Map([...byWallet].map(([wallet, rows]) => [wallet, isWhole(rows) ? rows : undefined]));
  }
}

/** Whether the shared query left none of a wallet's rows out. */
function isWhole(rows: readonly RewardRow[]): boolean {
  let [accounts, pending] = [0, 0];
  for (const row of rows) {
    accounts += row.accounts;
    pending += row.pending;
  }
  return accounts < SHARED_ROWS && pending < SHARED_ROWS;
}

function hasReward({ allSol, allToken }: RewardRow): boolean {
  return allSol !== '0' || allToken !== '0';
}
