// Whether a node's list of transactions can be believed to be whole. A node that was down for longer than its snapshots are
// apart goes on from a newer one: it lists what was before the outage and what came after it, and nothing in between, as if
// nothing had happened. Only its blocks tell.
import type { Logger } from '../../logging.js';
import type { NodeHistory } from './node-history.js';
import { MethodMissingError, type NodeLedger } from './node-ledger.js';

/** A stretch of the list of transactions. */
export interface Span {
  /** Everything up to this slot is booked; undefined when nothing is. */
  readonly after: number | undefined;
  /** The newest transaction that is booked. */
  readonly cursor: { readonly signature: string; readonly slot: number } | undefined;
  /** The slot of the program's oldest transaction, as far as any node ever told it. */
  readonly firstSlot: number | undefined;
  /** The slot of the oldest transaction in the list; undefined when it is not known, or there is none. */
  readonly oldest: number | undefined;
  /** Whether the list has been followed to its end. */
  readonly listed: boolean;
  /** The stretch ends with this slot, which has a block. */
  readonly to: number;
}

export interface ContinuityParts {
  readonly history: NodeHistory;
  readonly programId: string;
  readonly logger: Logger;
}

/** Looks at the blocks of one node. */
export class Continuity {
  readonly #history: NodeHistory;
  readonly #ledger: NodeLedger;
  readonly #programId: string;
  readonly #logger: Logger;
  /** Whether the node cannot tell, so that its list is believed; undefined before it was asked. */
  #isBelieved: boolean | undefined;
  #saidStart = false;

  constructor({ history, programId, logger }: ContinuityParts) {
    this.#history = history;
    this.#ledger = history.ledger;
    this.#programId = programId;
    this.#logger = logger;
  }

  /**
   * Why the node's list of a stretch may lack transactions; undefined when it does not.
   *
   * Surfpool, whose blocks are made up but which forgets nothing, is believed. So is a node without the methods, after a
   * warning: those are local ones.
   */
  async problemOf(span: Span, signal: AbortSignal): Promise<string | undefined> {
    try {
      this.#isBelieved ??= await this.#ledger.isSurfpool(signal);
      if (this.#isBelieved) return undefined;
      return span.after === undefined
        ? await this.#problemOfAll(span, signal)
        : await this.#problemSince(span.after, span, signal);
    } catch (error) {
      if (!(error instanceof MethodMissingError)) throw error;
      this.#isBelieved = true;
      this.#logger.warn(
        { method: error.method },
        'the node cannot tell whether its history has gaps: what it lacks will not be indexed',
      );
      return undefined;
    }
  }

  async #problemSince(after: number, { cursor, to }: Span, signal: AbortSignal): Promise<string | undefined> {
    if (cursor !== undefined) {
      const slot = await this.#history.slotOf(cursor.signature, signal);
      // One that was cleaned up as old is no loss: it is booked.
      if (slot !== cursor.slot && (await this.#ledger.firstBlock(signal)) <= cursor.slot) {
        return `the node does not know transaction ${cursor.signature} of slot ${cursor.slot}, which was finalized`;
      }
    }
    return after < to ? this.#gapIn(after, to, signal) : undefined;
  }

  /** The same of the whole list, from the program's beginning. */
  async #problemOfAll(
    { firstSlot, oldest, listed, to }: Span,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const [firstBlock, deployed] = await Promise.all([
      this.#ledger.firstBlock(signal),
      this.#deploymentSlot(signal),
    ]);
    const begin = firstSlot ?? deployed;
    if (begin === undefined) this.#sayStart(firstBlock);
    else if (firstBlock > begin) {
      return `the node's history begins with slot ${firstBlock}, the program's with slot ${begin}`;
    }
    if (!listed) return undefined;
    if (firstSlot !== undefined && (oldest === undefined || oldest > firstSlot)) {
      return `the node does not list the program's transactions of slot ${firstSlot}`;
    }
    const before = Math.min(deployed ?? Infinity, oldest === undefined ? Infinity : oldest - 1);
    return before < to ? this.#gapIn(before, to, signal) : undefined;
  }

  /** Undefined for a program of the genesis too: that is a local cluster, whose first block is of no interest. */
  async #deploymentSlot(signal: AbortSignal): Promise<number | undefined> {
    const slot = await this.#ledger.deploymentSlot(this.#programId, signal);
    return slot === 0 ? undefined : slot;
  }

  /** Blocks are without a gap when the first has its parent before them, and heights grow by one for each. */
  async #gapIn(after: number, to: number, signal: AbortSignal): Promise<string | undefined> {
    const problem = `the node lacks blocks between slots ${after} and ${to}`;
    const { count, first, last } = await this.#ledger.countBlocks(after + 1, to, signal);
    if (first === undefined || last !== to) return problem;
    const [oldest, newest] = await Promise.all([
      this.#ledger.block(first, signal),
      this.#ledger.block(last, signal),
    ]);
    if (oldest === undefined || newest === undefined || oldest.parentSlot > after) return problem;
    return newest.height - oldest.height === count - 1 ? undefined : problem;
  }

  #sayStart(firstBlock: number): void {
    if (firstBlock === 0 || this.#saidStart) return;
    this.#saidStart = true;
    this.#logger.warn(
      { firstBlock },
      "nothing tells when the program's history begins; the node's begins with this slot, and what was before is not indexed",
    );
  }
}
