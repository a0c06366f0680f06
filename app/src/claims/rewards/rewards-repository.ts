import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Executor } from '../../db/database.js';
import { walletBalances, type WalletBalances } from '../../ledger/balances.js';
import { tokens } from '../../db/schema/index.js';
import { BatchLoader } from '../../db/batch-loader.js';
import type { Page, PageRequest } from './pages.js';
import {
  prepareRewardQueries,
  SHARED_ROWS,
  type AmountRow,
  type RewardQueries,
  type RewardRow,
  type TokenRow,
} from './reward-queries.js';
import { sumRewards } from './sum-rewards.js';
import { TokenCache } from './token-cache.js';

/** Limit of concurrent reads of large wallets, so that most connections stay free for other requests. */
const LARGE_WALLETS_AT_ONCE = 2;

/** A wallet's rewards of a token, with the token's data. */
export interface RewardEntry {
  readonly reward: RewardRow;
  readonly token: TokenRow;
}

/** Reads of the Rewards Claiming API. Concurrent reads of the same kind share one query. */
export class RewardsRepository {
  readonly #queries: RewardQueries;
  readonly #tokens: TokenCache;
  /** Entries of each wallet with few rows; undefined for a large wallet. */
  readonly #ofFewRows: BatchLoader<readonly RewardEntry[] | undefined>;
  readonly #largeWallets = pLimit(LARGE_WALLETS_AT_ONCE);

  constructor(private readonly db: Executor) {
    this.#queries = prepareRewardQueries(db);
    this.#tokens = new TokenCache(this.#queries);
    this.#ofFewRows = new BatchLoader((wallets) => this.#readFewRows(wallets));
  }

  /** A page of a wallet's rewards, one entry per token that ever had a reward, ordered by token address. */
  async rewards(wallet: string, { after, limit }: PageRequest): Promise<Page<RewardEntry>> {
    const few = after === undefined ? await this.#ofFewRows.get(wallet) : undefined;
    const all = few ?? (await this.#largeWallets(() => this.#readPage(wallet, after ?? '', limit + 1)));
    const page = all.length > limit ? all.slice(0, limit) : all;
    return {
      entries: page.filter(hasReward),
      next: all.length > limit ? page.at(-1)?.reward.mint : undefined,
    };
  }

  /** A wallet's rewards of one token; undefined when it never had a reward. */
  async balance(wallet: string, mint: string): Promise<WalletBalances | undefined> {
    return (await walletBalances(this.db, wallet, mint))[0];
  }

  async tokenExists(mint: string): Promise<boolean> {
    const rows = await this.db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return rows.length > 0;
  }

  async #readFewRows(wallets: readonly string[]): Promise<Map<string, readonly RewardEntry[] | undefined>> {
    const rows = await this.#queries.ofWallets(wallets);
    const tokens = await this.#tokens.read(new Set(rows.map(({ mint }) => mint)));
    const byWallet = new Map<string, AmountRow[]>(wallets.map((wallet) => [wallet, []]));
    for (const row of rows) byWallet.get(row.owner)?.push(row);
    return new Map(
      [...byWallet].map(([wallet, own]) => [
        wallet,
        isWhole(own) ? withTokens(sumRewards(own), tokens) : undefined,
      ]),
    );
  }

  async #readPage(wallet: string, after: string, count: number): Promise<readonly RewardEntry[]> {
    const rewards = await this.#queries.ofWallet(wallet, after, count);
    return withTokens(rewards, await this.#tokens.read(rewards.map(({ mint }) => mint)));
  }
}

/** Whether the shared query returned all rows of a wallet. */
function isWhole(rows: readonly AmountRow[]): boolean {
  if (rows.length < SHARED_ROWS) return true;
  const pending = rows.filter(({ kind }) => kind === 'pending').length;
  return pending < SHARED_ROWS && rows.length - pending < SHARED_ROWS;
}

function withTokens(
  rewards: readonly RewardRow[],
  tokens: ReadonlyMap<string, TokenRow>,
): readonly RewardEntry[] {
  return rewards.map((reward) => ({ reward, token: tokens.get(reward.mint)! }));
}

function hasReward({ reward: { allSol, allToken } }: RewardEntry): boolean {
  return allSol !== '0' || allToken !== '0';
}
