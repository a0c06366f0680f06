/**
 * What one instance, one database and one indexer have done on two cores. A test compares them with docs/service.md and
 * docs/capacity.md, but for the memory of an instance.
 */

export const MEASURED = {
  /** `GET /rewards/:address`, the dearest request of a page, of one instance. */
  readsPerSecond: 5_151,
  /** Readers of the stream, of one instance. */
  readers: 10_000,
  /** Memory of the service for a reader, in KiB. */
  readerKib: 25,
  /** Claims handed out by two instances, on one database. */
  claimsPerSecond: 353,
  /** Confirmed trades that the indexer keeps up with, from a gRPC feed. One instance indexes. */
  tradesPerSecond: 10_000,
  /** Records of a back-fill, which is the indexer without waiting. */
  backFillPerSecond: 7_810,
  /** What a trade takes on disk, with its record, candles, positions, rewards and indexes. */
  bytesPerTrade: 536,
  /** Memory of an instance without readers, in MiB. A round figure: it is more during a settlement. */
  instanceMib: 300,
  /** Connections to the database of an instance that nobody asks anything, from `npm run bench -- instances`. */
  idleConnections: 6,
  /** Cores of the database that so many of these instances take, with a balancer's checks and an open page each. */
  idleDatabaseCores: 0.5,
  idleInstances: 200,
} as const;
