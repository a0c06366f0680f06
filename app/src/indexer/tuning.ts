/** Sizes and times of the indexer that tests make small. */
export interface Tuning {
  /** Transactions that the node lists at once; nodes allow 1,000. */
  readonly pageSize: number;
  /** Transactions read and written at once: few enough for flat memory, many enough for cheap statements. */
  readonly batchSize: number;
  /** How long a node may take to find a transaction that it lists. */
  readonly patienceMs: number;
}

export const DEFAULT_TUNING: Tuning = { pageSize: 1_000, batchSize: 1_000, patienceMs: 10_000 };
