// Additional work on records and trades, in the transaction that indexes them.
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
  /** Platform fee in lamports. */
  readonly fee: bigint;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: number;
}

export interface TradeHooks {
  /**
   * Trades that are confirmed but can still be dropped. Rows that the hook stores must be deleted with their `recordId`,
   * like rows of `pending_rewards`.
   */
  onConfirmedTrades(tx: Transaction, trades: readonly IndexedTrade[]): Promise<void>;
  /**
   * Finalized trades in the order of the chain, each once. After a reindex they come again, so the hook must key its
   * bookings by signature and position. The `pending_rewards` rows of these trades are already deleted.
   */
  onFinalizedTrades(tx: Transaction, trades: readonly IndexedTrade[]): Promise<void>;
}

/** Updates other tables that are derived from the records, finalized or not. */
export interface RecordHooks {
  /** Called after records were stored, in the order of the chain. */
  onStored(tx: Transaction, records: readonly NumberedRecord[], finalized: boolean): Promise<void>;
  /** Called when every stored record up to this one is finalized. */
  onFinalized(tx: Transaction, lastId: bigint): Promise<void>;
  /**
   * Called before records from this one on are deleted because of a reorg. @returns a function to call after the deletion
   */
  onDropping(tx: Transaction, firstId: bigint): Promise<() => Promise<void>>;
}

export interface IndexHooks extends TradeHooks {
  readonly records?: RecordHooks;
}

/** Hooks that do nothing. */
export const NO_HOOKS: TradeHooks = {
  onConfirmedTrades: () => Promise.resolve(),
  onFinalizedTrades: () => Promise.resolve(),
};
