/** A limit loses nothing: a slow consumer also finds announced transactions in the node's list. */
const MOST = 10_000;

/** Transactions that the websocket announced and that are not processed yet. */
export class Announcements {
  readonly #transactions = new Map<string, { readonly slot: number; readonly at: number }>();

  /** @param graceMs how long an announced transaction may take to appear in the node's list */
  constructor(private readonly graceMs: number) {}

  get isEmpty(): boolean {
    return this.#transactions.size === 0;
  }

  add(signature: string, slot: number): void {
    if (this.#transactions.size >= MOST) this.#transactions.clear();
    this.#transactions.set(signature, { slot, at: Date.now() });
  }

  delete(signature: string): void {
    this.#transactions.delete(signature);
  }

  /** Deletes the transactions that match a condition. */
  deleteIf(condition: (signature: string, slot: number) => boolean): void {
    for (const [signature, { slot }] of this.#transactions) {
      if (condition(signature, slot)) this.#transactions.delete(signature);
    }
  }

  /** Whether a transaction is at or before a slot. */
  hasUpTo(slot: number): boolean {
    for (const announced of this.#transactions.values()) if (announced.slot <= slot) return true;
    return false;
  }

  /**
   * The first slot of the announced but not yet listed transactions. Nodes list a transaction shortly after they
   * announce it.
   */
  missingFrom(listed: readonly { readonly signature: string }[]): number {
    if (this.isEmpty) return Infinity;
    const signatures = new Set(listed.map(({ signature }) => signature));
    let missingFrom = Infinity;
    for (const [signature, { slot, at }] of this.#transactions) {
      if (signatures.has(signature)) continue;
      if (Date.now() - at > this.graceMs) this.#transactions.delete(signature);
      else missingFrom = Math.min(missingFrom, slot);
    }
    return missingFrom;
  }
}
