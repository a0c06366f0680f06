import { CurvekitError } from '../errors.js';
import { requireInteger } from '../numbers.js';
import type { SourceItem } from './source.js';

/** A source has delivered faster than its reader has read, and cannot be slowed. */
export class FeedOverflowError extends CurvekitError {
  constructor(
    /** How many waited. */
    readonly most: number,
  ) {
    super(
      `${most} transactions wait for a slow reader, and no more are held; read faster, filter more, or subscribe again from the ` +
        'last record that was read',
    );
    this.name = 'FeedOverflowError';
  }
}

/** How a queue holds a stream back. */
export interface QueueOptions {
  /** The most that wait. 10,000 by default. */
  readonly most?: number | undefined;
  /** Told when half of them wait, so that the stream can pause. */
  readonly pause?: (() => void) | undefined;
  /** Told when none waits any more, after a pause. */
  readonly resume?: (() => void) | undefined;
}

/**
 * Between a stream that pushes and a feed that pulls, for sources: bounded, and without a silent loss. When it is full, the
 * reader gets a FeedOverflowError after all that waited.
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
    this.#most = requireInteger('most', options.most ?? 10_000, 1_000_000, 1);
    this.#options = options;
  }

  /** How many wait. */
  get length(): number {
    return this.#items.length - this.#read;
  }

  /** Adds one at the end. What comes after the end is ignored. */
  push(item: SourceItem): void {
    if (this.#end !== undefined) return;
    if (this.length >= this.#most) return this.fail(new FeedOverflowError(this.#most));
    this.#items.push(item);
    this.#wake?.();
    if (this.#isPaused || this.length * 2 < this.#most) return;
    this.#isPaused = true;
    this.#options.pause?.();
  }

  /** Nothing more comes. */
  close(): void {
    this.#end ??= {};
    this.#wake?.();
  }

  /** The reader gets an error after all that waits. */
  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** The transactions in their order, as they come. */
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
    // Now and then, as each `shift` would move all of them.
    if (this.#read * 2 >= this.#items.length) {
      this.#items.splice(0, this.#read);
      this.#read = 0;
    }
    return item;
  }
}
