// What the feeds of both libraries have in common, without either one's types.

/** What a source must heed, and whom it tells. */
export interface SourceTerms {
  /** When false, the source ends where `'caughtUp'` would come. */
  readonly live: boolean;
  /** Aborted when nobody reads any more: the source ends. */
  readonly signal: AbortSignal;
  /** To call when the beginning is fixed: what happens from then on will come. */
  readonly onReady: () => void;
  /** To tell of failures that the source survives. */
  readonly onError: (error: unknown) => void;
}

/** A live stream of events. It can be iterated once. */
export interface LiveStream<E> extends AsyncIterable<E> {
  /** Resolves when the beginning is fixed: records made from then on will come. Rejects when the feed fails before. */
  readonly ready: Promise<void>;
  /** Ends the iteration. */
  close(): void;
}
