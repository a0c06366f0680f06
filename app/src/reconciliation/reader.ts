// Lists and reads the transactions with the watched keys, in bounded steps whose progress is stored. What is left are those
// that can be payments of the service.
import type { Context } from '../context.js';
import { readWatches, type Through, type Watch } from '../ledger/gate/payments-gate.js';
import { unknownOf } from './findings.js';
import type { Listed, PaymentsNode, Place, Tip } from './payments-node.js';
import { bySlot, Sieve } from './sift.js';
import { countUnread, forgetListing, ownPlaces, storePage, storeRead, unreadPlaces } from './unread-store.js';

/** The newest slots are listed again, because several RPC nodes can share one URL and some lag. */
const AGAIN_SLOTS = 32;
/** A pass ends after this time, so that the gate hears of the progress. The next pass continues. */
const READ_FOR_MS = 5_000;
/** Listing waits while so many are to be read. */
const MOST_UNREAD = 50_000;
const LOOKED_AT = 5_000;
const BLOCKS_PER_STEP = 16;
const TRANSACTIONS_PER_STEP = 400;
const MOST_OTHERS = 200_000;

export interface Reading {
  /** Whether everything up to the tip is listed and read. */
  readonly isComplete: boolean;
  /** Whether everything up to the tip is listed. */
  readonly isListed: boolean;
  /** Transactions that are not final yet. */
  readonly later: readonly Listed[];
  /** The watched keys, as far as they are listed. */
  readonly watches: readonly Watch[];
}

export class PaymentsReader {
  readonly #context: Context;
  readonly #node: PaymentsNode;
  readonly #readForMs: number;
  /** Slots of transactions that pay nothing and will be listed again, by signature. */
  #otherTransactions = new Map<string, number>();
  /** The watched addresses for which `#otherTransactions` was collected; cleared when they change. */
  #collectedFor = '';

  constructor(context: Context, node: PaymentsNode, readForMs = READ_FOR_MS) {
    this.#context = context;
    this.#node = node;
    this.#readForMs = readForMs;
  }

  /** Lists and reads from where the last pass ended, for a few seconds. */
  async read(watches: readonly Watch[], tip: Tip, signal: AbortSignal): Promise<Reading> {
    this.#forgetOthers(watches);
    const until = performance.now() + this.#readForMs;
    const step: Step = { tip, signal, until, sieve: this.#sieveOf(watches), later: new Map() };
    const listed: Watch[] = [];
    let isListed = true;
    for (const watch of watches) {
      const { watch: now, hasEnded } = await this.#listAll(watch, step);
      listed.push(now);
      isListed &&= hasEnded;
    }
    let isComplete = isListed;
    while ((await this.#readSome(step)) > 0) {
      if (performance.now() <= until) continue;
      isComplete &&= (await countUnread(this.#context.database.queries)) === 0;
      break;
    }
    return { isComplete, isListed, later: [...step.later.values()], watches: listed };
  }

  /** Those of the transactions that can be payments. Stores nothing. */
  async ownAmong(
    places: readonly Place[],
    watches: readonly Watch[],
    commitment: 'confirmed' | 'finalized',
    signal: AbortSignal,
  ): Promise<Place[]> {
    const unknown = await this.#unknownAmong(places);
    const toRead = bySlot(unknown, this.#node.givesBlocks);
    const { own } = await this.#sieveOf(watches).sift(toRead, commitment, signal);
    const signatures = new Set(own);
    return unknown.filter(({ signature }) => signatures.has(signature));
  }

  /** Transactions that can be payments, in the order of the chain, with those that `read` has not come to. Stores nothing. */
  async survey(watches: readonly Watch[], tip: Tip, signal: AbortSignal): Promise<Place[]> {
    const { queries } = this.#context.database;
    const commitment = commitmentOf(tip);
    const own = await ownPlaces(queries);
    for (let offset = 0; ; offset += LOOKED_AT) {
      const places = await unreadPlaces(queries, LOOKED_AT, offset);
      if (places.length === 0) break;
      own.push(...(await this.ownAmong(places, watches, commitment, signal)));
    }
    for (const watch of watches) {
      const { listed, listing } = watch;
      const parts = [{ before: undefined, through: listing?.through ?? listed }];
      const rest = listing === undefined ? [] : [{ before: listing.before, through: listed }];
      for (const part of [...parts, ...rest]) {
        for await (const entries of this.#pages(watch.address, part, tip, signal)) {
          own.push(...(await this.ownAmong(entries, watches, commitment, signal)));
        }
      }
    }
    const bySignature = new Map(own.map((place) => [place.signature, place]));
    return [...bySignature.values()].sort((a, b) => a.slot - b.slot);
  }

  async *#pages(
    address: string,
    { before: from, through }: { readonly before: string | undefined; readonly through: Through | undefined },
    tip: Tip,
    signal: AbortSignal,
  ): AsyncGenerator<Place[]> {
    const after = through?.slot ?? -1;
    for (let before = from; ;) {
      const query = { before, until: through?.signature, minSlot: tip.slot };
      const page = await this.#node.page(address, query, signal);
      if (page === undefined) {
        before = undefined;
        continue;
      }
      const oldest = page.entries.at(-1);
      yield page.entries.filter(({ slot, failed }) => !failed && slot > after && slot <= tip.slot).reverse();
      if (oldest === undefined || page.isLast || oldest.slot <= after) return;
      before = oldest.signature;
    }
  }

  /** Ends the listing in progress, and lists from the tip to where that began. */
  async #listAll(watch: Watch, step: Step): Promise<{ watch: Watch; hasEnded: boolean }> {
    let now = watch;
    let begun: Watch['listing'];
    for (;;) {
      const isFromTip = now.listing === undefined || now.listing === begun;
      const next = await this.#listPage(now, step);
      begun = isFromTip ? next?.listing : undefined;
      if (isFromTip && next !== undefined && next.listing === undefined)
        return { watch: next, hasEnded: true };
      now = next ?? (await this.#reload(watch));
      while ((await countUnread(this.#context.database.queries)) >= MOST_UNREAD) {
        await this.#readSome(step);
        if (performance.now() > step.until) break;
      }
      if (performance.now() > step.until) return { watch: now, hasEnded: false };
    }
  }

  /** Lists and stores one page. @returns undefined when the stored progress is another now */
  async #listPage(watch: Watch, { tip, signal, later }: Step): Promise<Watch | undefined> {
    const { database } = this.#context;
    const { listed, listing } = watch;
    const after = listed?.slot ?? -1;
    const query = { before: listing?.before, until: listed?.signature, minSlot: tip.slot };
    const page = await this.#node.page(watch.address, query, signal);
    if (page === undefined) {
      await forgetListing(database, watch);
      return undefined;
    }
    const slot = listing?.through.slot ?? Math.max(after, tip.slot - AGAIN_SLOTS);
    // What a listing of an earlier tip lists was final then.
    const final = Math.max(tip.slot, slot);
    for (const entry of page.entries) if (entry.slot > final) later.set(entry.signature, entry);
    const found = await this.#unknownAmong(
      page.entries.filter(
        (entry) =>
          !entry.failed &&
          entry.slot > after &&
          entry.slot <= final &&
          !this.#otherTransactions.has(entry.signature),
      ),
    );
    const oldest = page.entries.at(-1);
    const hasEnded = oldest === undefined || page.isLast || oldest.slot <= after;
    const newest = listing?.through.signature ?? page.entries.find((entry) => entry.slot <= slot)?.signature;
    const through: Through = { slot, signature: newest ?? (hasEnded ? listed?.signature : undefined) };
    const before = hasEnded ? undefined : oldest.signature;
    // `endPass` stores a listing of one page that found nothing.
    const isWorthStoring = listing !== undefined || before !== undefined || found.length > 0;
    if (isWorthStoring && !(await storePage(database, watch, found, { through, before }))) return undefined;
    return before === undefined
      ? { ...watch, listed: through, listing: undefined }
      : { ...watch, listing: { through, before } };
  }

  async #reload(watch: Watch): Promise<Watch> {
    const all = await readWatches(this.#context.database.queries);
    return all.find(({ address, role }) => address === watch.address && role === watch.role) ?? watch;
  }

  /** Reads some of the listed transactions, and stores the result. @returns how many were done */
  async #readSome({ tip, signal, sieve }: Step): Promise<number> {
    const { database } = this.#context;
    const waiting = await unreadPlaces(database.queries, LOOKED_AT);
    if (waiting.length === 0) return 0;
    const { dense, sparse } = bySlot(waiting, this.#node.givesBlocks);
    const slots = [...dense].slice(0, BLOCKS_PER_STEP);
    const alone = sparse.slice(0, TRANSACTIONS_PER_STEP);
    const chosen = [...slots.flatMap(([, places]) => places), ...alone];
    const unknown = new Set(await this.#unknownAmong(chosen));
    const isUnknown = (place: Place) => unknown.has(place);
    const toRead = {
      dense: new Map(slots.map(([slot, places]) => [slot, places.filter(isUnknown)])),
      sparse: alone.filter(isUnknown),
    };
    const { own, others } = await sieve.sift(toRead, commitmentOf(tip), signal, TRANSACTIONS_PER_STEP);
    const known = chosen.filter((place) => !isUnknown(place)).map(({ signature }) => signature);
    const done = [...known, ...others];
    await storeRead(database, { own, done });
    this.#note(others, chosen, tip);
    return own.length + done.length;
  }

  /** The newest are listed again. Known payments are not noted: a database that is set back does not know them any more. */
  #note(others: readonly string[], places: readonly Place[], tip: Tip): void {
    const isOther = new Set(others);
    for (const { signature, slot } of places) {
      if (slot > tip.slot - AGAIN_SLOTS && isOther.has(signature))
        this.#otherTransactions.set(signature, slot);
    }
  }

  async #unknownAmong(places: readonly Place[]): Promise<Place[]> {
    if (places.length === 0) return [];
    const unknown = await unknownOf(this.#context.database.queries, places);
    return places.filter(({ signature }) => unknown.has(signature));
  }

  #sieveOf(watches: readonly Watch[]): Sieve {
    return new Sieve(this.#node, this.#context.deployment, watches);
  }

  /** Forgets what is not listed again. With another key watched, another transaction can be that key's. */
  #forgetOthers(watches: readonly Watch[]): void {
    const watched = watches.map(({ address, role }) => `${role} ${address}`).join();
    if (watched !== this.#collectedFor || this.#otherTransactions.size > MOST_OTHERS)
      this.#otherTransactions.clear();
    this.#collectedFor = watched;
    const listed = Math.min(...watches.map((watch) => watch.listed?.slot ?? -1));
    for (const [signature, slot] of this.#otherTransactions)
      if (slot <= listed) this.#otherTransactions.delete(signature);
  }
}

interface Step {
  readonly tip: Tip;
  readonly signal: AbortSignal;
  /** A time of `performance.now()`. */
  readonly until: number;
  readonly sieve: Sieve;
  readonly later: Map<string, Listed>;
}

function commitmentOf({ isSimulator }: Tip): 'confirmed' | 'finalized' {
  return isSimulator ? 'confirmed' : 'finalized';
}
