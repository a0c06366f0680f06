// Other work on trades, in the transaction that indexes them.
import type { Transaction } from '../db/database.js';

/** An indexed trade. Lamports and token base units. */
export interface IndexedTrade {
  readonly recordId: bigint;
  readonly signature: string;
  /** Index of the outer instruction. */
  readonly outer: number;
  /** Index of the inner instruction. */
  readonly inner: number;
  readonly slot: number;
  readonly mint: string;
  readonly trader: string;
  readonly isBuy: boolean;
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  /** Platform fee. */
  readonly fee: bigint;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: number;
}

export interface TradeHooks {
  /**
   * Trades that are confirmed but may still disappear. What the hook stores must disappear with their `recordId`, as
   * rows of `pending_rewards` do.
   */
  onConfirmedTrades(tx: Transaction, trades: readonly IndexedTrade[]): Promise<void>;
  /**
   * Finalized trades in the chain's order, each once. They come again after a reindex, so the hook must key its bookings by
   * signature and position. The `pending_rewards` rows of these trades are already deleted.
   */
  onFinalizedTrades(tx: Transaction, trades: readonly IndexedTrade[]): Promise<void>;
}

/** Hooks of an indexer that only indexes. */
export const NO_HOOKS: TradeHooks = {
  onConfirmedTrades: () => Promise.resolve(),
  onFinalizedTrades: () => Promise.resolve(),
};
