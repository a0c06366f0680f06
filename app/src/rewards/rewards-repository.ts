import { eq, sql } from 'drizzle-orm';
import { column } from '../db/arrays.js';
import type { Executor } from '../db/database.js';
import { balancesOfWallets, walletBalances, type WalletBalances } from '../db/ledger.js';
import { curveStates, tokenMetadata, tokens } from '../db/schema/index.js';
import { Gathered } from './gathered.js';

/** What is known of a token. */
export interface TokenRow {
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  /** Null before the metadata was fetched. */
  readonly image: string | null;
  /** Lamports; null before the curve's first record. */
  readonly virtualSol: bigint | null;
  /** Smallest token units. */
  readonly virtualToken: bigint | null;
}

/** Reads of the Rewards Claiming API. Those of the same kind that come together are one query. */
export class RewardsRepository {
  readonly #balances: Gathered<WalletBalances[]>;
  readonly #tokens: Gathered<TokenRow>;

  constructor(private readonly db: Executor) {
    this.#balances = new Gathered((wallets) => balancesOfWallets(db, wallets));
    this.#tokens = new Gathered((mints) => this.#readTokens(mints));
  }

  /** A wallet's rewards of every token, ordered by token address. */
  async balances(wallet: string): Promise<WalletBalances[]> {
    return (await this.#balances.get(wallet)) ?? [];
  }

  /** A wallet's rewards of one token; undefined when it never had any. */
  async balance(wallet: string, mint: string): Promise<WalletBalances | undefined> {
    return (await walletBalances(this.db, wallet, mint))[0];
  }

  /** Undefined when there is no such token. */
  token(mint: string): Promise<TokenRow | undefined> {
    return this.#tokens.get(mint);
  }

  async tokenExists(mint: string): Promise<boolean> {
    const rows = await this.db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return rows.length > 0;
  }

  async #readTokens(mints: readonly string[]): Promise<Map<string, TokenRow>> {
    const rows = await this.db
      .select({
        mint: tokens.mint,
        name: tokens.name,
        symbol: tokens.symbol,
        image: tokenMetadata.image,
        virtualSol: curveStates.virtualSol,
        virtualToken: curveStates.virtualToken,
      })
      .from(tokens)
      .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
      .leftJoin(curveStates, eq(curveStates.mint, tokens.mint))
      .where(sql`${tokens.mint} = any(${column(mints, 'text')})`);
    return new Map(rows.map((row) => [row.mint, row]));
  }
}
