/** Sizes and times of the indexer. Tests use smaller ones. */
export interface Tuning {
  /** Transactions per listing of the RPC node. RPC nodes allow 1,000. */
  readonly pageSize: number;
  /** Transactions read and written at once. A small batch limits memory, a large one saves statements. */
  readonly batchSize: number;
  /** Pages that are listed at the tip before a gap counts as long and goes through the backlog. */
  readonly pagesAtOnce?: number;
  /** The next list is read while at least so many records are previewed. Never, without it. */
  readonly readAheadFrom?: number;
  /** Requests for transactions that run at the same time. */
  readonly parallelRequests?: number;
  /** From how many transactions of a slot on its whole block is read: some megabytes in one answer, instead of so many answers. */
  readonly wholeBlockFrom: number;
  /** How long an RPC node may take to return a transaction that it lists. */
  readonly lookupTimeoutMs: number;
}

export const DEFAULT_TUNING: Tuning = {
  pageSize: 1_000,
  batchSize: 1_000,
  pagesAtOnce: 50,
  readAheadFrom: 500,
  wholeBlockFrom: 200,
  lookupTimeoutMs: 10_000,
};
