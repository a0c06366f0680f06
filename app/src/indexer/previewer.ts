// Shows confirmed transactions before they are finalized and booked.
import { readBatch } from './batch.js';
import type { EngineParts } from './engine.js';
import { decode, type Found, type Settled } from './found.js';
import type { IndexWriter } from './index-writer.js';
import type { Listed } from './node-history.js';
import type { Place } from './store/anchors.js';
import { storedAmong } from './store/previews.js';

export class Previewer {
  readonly #parts: EngineParts;
  readonly #writer: IndexWriter;

  constructor(parts: EngineParts, writer: IndexWriter) {
    this.#parts = parts;
    this.#writer = writer;
  }

  /**
   * Shows transactions that are confirmed but not finalized yet.
   *
   * @param since the transaction at which the RPC node's list ends
   * @throws DeposedError when another indexer has written meanwhile
   */
  async preview(since: Place | undefined, signal: AbortSignal): Promise<void> {
    const { previewed } = this.#writer;
    if (previewed !== undefined && previewed.slot >= (this.#writer.state.cursor?.slot ?? 0)) {
      const [slot, listed] = await Promise.all([
        this.#parts.history.slotOf(previewed.signature, signal),
        this.#confirmedSince(previewed, signal),
      ]);
      // In another slot or in none, it was dropped by a reorg, possibly with others.
      if (slot === previewed.slot && listed !== undefined) return this.#previewMore(listed, signal);
    }
    const listed = await this.#confirmedSince(since, signal);
    // The next `book` call finds out which transactions the RPC node still knows.
    if (listed === undefined) return;
    await this.#previewAll(listed, signal);
  }

  /** Adds newly confirmed transactions to the previews. */
  async #previewMore(listed: readonly Listed[], signal: AbortSignal): Promise<void> {
    const { history, database, deployment } = this.#parts;
    const stored = await storedAmong(
      database.queries,
      listed.map(({ signature }) => signature),
    );
    const wanted = listed.filter(({ signature, failed }) => !failed && !stored.has(signature));
    const found = await history.find(wanted, 'confirmed', signal);
    // Stops at the first transaction that the RPC node does not return yet. The next preview begins there.
    const missing = found.findIndex(({ kind }) => kind === 'missing');
    const usable = (missing === -1 ? found : found.slice(0, missing)).filter(isSettled);
    const records = usable.flatMap((one) => {
      const decoded = decode(one, deployment);
      return decoded.kind === 'records' ? decoded.records : [];
    });
    await this.#writer.writePreviews(records, undefined);
    const end = missing === -1 ? listed.length : listed.indexOf(wanted[missing]!);
    this.#writer.previewed = listed[end - 1] ?? this.#writer.previewed;
  }

  /** Replaces the previews by all confirmed transactions after the cursor. */
  async #previewAll(listed: readonly Listed[], signal: AbortSignal): Promise<void> {
    const range = { commitment: 'confirmed', listed, completeTo: Infinity } as const;
    const { dropFrom, fresh } = await readBatch(this.#parts, range, signal);
    await this.#writer.writePreviews(fresh, dropFrom);
    this.#writer.previewed = listed.at(-1);
  }

  /**
   * Confirmed transactions after `since`, oldest first. If the RPC node does not know `since`: undefined, or a list that
   * also has older transactions.
   */
  async #confirmedSince(since: Place | undefined, signal: AbortSignal): Promise<Listed[] | undefined> {
    const { history } = this.#parts;
    const listed: Listed[] = [];
    // Everything before the cursor is booked.
    const downTo = Math.max(since?.slot ?? 0, this.#writer.state.cursor?.slot ?? 0);
    for (let before: string | undefined; ;) {
      const page = await history.list({ until: since?.signature, before }, 'confirmed', signal);
      if (page === undefined) return undefined;
      listed.push(...page);
      if (history.isLastPage(page, downTo)) break;
      before = page.at(-1)!.signature;
    }
    return listed.reverse().filter(({ slot }) => slot >= downTo);
  }
}

function isSettled(found: Found): found is Settled {
  return found.kind !== 'missing';
}
