// Checks whether an RPC node's list of transactions is complete. An RPC node that was down for too long restarts from a
// newer snapshot. It then lists the transactions before and after the outage, but none in between. Only its blocks show the
// gap.
import type { Logger } from '../base/logging/logging.js';
import type { NodeHistory } from './node-history.js';
import { MethodMissingError, type NodeLedger } from '../chain/node-ledger.js';
import { OtherClusterError } from '../chain/simulator.js';
import type { Place } from './store/anchors.js';

/** A range of the list of transactions. */
export interface Span {
  /** Everything up to this slot is booked; undefined when nothing is booked. */
  readonly after: number | undefined;
  /** The newest booked transaction. */
  readonly cursor: Place | undefined;
  /** Older booked transactions, newest first. */
  readonly anchors: readonly Place[];
  /** Booked transactions that the RPC node rejected as the end of a list. */
  readonly refused: ReadonlySet<string>;
  /** Slot of the program's oldest transaction that any RPC node has listed. */
  readonly firstSlot: number | undefined;
  /** Slot of the oldest transaction in the list; undefined when the list is unknown or empty. */
  readonly oldest: number | undefined;
  /** Whether the list was read to its end. */
  readonly listed: boolean;
  /** Last slot of the range. It has a block. */
  readonly to: number;
}

/** Result of comparing an RPC node's blocks with its list. */
export type Finding =
  /** The list may lack transactions. `isAdvised`: the problem already says what to do. */
  | { readonly problem: string; readonly isAdvised?: boolean }
  /**
   * The list is complete. `until` is the newest booked transaction that the RPC node knows; undefined when it knows none.
   */
  | { readonly problem: undefined; readonly until: Place | undefined };

/** The newest booked transaction that the RPC node knows. */
type Base =
  | { readonly problem: string }
  | { readonly problem: undefined; readonly until: Place | undefined; readonly after: number };

export interface ContinuityParts {
  readonly history: NodeHistory;
  /** The newest booked transactions with records after a slot, newest first. Their number is limited. */
  readonly bookedSince: (slot: number) => Promise<readonly Place[]>;
  readonly programId: string;
  readonly logger: Logger;
}

/** Booked transactions, newest first. */
function bookedOf({ cursor, anchors }: Span): Place[] {
  if (cursor === undefined) return [];
  return [cursor, ...anchors.filter(({ signature }) => signature !== cursor.signature)];
}

/** Checks the blocks of one RPC node. */
export class Continuity {
  readonly #history: NodeHistory;
  readonly #ledger: NodeLedger;
  readonly #programId: string;
  readonly #bookedSince: ContinuityParts['bookedSince'];
  readonly #logger: Logger;
  #saidStart = false;

  constructor({ history, programId, bookedSince, logger }: ContinuityParts) {
    this.#bookedSince = bookedSince;
    this.#history = history;
    this.#ledger = history.ledger;
    this.#programId = programId;
    this.#logger = logger;
  }

  /**
   * Whether the RPC node's list of a range may lack transactions, and where the list must end.
   *
   * A simulator is trusted, because it never deletes history. A node without the block methods is not trusted.
   */
  async examine(span: Span, signal: AbortSignal): Promise<Finding> {
    try {
      if (await this.#ledger.isSimulated(signal)) return await this.#newestKnown(span, signal);
      if (span.after === undefined)
        return { problem: await this.#problemOfAll(span, signal), until: undefined };
      return await this.#examineSince(span.after, span, signal);
    } catch (error) {
      if (error instanceof MethodMissingError) {
        return { problem: `${error.message}, so that nothing tells whether its history has gaps` };
      }
      if (error instanceof OtherClusterError) return { problem: error.message, isAdvised: true };
      throw error;
    }
  }

  async #newestKnown(span: Span, signal: AbortSignal): Promise<Finding> {
    const booked = bookedOf(span);
    const known = await this.#history.known(booked, signal);
    return {
      problem: undefined,
      until: booked.find(({ signature }) => known.has(signature) && !span.refused.has(signature)),
    };
  }

  async #examineSince(scanned: number, span: Span, signal: AbortSignal): Promise<Finding> {
    const base = await this.#baseOf(scanned, span, signal);
    if (base.problem !== undefined) return base;
    const { until, after } = base;
    const gap = after < span.to ? await this.#ledger.gapBetween(after, span.to, signal) : undefined;
    return gap === undefined ? { problem: undefined, until } : { problem: gap };
  }

  /** The newest booked transaction that the RPC node knows, and the slot after which it must have every block. */
  async #baseOf(scanned: number, span: Span, signal: AbortSignal): Promise<Base> {
    const { cursor, anchors, refused } = span;
    if (cursor === undefined) return { problem: undefined, until: undefined, after: scanned };
    const booked = bookedOf(span);
    const known = await this.#history.known(booked, signal);
    const until = booked.find(({ signature }) => known.has(signature) && !refused.has(signature));
    // A pruned transaction is not missing: it is booked.
    const isCleanedUp = async () => cursor.slot < (await this.#ledger.firstBlock(signal));
    if (known.has(cursor.signature) || (await isCleanedUp())) {
      return { problem: undefined, until, after: scanned };
    }
    const lost = `the node does not know transaction ${cursor.signature} of slot ${cursor.slot}, which was finalized`;
    if (until === undefined) {
      const oldest = anchors.at(-1);
      const others =
        oldest === undefined ? '' : `, nor any of ${anchors.length} older ones down to slot ${oldest.slot}`;
      return { problem: lost + others };
    }
    // A reorg may have dropped the missing transaction. That does not matter if it has no records.
    const newer = await this.#bookedSince(until.slot);
    const knownNewer = await this.#history.known(newer, signal);
    const lacking = newer.find(({ signature }) => !knownNewer.has(signature));
    if (lacking === undefined) return { problem: undefined, until, after: until.slot };
    return {
      problem: `the node does not know transaction ${lacking.signature} of slot ${lacking.slot}, whose records were booked as finalized`,
    };
  }

  /** Why the list may lack transactions since the program's deployment. */
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
    return before < to ? this.#ledger.gapBetween(before, to, signal) : undefined;
  }

  /** Also undefined for a genesis program: on a local cluster the first block does not matter. */
  async #deploymentSlot(signal: AbortSignal): Promise<number | undefined> {
    const slot = await this.#ledger.deploymentSlot(this.#programId, signal);
    return slot === 0 ? undefined : slot;
  }

  #sayStart(firstBlock: number): void {
    if (firstBlock === 0 || this.#saidStart) return;
    this.#saidStart = true;
    this.#logger.warn(
      { firstBlock },
      "nothing tells when the program's history begins; the node's begins with this slot, and what was before is not indexed. If the program is older, set RPC_URL to a node with its whole history, and run `curvekit reindex`",
    );
  }
}
