// Separates transactions that can be payments of the service from those that merely name one of its keys. Anyone can make the
// latter, and many. A block tells for all its transactions who signed, so the work grows with the blocks and not with the dust.
import type { Deployment } from '@curvekit/sdk';
import type { Watch } from '../ledger/gate/payments-gate.js';
import type { Summary } from './block-summary.js';
import type { PaymentsNode, Place } from './payments-node.js';

export interface Sifted {
  /** Signatures of transactions that can be payments, or that cannot be read. They are judged one by one. */
  readonly own: string[];
  /** Signatures of all others. */
  readonly others: string[];
}

/** From so many transactions of one slot on, its block is read. */
const DENSE = 16;
/** While many are waiting, calls matter more than the length of answers. */
const DENSE_IN_BACKLOG = 3;
const BACKLOG = 1_000;

/** Transactions to read: those whose block is worth a call, by slot, and the others. */
export interface ToRead {
  readonly dense: ReadonlyMap<number, readonly Place[]>;
  readonly sparse: readonly Place[];
}

/** @param givesBlocks whether the node gives blocks */
export function bySlot(places: readonly Place[], givesBlocks: boolean): ToRead {
  if (!givesBlocks) return { dense: new Map(), sparse: places };
  const slots = new Map<number, Place[]>();
  for (const place of places) {
    const others = slots.get(place.slot);
    if (others === undefined) slots.set(place.slot, [place]);
    else others.push(place);
  }
  const least = places.length >= BACKLOG ? DENSE_IN_BACKLOG : DENSE;
  const isDense = ([, found]: [number, Place[]]) => found.length >= least;
  const all = [...slots];
  return {
    dense: new Map(all.filter(isDense)),
    sparse: all.filter((one) => !isDense(one)).flatMap(([, found]) => found),
  };
}

export class Sieve {
  readonly #keys: ReadonlySet<string>;
  readonly #graduationFees: string;

  /** @param deployment its fee receivers move fees to the treasury */
  constructor(
    private readonly node: PaymentsNode,
    { feeReceiver, graduation }: Deployment,
    watches: readonly Watch[],
  ) {
    this.#keys = new Set([...watches.map(({ address }) => address), feeReceiver.toBase58()]);
    this.#graduationFees = graduation.feeReceiver.address.toBase58();
  }

  /**
   * @param most how many transactions are read one by one; the others of blocks that the node does not give are left out
   * @throws NodeError when the RPC node lists a transaction that it does not return
   */
  async sift(
    { dense, sparse }: ToRead,
    commitment: 'confirmed' | 'finalized',
    signal: AbortSignal,
    most = Infinity,
  ): Promise<Sifted> {
    const found: Sifted = { own: [], others: [] };
    const summaries =
      dense.size === 0
        ? new Map<string, Summary>()
        : await this.node.summaries([...dense.keys()], commitment, signal);
    const missing: Place[] = [];
    for (const place of [...dense.values()].flat()) {
      const summary = summaries.get(place.signature);
      if (summary === undefined) missing.push(place);
      else (this.#canBeOwn(summary) ? found.own : found.others).push(place.signature);
    }
    const alone = [...sparse, ...missing].slice(0, most);
    if (alone.length === 0) return found;
    const { read, unreadable } = await this.node.transactions(alone, commitment, signal);
    for (const transaction of read)
      (this.#canBeOwn(transaction) ? found.own : found.others).push(transaction.signature);
    found.own.push(...unreadable.map(({ signature }) => signature));
    return found;
  }

  /** A payment has a signature of a watched key. Fees have one of their receiver, or leave the graduation program's. */
  #canBeOwn({ signers, keys, lamportsGained }: Summary): boolean {
    if (signers.some((signer) => this.#keys.has(signer))) return true;
    const change = lamportsGained[keys.indexOf(this.#graduationFees)] ?? 0n;
    return change < 0n;
  }
}
