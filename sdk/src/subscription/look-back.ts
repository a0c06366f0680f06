// Which of the newest transactions were dealt with. A node can list one after later ones, of its slot or of the next
// few; only what is that many slots behind the head of the list is settled, and the rest is looked through again.
const SLOTS = 32;

/** A transaction. */
export interface Place {
  readonly signature: string;
  readonly slot: number;
}

export class LookBack {
  /** The last one in the order of the list. */
  newest: Place | undefined;
  /** Of this one and those before it nothing new is expected. */
  settled: Place | undefined;
  /** Slots of those dealt with since the settled slot, in the order they were dealt with. */
  readonly #slots = new Map<string, number>();
  /** Up to this slot the list was complete. */
  #horizon = -1;

  /** Takes everything up to one as dealt with. */
  begin({ signature, slot }: Place): void {
    this.newest = { signature, slot };
    this.settled = this.newest;
    this.#slots.set(signature, slot);
  }

  /** Whether one was dealt with, or is too old to tell. */
  has(signature: string, slot: number): boolean {
    return (this.settled !== undefined && slot < this.settled.slot) || this.#slots.has(signature);
  }

  /** One was dealt with. */
  add({ signature, slot }: Place): void {
    this.#slots.set(signature, slot);
    if (this.newest === undefined || slot >= this.newest.slot) this.newest = { signature, slot };
    if (slot <= this.#horizon) this.#settle({ signature, slot });
  }

  /** The list was read down to the settled one; it lacks nothing before `missingFrom`. */
  listed(headSlot: number, missingFrom: number): void {
    this.#horizon = Math.max(this.#horizon, Math.min(headSlot - SLOTS, missingFrom - 1));
    let last: Place | undefined;
    for (const [signature, slot] of this.#slots) {
      if (slot <= this.#horizon && slot >= (last?.slot ?? 0)) last = { signature, slot };
    }
    if (last !== undefined) this.#settle(last);
  }

  #settle(place: Place): void {
    const isNewer = this.settled === undefined || place.slot > this.settled.slot;
    if (this.settled !== undefined && place.slot < this.settled.slot) return;
    this.settled = place;
    if (!isNewer) return;
    for (const [signature, slot] of this.#slots) {
      if (slot >= place.slot) break;
      this.#slots.delete(signature);
    }
  }
}
