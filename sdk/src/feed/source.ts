// What a feed reads from. Another source of transactions, such as a gRPC stream, is one file that implements this.
import type { Commitment, PublicKey } from '@solana/web3.js';
import type { RecordSource } from '../records/record.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import type { SourceTerms } from './shapes.js';

/** Where a feed begins: with what happens from now on, with the program's first transaction, or after a record. */
export type FeedStart = 'now' | 'genesis' | RecordSource;

/** What a feed wants of its source. */
export interface SourceRequest extends SourceTerms {
  readonly programId: PublicKey;
  /** When not empty, only transactions that mention one of these are of interest. The others may come as well. */
  readonly mentions: readonly PublicKey[];
  readonly from: FeedStart;
  readonly commitment: Commitment;
}

/** A transaction that was delivered as `processed`, and that the cluster has not confirmed: its fork has lost. */
export interface UndoneTransaction {
  readonly undone: string;
  readonly slot: number;
}

/** What a source yields. Failed transactions and those without records may be among them. */
export type SourceItem = ConfirmedTransaction | UndoneTransaction | 'caughtUp';

/** Delivers the program's transactions. */
export interface TransactionSource {
  /**
   * The transactions, each once and oldest first: that of a record to begin after and those after it, `'caughtUp'` once when
   * the past was delivered, then those that happen. It is asked for the next when the one before has been read, so that a slow
   * reader slows it. A stream that cannot be slowed goes through a {@link TransactionQueue}.
   */
  transactions(request: SourceRequest): AsyncIterable<SourceItem>;
}
