import { requireInteger } from '../checks/numbers.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { CurvekitError } from '../errors/index.js';
import type { SourceItem } from './source.js';

/** A source that cannot be slowed delivered faster than its reader read. */
export class FeedOverflowError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'FeedOverflowError';
  constructor(
    /** The number of waiting transactions. */
    readonly most: number,
  ) {
    super(
      `${most} transactions wait for a slow reader, and no more are held; read faster, filter more, or subscribe again from the ` +
        'last record that was read',
    );
  }
}

/** Limits and callbacks of a queue. */
export interface QueueOptions {
  /** The most transactions that may wait. Default 10,000. */
  readonly most?: number | undefined;
  /** Called when the queue is half full, so that the stream can pause. */
  readonly pause?: (() => void) | undefined;
  /** Called when the queue is empty again after a pause. */
  readonly resume?: (() => void) | undefined;
}

const QUEUE_OPTIONS = { most: true, pause: true, resume: true } as const satisfies OptionNames<QueueOptions>;

/**
 * A bounded queue between a stream that pushes and a feed that pulls. It loses no transaction silently: when it is
 * full, the reader gets a FeedOverflowError after all waiting transactions.
 */
export class TransactionQueue implements AsyncIterable<SourceItem> {
  readonly #items: SourceItem[] = [];
  readonly #most: number;
  readonly #options: QueueOptions;
  #read = 0;
  #isPaused = false;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @throws InvalidArgumentError when `most` is out of range */
  constructor(options: QueueOptions = {}) {
    requireKnown('options', options, QUEUE_OPTIONS);
    this.#most = requireInteger('most', options.most ?? 10_000, 1_000_000, 1);
    this.#options = options;
  }

  /** The number of waiting transactions. */
  get length(): number {
    return this.#items.length - this.#read;
  }

  /** Adds a transaction to the end. Ignored after the queue has ended. */
  push(item: SourceItem): void {
    if (this.#end !== undefined) return;
    if (this.length >= this.#most) return this.fail(new FeedOverflowError(this.#most));
    this.#items.push(item);
    this.#wake?.();
    if (this.#isPaused || this.length * 2 < this.#most) return;
    this.#isPaused = true;
    this.#options.pause?.();
  }

  /** Ends the queue after the waiting transactions. */
  close(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** Ends the queue with an error. The reader gets it after all waiting transactions. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** The transactions in order, as they arrive. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SourceItem> {
    for (;;) {
      while (this.length > 0) yield this.#shift();
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#options.resume?.();
      }
      if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #shift(): SourceItem {
    const item = this.#items[this.#read++]!;
    // Removes read items only occasionally, because each `shift` would move the whole array.
    if (this.#read * 2 >= this.#items.length) {
      this.#items.splice(0, this.#read);
      this.#read = 0;
    }
    return item;
  }
}
