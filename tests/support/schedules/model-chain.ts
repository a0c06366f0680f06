// A cluster with nothing but transactions: when each lands, fails, is dropped by a fork or expires.
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type { Random } from './random.js';
import type { VirtualTime } from './virtual-time.js';

/** Shorter than a real cluster's, so that less of a schedule waits. */
export const SLOT_MS = 50;
export const VALID_BLOCKS = 150;
/** A block is confirmed, and finalized, after so many others. */
const CONFIRMED_AFTER = 2;
const FINALIZED_AFTER = 8;
/** The first slot, so that a node has a history before the test. */
const FIRST_SLOT = 1_000;

/** SlippageError of the curve, in its instruction after the two of the compute budget. */
export const PRICE_MOVED = { InstructionError: [2, { Custom: 6003 }] };

export interface Landing {
  readonly slot: number;
  readonly err: unknown;
}

/** A transaction that some node has got. */
interface Known {
  readonly lastValid: number;
  /** The price for which it was made. */
  readonly price: number;
  /** Copies on the way to a leader. */
  copies: number;
  landing: Landing | undefined;
  /** In a block that the cluster has dropped since. */
  dropped: { readonly landing: Landing; readonly until: number } | undefined;
}

export class ModelChain {
  /** Moves with each change of the price. A transaction that was made before fails. */
  price = 0;
  readonly #known = new Map<string, Known>();
  readonly #hashes = new Map<number, string>();
  readonly #made = new Map<string, { readonly slot: number; readonly price: number }>();

  /** @param id chains with different ones have different blockhashes, and so signatures */
  constructor(
    private readonly id: number,
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  get slot(): number {
    return FIRST_SLOT + Math.floor(this.time.now / SLOT_MS);
  }

  /** A blockhash as a node at `slot` tells it. */
  blockhash(slot: number): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    let blockhash = this.#hashes.get(slot);
    if (blockhash === undefined) {
      blockhash = bs58.encode(createHash('sha256').update(`${this.id} ${slot}`).digest());
      this.#hashes.set(slot, blockhash);
      this.#made.set(blockhash, { slot, price: this.price });
    }
    return { blockhash, lastValidBlockHeight: slot + VALID_BLOCKS };
  }

  /** The slot of a blockhash, and the price when it was told. */
  madeAt(blockhash: string): { readonly slot: number; readonly price: number } {
    const made = this.#made.get(blockhash);
    if (made === undefined) throw new Error(`no node has told the blockhash ${blockhash}`);
    return made;
  }

  /** Takes a transaction: it lands, fails, or is lost on its way. */
  forward(signature: string, blockhash: string): void {
    const { slot, price } = this.madeAt(blockhash);
    let known = this.#known.get(signature);
    if (known === undefined) {
      known = { lastValid: slot + VALID_BLOCKS, price, copies: 0, landing: undefined, dropped: undefined };
      this.#known.set(signature, known);
    }
    if (this.random.chance(0.25)) return;
    this.#send(known, this.random.chance(0.8) ? this.random.between(0, 4) : this.random.between(5, 120));
  }

  #send(known: Known, slots: number): void {
    known.copies += 1;
    this.time.after(slots * SLOT_MS, () => {
      known.copies -= 1;
      const { slot } = this;
      if (known.landing !== undefined || slot > known.lastValid) return;
      const landing = { slot, err: known.price === this.price ? null : PRICE_MOVED };
      known.landing = landing;
      if (!this.random.chance(0.04)) return;
      // A fork: the block is dropped before it is confirmed. Often another one takes the transaction.
      this.time.after(SLOT_MS, () => {
        known.landing = undefined;
        known.dropped = { landing, until: slot + 1 };
        if (this.random.chance(0.7)) this.#send(known, this.random.between(0, 20));
      });
    });
  }

  /** What a node that has seen the blocks up to `view` knows of a transaction. */
  look(signature: string, view: number): (Landing & { readonly commitment: string }) | undefined {
    const known = this.#known.get(signature);
    const { landing, dropped } = known ?? {};
    if (landing !== undefined && landing.slot <= view) {
      const depth = view - landing.slot;
      const commitment =
        depth >= FINALIZED_AFTER ? 'finalized' : depth >= CONFIRMED_AFTER ? 'confirmed' : 'processed';
      return { ...landing, commitment };
    }
    if (dropped !== undefined && view >= dropped.landing.slot && view <= dropped.until)
      return { ...dropped.landing, commitment: 'processed' };
    return undefined;
  }

  /** Confirmed transactions that a node at `view` lists, newest first. */
  listed(view: number): (Landing & { readonly signature: string; readonly commitment: string })[] {
    return [...this.#known.keys()]
      .map((signature) => ({ signature, ...this.look(signature, view)! }))
      .filter(({ commitment }) => commitment !== undefined && commitment !== 'processed')
      .sort((a, b) => b.slot - a.slot);
  }

  /** The finalized slot of a node at `view`. Every slot has a block, so it is the height too. */
  finalized(view: number): number {
    return view - FINALIZED_AFTER;
  }

  /** Whether a copy of the transaction is on its way, or it has succeeded: another one would trade twice. */
  mayCount(signature: string): boolean {
    const known = this.#known.get(signature);
    if (known === undefined) return false;
    if (known.landing !== undefined && this.slot - known.landing.slot >= CONFIRMED_AFTER)
      return known.landing.err === null;
    return known.landing !== undefined || (known.copies > 0 && this.slot <= known.lastValid);
  }

  /** Whether the transaction has succeeded, in a block that stays. Ask when nothing is on its way. */
  hasSucceeded(signature: string): boolean {
    return this.#known.get(signature)?.landing?.err === null;
  }

  /** Waits until nothing that was forwarded can land any more, and everything is finalized. */
  async end(): Promise<void> {
    await this.time.sleep((VALID_BLOCKS + 2 * FINALIZED_AFTER) * SLOT_MS);
  }
}
