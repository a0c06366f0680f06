import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Executor } from '../../db/database.js';
import { walletBalances, type WalletBalances } from '../../ledger/balances.js';
import { tokens } from '../../db/schema/index.js';
import { BatchLoader } from '../../db/batch-loader.js';
import {
  prepareRewardQueries,
  SHARED_ROWS,
  type AmountRow,
  type RewardQueries,
  type RewardRow,
  type TokenRow,
} from './reward-queries.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { ADDRESS_BYTES, decodeBase58 } from '../../base/base58.js';

/** Limit of concurrent reads of large wallets, so that most connections stay free for other requests. */
const LARGE_WALLETS_AT_ONCE = 2;

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

// Sums a wallet's rows per token. Most tokens have one row per asset, whose digits are used unchanged.

type Sums = { -readonly [Name in keyof RewardRow]: RewardRow[Name] };

/** Amounts that are claimable now or pending. All other amounts are reserved by a claim, or claimed. */
const UNCLAIMED = new Set(['claimable', 'pending']);

/** @param rows of one wallet, ordered by token @returns one entry per token, in the same order */
export function sumRewards(rows: readonly AmountRow[]): RewardRow[] {
  const rewards: Sums[] = [];
  for (const { mint, asset, kind, amount } of rows) {
    let sums = rewards.at(-1);
    if (sums?.mint !== mint) {
      sums = { mint, unclaimedSol: '0', unclaimedToken: '0', allSol: '0', allToken: '0' };
      rewards.push(sums);
    }
    const isUnclaimed = UNCLAIMED.has(kind);
    if (asset === 'SOL') {
      sums.allSol = plus(sums.allSol, amount);
      if (isUnclaimed) sums.unclaimedSol = plus(sums.unclaimedSol, amount);
    } else {
      sums.allToken = plus(sums.allToken, amount);
      if (isUnclaimed) sums.unclaimedToken = plus(sums.unclaimedToken, amount);
    }
  }
  return rewards;
}

function plus(a: string, b: string): string {
  if (a === '0') return b;
  if (b === '0') return a;
  return String(BigInt(a) + BigInt(b));
}

// Caches names, pictures and prices of tokens for a moment. Many wallets have rewards of the same tokens, and joining
// the tokens to every wallet's rows takes PostgreSQL longer than reading the rows.

/** Maximum age of a token's data. No payment depends on it. */
const MOST_AGE_MS = 1_000;
const MOST_TOKENS = 10_000;

interface Kept {
  readonly token: TokenRow;
  readonly readAt: number;
}

/** Tokens with data that is at most a second old. */
class TokenCache {
  /** In the order of their reads, newest last. */
  readonly #kept = new BoundedMap<string, Kept>(MOST_TOKENS);

  constructor(private readonly queries: Pick<RewardQueries, 'tokens'>) {}

  /** The tokens by address. A token that is not indexed has no name. */
  async read(mints: Iterable<string>): Promise<ReadonlyMap<string, TokenRow>> {
    const found = new Map<string, TokenRow>();
    const missing = new Set<string>();
    const oldest = performance.now() - MOST_AGE_MS;
    for (const mint of mints) {
      const kept = this.#kept.get(mint);
      if (kept !== undefined && kept.readAt > oldest) found.set(mint, kept.token);
      else missing.add(mint);
    }
    if (missing.size === 0) return found;
    const readAt = performance.now();
    for (const token of await this.queries.tokens([...missing])) {
      found.set(token.mint, token);
      if (token.name !== null) this.#kept.set(token.mint, { token, readAt });
    }
    return found;
  }
}

// Pages of a wallet's rewards.

/** Maximum tokens on one page, also the default. */
export const LARGEST_PAGE = 1_000;

export interface PageRequest {
  /** The page starts after this token address; undefined for the first page. */
  readonly after?: string | undefined;
  /** Number of tokens, 1 to `LARGEST_PAGE`. */
  readonly limit: number;
}

export interface Page<Entry> {
  /** Ordered by token address. */
  readonly entries: Entry[];
  /** The last token's address, if more tokens follow. */
  readonly next: string | undefined;
}

/** Encodes the end of a page as an opaque cursor for a URL. */
export function encodeCursor(mint: string): string {
  return Buffer.from(mint, 'latin1').toString('base64url');
}

/** Decodes the token address in a cursor; undefined when the text is not a cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const mint = Buffer.from(cursor, 'base64url').toString('latin1');
  const isAddress = decodeBase58(mint, ADDRESS_BYTES) !== undefined;
  return isAddress && encodeCursor(mint) === cursor ? mint : undefined;
}
