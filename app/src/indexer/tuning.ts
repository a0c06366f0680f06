/** Sizes and times of the indexer, smaller in tests. */
export interface Tuning {
  /** Transactions that the node lists at once; nodes allow 1,000. */
  readonly pageSize: number;
  /** Transactions read and written at once: few enough for flat memory, many enough for cheap statements. */
  readonly batchSize: number;
  /** How long a node may take to find a transaction that it lists. */
  readonly lookupTimeoutMs: number;
}

export const DEFAULT_TUNING: Tuning = { pageSize: 1_000, batchSize: 1_000, lookupTimeoutMs: 10_000 };
