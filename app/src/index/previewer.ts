// Shows confirmed transactions before they are finalized and booked: those of the source, or else those that the RPC node lists.
import { readBatch } from './batch.js';
import type { EngineParts } from './engine.js';
import { NO_SOURCE, type News, type Source } from './feed/source.js';
import { decode, type Found, type Settled } from './found.js';
import { SourceGapError, type IndexWriter } from './index-writer.js';
import type { Listed } from './node-history.js';
import type { Place } from './store/anchors.js';
import type { IndexerState } from './store/state.js';
import { newestPreviewSlot, storedAmong } from './store/previews.js';

/**
 * How long the RPC node's list decides what is shown after previews were dropped. If the source skips transactions, that
 * happens again, and each time all newer previews are read once more.
 */
const LIST_FOR_MS = 10 * 60_000;

/** Transactions read and written at once. A slot of a very busy market has more. */
const MOST_AT_ONCE = 5_000;

export class Previewer {
  readonly #parts: EngineParts;
  readonly #writer: IndexWriter;
  readonly #source: Source;
  /** Everything confirmed up to this slot is shown; undefined after a start or a drop, until the RPC node's list was read. */
  #shownTo: number | undefined;
  /** Up to this slot there are previews that the source has not delivered: from the list, or from before a start. */
  #mayRepeatTo = Infinity;
  #drops = 0;
  #listUntil = -Infinity;

  constructor(parts: EngineParts, writer: IndexWriter) {
    this.#parts = parts;
    this.#writer = writer;
    this.#source = parts.source ?? NO_SOURCE;
  }

  /** Whether the source has more than was shown, so that booking must not run ahead of what it shows. */
  get isBehind(): boolean {
    return this.#writer.waitingSlots > 0;
  }

  /**
   * Shows transactions that are confirmed but not finalized yet.
   *
   * @param since the transaction at which the RPC node's list ends
   * @throws DeposedError when another indexer has written meanwhile
   */
  async preview(since: Place | undefined, signal: AbortSignal): Promise<void> {
    const news = this.#news();
    this.#writer.waitingSlots = news === undefined ? 0 : news.newest - news.to;
    if (news !== undefined && (await this.#previewNews(news, signal))) return;
    const to = await this.#listTo(signal);
    this.#shownTo = (await this.#previewListed(since, to, signal)) ? to : undefined;
    if (this.#shownTo !== undefined) this.#source.shown(this.#shownTo);
    this.#mayRepeatTo = await newestPreviewSlot(this.#parts.database.queries);
  }

  /** Tells the prices of trades that wait, as far as the source is trusted. @throws DeposedError */
  async tellNewest(): Promise<void> {
    if (!this.#isTrusted) return;
    const shown = this.#shownOrBooked(this.#writer.state);
    const mints = this.#source.untold(shown);
    if (mints.length > 0) await this.#writer.tellNewest(mints, (mint) => this.#source.newestOf(mint, shown));
  }

  get #isTrusted(): boolean {
    return this.#shownTo !== undefined && performance.now() >= this.#listUntil;
  }

  /** What the source has confirmed since the last preview; undefined when the RPC node must be asked. */
  #news(): News | undefined {
    const { drops, state } = this.#writer;
    if (drops !== this.#drops) this.#distrust();
    if (!this.#isTrusted) return undefined;
    return this.#source.confirmedAfter(this.#shownOrBooked(state));
  }

  #shownOrBooked({ cursor, scannedSlot }: IndexerState): number {
    return Math.max(this.#shownTo ?? 0, scannedSlot ?? 0, cursor?.slot ?? 0);
  }

  /** The RPC node does not know what was shown last: its list is compared with everything shown. */
  restart(): void {
    this.#writer.waitingSlots = 0;
    this.#shownTo = undefined;
  }

  /** Lets the RPC node's list decide for a while. */
  #distrust(): void {
    this.#drops = this.#writer.drops;
    this.#shownTo = undefined;
    this.#listUntil = performance.now() + LIST_FOR_MS;
  }

  /** Shows what the source has confirmed. @returns whether it could */
  async #previewNews({ places, to }: News, signal: AbortSignal): Promise<boolean> {
    const listed = places.map((place) => ({ ...place, failed: false }));
    const isNew = this.#shownTo! >= this.#mayRepeatTo;
    try {
      const isWhole = listed.length === 0 || (await this.#previewMore(listed, signal, { isNew }));
      this.#shownTo = isWhole ? to : undefined;
      if (isWhole) this.#source.shown(to);
      return isWhole;
    } catch (error) {
      if (!(error instanceof SourceGapError)) throw error;
      this.#distrust();
      // The list must begin at what is booked, because the skipped transaction may be older than those shown.
      this.#writer.previewed = undefined;
      this.#parts.metrics.feedTransactions.inc({ outcome: 'missed' });
      this.#parts.logger.warn(
        { slot: to },
        'the gRPC feed skips or invents transactions: the list of the RPC node decides for ten minutes',
      );
      return false;
    }
  }

  /** The slot up to which a list that follows has everything, if the source has all that comes after it. */
  async #listTo(signal: AbortSignal): Promise<number | undefined> {
    const from = performance.now() >= this.#listUntil ? this.#source.wholeAfter() : undefined;
    if (from === undefined) return undefined;
    const to = Math.max(from, this.#shownOrBooked(this.#writer.state), this.#writer.previewed?.slot ?? 0);
    return to <= (await this.#parts.history.slot('confirmed', signal)) ? to : undefined;
  }

  /** Shows what the RPC node lists, up to a slot. @returns whether all of it could be read */
  async #previewListed(
    since: Place | undefined,
    to: number | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    // What comes after a long list waits in the source already.
    const end = (listed: readonly Listed[]) => (listed.length > MOST_AT_ONCE ? (to ?? Infinity) : Infinity);
    const { previewed } = this.#writer;
    if (previewed !== undefined && previewed.slot >= (this.#writer.state.cursor?.slot ?? 0)) {
      const [slot, listed] = await Promise.all([
        this.#parts.history.slotOf(previewed.signature, signal),
        this.#confirmedSince(previewed, signal),
      ]);
      // In another slot or in none, it was dropped by a reorg, possibly with others.
      if (slot === previewed.slot && listed !== undefined)
        return this.#previewMore(upTo(listed, end(listed)), signal);
    }
    const listed = await this.#confirmedSince(since, signal);
    // The next `book` call finds out which transactions the RPC node still knows.
    if (listed === undefined) return false;
    await this.#previewAll(upTo(listed, end(listed)), end(listed), signal);
    return true;
  }

  /**
   * Adds newly confirmed transactions to the previews, in parts. @returns whether all of them could be read
   *
   * @param ofSource when a source lists them: whether none of them can be stored already
   */
  async #previewMore(
    listed: readonly Listed[],
    signal: AbortSignal,
    ofSource?: { readonly isNew: boolean },
  ): Promise<boolean> {
    for (let start = 0; start < listed.length;) {
      const part = listed.slice(start, start + MOST_AT_ONCE);
      if (!(await this.#previewPart(part, signal, ofSource))) return false;
      start += part.length;
    }
    return true;
  }

  async #previewPart(
    listed: readonly Listed[],
    signal: AbortSignal,
    ofSource?: { readonly isNew: boolean },
  ): Promise<boolean> {
    const { history, database, deployment } = this.#parts;
    const signatures = ofSource?.isNew === true ? [] : listed.map(({ signature }) => signature);
    const stored = await storedAmong(database.queries, signatures);
    const wanted = listed.filter(({ signature, failed }) => !failed && !stored.has(signature));
    const found = await history.find(wanted, 'confirmed', signal);
    // Stops at the first transaction that the RPC node does not return yet. The next preview begins there.
    const missing = found.findIndex(({ kind }) => kind === 'missing');
    const usable = (missing === -1 ? found : found.slice(0, missing)).filter(isSettled);
    const records = usable.flatMap((one) => {
      const decoded = decode(one, deployment);
      return decoded.kind === 'records' ? decoded.records : [];
    });
    await this.#writer.writePreviews(records, undefined, ofSource === undefined);
    const end = missing === -1 ? listed.length : listed.indexOf(wanted[missing]!);
    this.#writer.previewed = listed[end - 1] ?? this.#writer.previewed;
    return missing === -1;
  }

  /** Replaces the previews by all confirmed transactions after the cursor. */
  async #previewAll(listed: readonly Listed[], completeTo: number, signal: AbortSignal): Promise<void> {
    const range = { commitment: 'confirmed', listed, completeTo } as const;
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

const upTo = (listed: readonly Listed[], end: number) => listed.filter(({ slot }) => slot <= end);

function isSettled(found: Found): found is Settled {
  return found.kind !== 'missing';
}
