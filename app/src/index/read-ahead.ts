// In a busy market the next list of finalized transactions is read while confirmed ones are written: ten pages a second take a tenth
// of the time.
import type { NodeHistory } from './node-history.js';
import type { Place } from './store/anchors.js';

type Pages = Awaited<ReturnType<NodeHistory['listNewest']>>;

/** A list, and the transaction that it follows. */
export interface Ahead {
  readonly cursor: Place;
  readonly tip: number;
  readonly pages: Pages;
}

export class ReadAhead {
  #next: Promise<Ahead | undefined> | undefined;

  constructor(private readonly history: Pick<NodeHistory, 'slot' | 'listNewest'>) {}

  /** Begins to read what follows the cursor, unless a list waits to be taken. */
  begin(cursor: Place | undefined, signal: AbortSignal): void {
    if (cursor !== undefined) this.#next ??= this.#read(cursor, signal);
  }

  /** The list, once; undefined when none was begun, or the node did not answer. */
  take(): Promise<Ahead | undefined> {
    const next = this.#next;
    this.#next = undefined;
    return next ?? Promise.resolve(undefined);
  }

  async #read(cursor: Place, signal: AbortSignal): Promise<Ahead | undefined> {
    try {
      const tip = await this.history.slot('finalized', signal);
      return { cursor, tip, pages: await this.history.listNewest(cursor.signature, cursor.slot, signal) };
    } catch {
      // The caller asks again, and says what is wrong.
      return undefined;
    }
  }
}
