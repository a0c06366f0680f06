// Other work on records and trades, in the transaction that indexes them.
import type { Transaction } from '../db/database.js';
import type { NumberedRecord } from './records.js';

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

/** Keeps other tables that follow from the records, whether those are finalized or not. */
export interface RecordHooks {
  /** Records that were stored, in the chain's order. */
  onStored(tx: Transaction, records: readonly NumberedRecord[], finalized: boolean): Promise<void>;
  /** Every stored record up to this one is finalized. */
  onFinalized(tx: Transaction, lastId: bigint): Promise<void>;
  /** Records from this one on are about to be deleted with their fork. @returns called when they are deleted */
  onDropping(tx: Transaction, firstId: bigint): Promise<() => Promise<void>>;
}

export interface IndexHooks extends TradeHooks {
  readonly records?: RecordHooks;
}

/** Hooks of an indexer that only indexes. */
export const NO_HOOKS: TradeHooks = {
  onConfirmedTrades: () => Promise.resolve(),
  onFinalizedTrades: () => Promise.resolve(),
};
