// What other features do with records and trades, in the transaction that stores, finalizes or drops them.
import type { Database, Transaction } from '../db/database.js';
import type { IdRange } from '../db/statements.js';
import type { Reserves } from './feed/newest-prices.js';
import type { Trade } from './trades/trade.js';
import type { NumberedRecord } from './records.js';

/** Records in the order of the chain, and the trades among them. */
export interface Stored {
  readonly records: readonly NumberedRecord[];
  readonly trades: readonly Trade[];
  readonly finalized: boolean;
  readonly newest?: NewestOf;
}

/** A curve's reserves by its mint, where the source knows newer ones than are stored. */
export type NewestOf = (mint: string) => Reserves | undefined;

/** What a reorg removed: records from an id on, and trades in pools whose graduation was among them. */
export interface Dropped {
  readonly firstId: bigint;
  /** Tokens with such records. */
  readonly mints: readonly string[];
  readonly trades: readonly Trade[];
}

/** A feature deletes its own rows: the indexer deletes only records, trades, and rows that reference a record. */
export interface IndexHooks {
  /** Before an indexer books anything. @param newestSlot asks the node for the newest confirmed slot */
  onBegin?(database: Database, newestSlot: () => Promise<number>): Promise<void>;
  /** Records were stored, finalized or not. */
  onStored?(tx: Transaction, stored: Stored): Promise<void>;
  /** Tokens have newer prices, whose trades wait to be stored. */
  onNewest?(tx: Transaction, mints: readonly string[], newest: NewestOf): Promise<void>;
  /** Trades are confirmed, but a reorg can still drop them. */
  onConfirmedTrades?(tx: Transaction, trades: readonly Trade[]): Promise<void>;
  /**
   * Records of curves are finalized: all in a range, each once. A hook reads those that it needs. After a reindex they come again, so
   * the hook must key its bookings by signature and position. Those up to `confirmedTo` were confirmed before.
   */
  onFinalized?(tx: Transaction, range: IdRange, confirmedTo?: bigint): Promise<void>;
  /** Records were deleted because of a reorg. */
  onDropped?(tx: Transaction, dropped: Dropped): Promise<void>;
}

/** For an indexer that no other feature follows. */
export const NO_HOOKS: readonly IndexHooks[] = [];
