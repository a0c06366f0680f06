import { eq } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { walletBalances, type WalletBalances } from '../ledger/balances.js';
import { tokens } from '../db/schema/index.js';
import { BatchLoader } from '../db/batch-loader.js';
import { LARGEST_PAGE, type Page, type PageRequest } from './pages.js';
import { prepareRewardQueries, SHARED_ROWS, type RewardQueries, type RewardRow } from './reward-queries.js';
import { Turns } from './turns.js';

/** What is known of a token: nothing while the index is rebuilt, though its rewards are booked. */
export interface KnownToken {
  readonly name: string | null;
  readonly symbol: string | null;
  /** Null before the metadata was fetched. */
  readonly image: string | null;
  /** Lamports; null before the curve's first record. */
  readonly virtualSol: bigint | null;
  /** Smallest token units. */
  readonly virtualToken: bigint | null;
}

/** A wallet's rewards of a token, and the token. */
export type RewardsOfToken = WalletBalances & { readonly token: KnownToken };

/** Large wallets that are read at the same time: however many ask, most connections stay free for the others. */
const LARGE_WALLETS_AT_ONCE = 2;

/** Reads of the Rewards Claiming API. Those of the same kind that come together are one query. */
export class RewardsRepository {
  readonly #queries: RewardQueries;
  /** Rows of wallets that have few; undefined in place of those of a large wallet. */
  readonly #fewRows: BatchLoader<readonly RewardRow[] | undefined>;
  readonly #largeWallets = new Turns(LARGE_WALLETS_AT_ONCE);

  constructor(private readonly db: Executor) {
    this.#queries = prepareRewardQueries(db);
    this.#fewRows = new BatchLoader((wallets) => this.#readFewRows(wallets));
  }

  /** A page of a wallet's rewards, one entry for each token with any reward ever, by token address. */
  async rewards(
    wallet: string,
    { after, limit }: PageRequest = { limit: LARGEST_PAGE },
  ): Promise<Page<RewardsOfToken>> {
    const few = after === undefined ? await this.#firstRows(wallet) : undefined;
    const rows =
      few ?? (await this.#largeWallets.run(() => this.#queries.ofWallet(wallet, after ?? '', limit + 1)));
    const page = rows.slice(0, limit);
    return {
      entries: page.filter(hasReward).map(toRewards),
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

  /** All rows of a wallet that has few. */
  #firstRows(wallet: string): Promise<readonly RewardRow[] | undefined> {
    return this.#fewRows.get(wallet);
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

function toRewards(row: RewardRow): RewardsOfToken {
  const { mint, name, symbol, image, virtualSol, virtualToken } = row;
  return {
    mint,
    unclaimedSol: BigInt(row.unclaimedSol),
    unclaimedToken: BigInt(row.unclaimedToken),
    allTimeSol: BigInt(row.allSol),
    allTimeToken: BigInt(row.allToken),
    token: {
      name,
      symbol,
      image,
      virtualSol: virtualSol === null ? null : BigInt(virtualSol),
      virtualToken: virtualToken === null ? null : BigInt(virtualToken),
    },
  };
}
