import { eq, inArray } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { walletBalances, type WalletBalances } from '../db/ledger.js';
import { curveStates, tokenMetadata, tokens } from '../db/schema/index.js';

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

/** Reads of the Rewards Claiming API. */
export class RewardsRepository {
  constructor(private readonly db: Executor) {}

  /** Ordered by token address. */
  balances(wallet: string, mint?: string): Promise<WalletBalances[]> {
    return walletBalances(this.db, wallet, mint);
  }

  async tokens(mints: readonly string[]): Promise<Map<string, TokenRow>> {
    if (mints.length === 0) return new Map();
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
      .where(inArray(tokens.mint, [...mints]));
    return new Map(rows.map((row) => [row.mint, row]));
  }

  async tokenExists(mint: string): Promise<boolean> {
    const rows = await this.db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return rows.length > 0;
  }
}
