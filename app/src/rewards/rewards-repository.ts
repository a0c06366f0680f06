import { eq, sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '../db/database.js';
import {
  balancesOf,
  toBalances,
  walletBalances,
  type BalancesRow,
  type WalletBalances,
} from '../db/ledger.js';
import { tokens } from '../db/schema/index.js';
import { Gathered } from './gathered.js';

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

/** Reads of the Rewards Claiming API. Those of the same kind that come together are one query. */
export class RewardsRepository {
  readonly #rewards: Gathered<RewardsOfToken[]>;

  constructor(private readonly db: Executor) {
    this.#rewards = new Gathered((wallets) => this.#readRewards(wallets));
  }

  /** A wallet's rewards of every token, ordered by token address. */
  async rewards(wallet: string): Promise<RewardsOfToken[]> {
    return (await this.#rewards.get(wallet)) ?? [];
  }

  /** A wallet's rewards of one token; undefined when it never had any. */
  async balance(wallet: string, mint: string): Promise<WalletBalances | undefined> {
    return (await walletBalances(this.db, wallet, mint))[0];
  }

  async tokenExists(mint: string): Promise<boolean> {
    const rows = await this.db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return rows.length > 0;
  }

  async #readRewards(wallets: readonly string[]): Promise<Map<string, RewardsOfToken[]>> {
    const rows = await rowsOf<BalancesRow & Record<keyof TokenRow, string | null>>(
      this.db,
      sql`
        select balances.*, name, symbol, image, virtual_sol::text, virtual_token::text
        from (${balancesOf(wallets)}) balances
        left join tokens using (mint) left join token_metadata using (mint) left join curve_states using (mint)
        order by mint
      `,
    );
    const byWallet = new Map<string, RewardsOfToken[]>();
    for (const row of rows) {
      const rewards = { ...toBalances(row), token: toToken(row) };
      const ofWallet = byWallet.get(row.owner);
      if (ofWallet === undefined) byWallet.set(row.owner, [rewards]);
      else ofWallet.push(rewards);
    }
    return byWallet;
  }
}

type TokenRow = Readonly<
  Record<'name' | 'symbol' | 'image' | 'virtual_sol' | 'virtual_token', string | null>
>;

function toToken({ name, symbol, image, virtual_sol, virtual_token }: TokenRow): KnownToken {
  return {
    name,
    symbol,
    image,
    virtualSol: virtual_sol === null ? null : BigInt(virtual_sol),
    virtualToken: virtual_token === null ? null : BigInt(virtual_token),
  };
}
