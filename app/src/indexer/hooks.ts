// What else happens with trades, in the very transaction that indexes them.
import type { Transaction } from '../db/database.js';

/** A trade as it is indexed. Lamports and smallest token units. */
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
   * Trades that are final, in the chain's order, each once; again after a reindex, so what the hook books must be keyed
   * by signature and position. Rows of `pending_rewards` of these trades are gone already.
   */
  onFinalizedTrades(tx: Transaction, trades: readonly IndexedTrade[]): Promise<void>;
}

/** For an indexer that only indexes. */
export const NO_HOOKS: TradeHooks = {
  onConfirmedTrades: () => Promise.resolve(),
  onFinalizedTrades: () => Promise.resolve(),
};
