// The types that the feeds of web3.js and Kit share, without types of either library.

/** The obligations of a source, and its callbacks. */
export interface SourceTerms {
  /** When false, the source ends where it would deliver `'caughtUp'`. */
  readonly live: boolean;
  /** Aborted when the reader has stopped. The source must end. */
  readonly signal: AbortSignal;
  /** The source calls it when its start is fixed: everything after that will be delivered. */
  readonly onReady: () => void;
  /** The source calls it with errors that it recovers from. */
  readonly onError: (error: unknown) => void;
}

/** A live stream of events. It can be iterated once. */
export interface LiveStream<E> extends AsyncIterable<E> {
  /**
   * Resolves when the start is fixed: every later record will be delivered. Rejects when the feed fails before that.
   */
  readonly ready: Promise<void>;
  /** Ends the iteration. */
  close(): void;
}
