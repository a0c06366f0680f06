// The interface of a feed's source. Another source of transactions, such as a gRPC stream, is one file that implements
// it.
import type { Commitment, PublicKey } from '../chain/types.js';
import type { RecordSource } from '../records/record.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import type { SourceTerms } from './shapes.js';

/**
 * The start of a feed: new transactions only, the program's first transaction, or the first record after a given one.
 */
export type FeedStart = 'now' | 'genesis' | RecordSource;

/** What a feed requests from its source. */
export interface SourceRequest extends SourceTerms {
  readonly programId: PublicKey;
  /** When not empty, the feed needs only transactions that mention one of these. The source may deliver others too. */
  readonly mentions: readonly PublicKey[];
  readonly from: FeedStart;
  readonly commitment: Commitment;
}

/** A transaction that was delivered as `processed` and then dropped in a reorg. */
export interface UndoneTransaction {
  readonly undone: string;
  readonly slot: number;
}

/** An item of a source. It may be a failed transaction or one without records. */
export type SourceItem = ConfirmedTransaction | UndoneTransaction | 'caughtUp';

/** Delivers the program's transactions. */
export interface TransactionSource {
  /**
   * Delivers each transaction once, oldest first. When `from` is a record, it starts with that record's transaction. It
   * delivers `'caughtUp'` once after the past transactions, then live transactions. The feed pulls the next item after
   * it has read the previous one, so a slow reader slows the source. A stream that cannot be slowed needs a
   * {@link TransactionQueue}.
   */
  transactions(request: SourceRequest): AsyncIterable<SourceItem>;
}
