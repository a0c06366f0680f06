// Tracks which of the newest transactions were processed. A node can list a transaction after later ones of the same
// slot or of the next few slots. So only transactions this many slots behind the head of the list are settled; the
// others are listed again.
const SLOTS = 32;

/** A transaction as nodes list it. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: number;
}

export class LookBack {
  /** The last processed transaction in the order of the list. */
  newest: ListedTransaction | undefined;
  /** No unprocessed transaction is expected at or before this one. */
  settled: ListedTransaction | undefined;
  /** Slots of the transactions processed since the settled one, in the order they were processed. */
  readonly #slots = new Map<string, number>();
  /** The list was complete up to this slot. */
  #horizon = -1;

  /** Marks every transaction up to this one as processed. */
  begin({ signature, slot }: ListedTransaction): void {
    this.newest = { signature, slot };
    this.settled = this.newest;
    this.#slots.set(signature, slot);
  }

  /** Whether a transaction was processed, or is too old to decide. */
  has(signature: string, slot: number): boolean {
    return (this.settled !== undefined && slot < this.settled.slot) || this.#slots.has(signature);
  }

  add({ signature, slot }: ListedTransaction): void {
    this.#slots.set(signature, slot);
    if (this.newest === undefined || slot >= this.newest.slot) this.newest = { signature, slot };
    if (slot <= this.#horizon) this.#settle({ signature, slot });
  }

  /**
   * Call it when the list was read down to the settled transaction. The list is complete before the slot `missingFrom`.
   */
  listed(headSlot: number, missingFrom: number): void {
    this.#horizon = Math.max(this.#horizon, Math.min(headSlot - SLOTS, missingFrom - 1));
    let last: ListedTransaction | undefined;
    for (const [signature, slot] of this.#slots) {
      if (slot <= this.#horizon && slot >= (last?.slot ?? 0)) last = { signature, slot };
    }
    if (last !== undefined) this.#settle(last);
  }

  #settle(last: ListedTransaction): void {
    const isNewer = this.settled === undefined || last.slot > this.settled.slot;
    if (this.settled !== undefined && last.slot < this.settled.slot) return;
    this.settled = last;
    if (!isNewer) return;
    for (const [signature, slot] of this.#slots) {
      if (slot >= last.slot) break;
      this.#slots.delete(signature);
    }
  }
}
