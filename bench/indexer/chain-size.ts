// What a long artificial history is made from, and what it adds up to.
import type { Sample } from './transaction-template.js';

export interface Samples {
  readonly create: Sample;
  readonly buy: Sample;
  readonly sell: Sample;
}

export interface ChainSize {
  /** Transactions with a record each. */
  readonly records: number;
  /** Wallets that trade. */
  readonly traders: readonly string[];
  /** The first traders, who are referred users. A partner earns `shareBps` of each of their fees. */
  readonly users: number;
  readonly shareBps: number;
  /** Transactions per slot. */
  readonly perSlot: number;
  /** Unix seconds of the first slot. */
  readonly firstTime: number;
}

/** Totals of the whole chain. Amounts are in lamports. */
export interface ChainTotals {
  readonly records: number;
  readonly trades: number;
  readonly tokens: number;
  readonly solPaid: bigint;
  readonly solReceived: bigint;
  readonly fees: bigint;
  /** Σ of the users' rewards, each rounded down. */
  readonly rewards: bigint;
}
