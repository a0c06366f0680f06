// One pass compares the payments of the watched keys on chain with the tables, and books missing ones.
// docs/decisions/payments-gate.md explains how long the gate stays closed.
import { sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import { rowsOf } from '../db/database.js';
import { hasPostings } from '../ledger/balances.js';
import type { Booked } from './booked.js';
import { book, type Payment } from './booking.js';
import type { ChainTransaction } from './chain-transaction.js';
import { openFindings, recordFinding } from './findings.js';
import {
  closeAsUnknown,
  endPass,
  noteWait,
  readGate,
  readWatches,
  type Gate,
  type Watch,
} from '../gate/payments-gate.js';
import { PaymentsNode, type Listed, type Tip, type UnreadableTransaction } from './payments-node.js';
import { addressesOf, UnknownTransactions, type Unknown } from './unknown-transactions.js';
import { requireWholeHistory } from './whole-history.js';

/** A payment that a pass booked or tried to book. */
export interface BookedPayment extends Booked {
  readonly kind: Payment['kind'];
}

export interface PassReport {
  readonly booked: readonly BookedPayment[];
  /** Transactions that could not be read. They hold nothing. The first pass also has those set aside before. */
  readonly setAside: readonly UnreadableTransaction[];
  /** Whether payments are open. */
  readonly isOpen: boolean;
}

/** A transaction can land up to this many blocks after the block of its blockhash: see `history-proof.ts`. */
const LIFE_BLOCKS = 151;
/** How far the RPC node that returned a blockhash may have been ahead of the one that answers now. */
const MARGIN_BLOCKS = 32;
/** The newest slots are listed again, because several RPC nodes can share one URL and some lag. */
const AGAIN_SLOTS = 32;

export class Reconciliation {
  readonly #context: Context;
  readonly #node: PaymentsNode;
  readonly #unknown: UnknownTransactions;
  /** When this process ended its last pass, by the database's clock. An older time in the database means a rollback. */
  #endedAt: number | undefined;
  /** Unreadable transactions are retried in the first pass, because this process may have another node or version. */
  #isFirst = true;

  constructor(context: Context) {
    this.#context = context;
    this.#node = new PaymentsNode(context.config);
    this.#unknown = new UnknownTransactions(context, this.#node);
  }

  /**
   * @param repair also books payments that are otherwise refused
   * @throws NodeError when the RPC node does not answer or contradicts itself; then nothing is booked
   */
  async pass(
    signal: AbortSignal,
    { repair = false }: { readonly repair?: boolean } = {},
  ): Promise<PassReport> {
    const { database } = this.#context;
    const gate = await this.#gate();
    const watches = await readWatches(database.queries);
    const tip = await this.#node.tip(signal);
    const isNew = gate.incarnation !== gate.present;
    if (isNew && gate.waitingIncarnation !== gate.present) {
      await noteWait(database, gate.present, tip.newestHeight + LIFE_BLOCKS + MARGIN_BLOCKS);
    }
    const listed = await this.#listAll(watches, tip, signal);
    const booked: BookedPayment[] = [];
    const setAside: UnreadableTransaction[] = [];
    const options = { database, treasuries: addressesOf(watches, 'treasury'), repair };
    for await (const found of this.#finalUnknown(listed.final, watches, tip, signal)) {
      if (found.kind === 'other') await this.#noteOther(found.transaction);
      else if (found.kind === 'unreadable') {
        await this.#setAside(found.transaction);
        setAside.push(found.transaction);
      } else {
        const { transaction, payment } = found;
        const bytes = await this.#node.bytesOf(transaction.signature, signal);
        booked.push({ kind: payment.kind, ...(await book(payment, { transaction, bytes }, options)) });
      }
    }
    signal.throwIfAborted();
    const open = await openFindings(database.queries);
    const more = open.length > 1 ? ` (and ${open.length - 1} more: \`curvekit ledger reconcile\`)` : '';
    const problem = open[0] && open[0].detail + more;
    const wait = isNew ? await this.#waitsFor(listed.later, watches, tip, signal) : undefined;
    const isOpen = wait === undefined && problem === undefined;
    this.#endedAt = await database.transaction((tx) =>
      endPass(
        tx,
        {
          slot: tip.slot,
          incarnation: isNew && !isOpen ? gate.incarnation : gate.present,
          held: problem ?? null,
          progress: problem ?? wait ?? null,
        },
        listed.watches,
      ),
    );
    this.#isFirst = false;
    return { booked, setAside, isOpen };
  }

  /** Lists the transactions that the tables lack. Changes nothing. */
  async *survey(signal: AbortSignal): AsyncGenerator<Unknown> {
    const watches = await readWatches(this.#context.database.queries);
    const tip = await this.#node.tip(signal);
    const { final } = await this.#listAll(watches, tip, signal);
    yield* this.#finalUnknown(final, watches, tip, signal);
  }

  /**
   * The gate. After a gap without a pass, and when the database lacks this process's last pass, the database counts as
   * restored: its disk or its memory may have been set back while its server kept running.
   */
  async #gate(): Promise<Gate> {
    const { database } = this.#context;
    const gate = await readGate(database.queries);
    const isSetBack = this.#endedAt !== undefined && (gate.reconciledAt ?? 0) < this.#endedAt;
    const hasGap = gate.incarnation === gate.present && gate.isOutdated;
    if (!isSetBack && !hasGap) return gate;
    await closeAsUnknown(database);
    return readGate(database.queries);
  }

  #finalUnknown(
    listed: readonly Listed[],
    watches: readonly Watch[],
    { isSimulator }: Tip,
    signal: AbortSignal,
  ): AsyncGenerator<Unknown> {
    const commitment = isSimulator ? 'confirmed' : 'finalized';
    const search = { watches, areFinal: true, commitment } as const;
    return this.#unknown.in(listed, search, signal, { retries: this.#isFirst });
  }

  /** Final transactions with a watched address that are not booked yet, and transactions that are not final yet. */
  async #listAll(
    watches: readonly Watch[],
    tip: Tip,
    signal: AbortSignal,
  ): Promise<{ final: Listed[]; later: Listed[]; watches: Watch[] }> {
    const bySignature = new Map<string, Listed>();
    const next: Watch[] = [];
    if (!tip.isSimulator)
      await requireWholeHistory(this.#context.database.queries, this.#node.ledger, { watches, tip, signal });
    for (const watch of watches) {
      const after = watch.slot ?? -1;
      const found = await this.#node.list(
        watch.address,
        { after, until: watch.signature, minSlot: tip.slot },
        signal,
      );
      for (const entry of found.reverse()) bySignature.set(entry.signature, entry);
      const slot = Math.max(after, tip.slot - AGAIN_SLOTS);
      const signature = found.findLast((entry) => entry.slot <= slot)?.signature ?? watch.signature;
      next.push({ ...watch, slot, signature });
    }
    const all = [...bySignature.values()];
    // A stable sort keeps the order within a slot.
    const final = all.filter(({ slot }) => slot <= tip.slot).sort((a, b) => a.slot - b.slot);
    return { final, later: all.filter(({ slot }) => slot > tip.slot), watches: next };
  }

  async #noteOther(transaction: ChainTransaction): Promise<void> {
    const { signature, slot, signers } = transaction;
    const detail = `transaction ${signature}, signed by ${signers.join(' and ')}, is not a payment of the service`;
    await this.#context.database.transaction((tx) =>
      recordFinding(tx, { signature, slot, kind: 'other', state: 'other', detail }),
    );
  }

  async #setAside({ signature, slot, reason }: UnreadableTransaction): Promise<void> {
    const finding = { signature, slot, kind: 'other', state: 'unreadable', detail: reason } as const;
    await this.#context.database.transaction((tx) => recordFinding(tx, finding));
  }

  /** Why payments must wait after a start, a restore or a gap; undefined when they can open. */
  async #waitsFor(
    later: readonly Listed[],
    watches: readonly Watch[],
    tip: Tip,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { waitingHeight } = await readGate(this.#context.database.queries);
    if (waitingHeight === undefined) return 'another instance is reconciling';
    if (tip.isSimulator || tip.height >= waitingHeight) return undefined;
    if (await this.#isUnused(later, watches, signal)) return undefined;
    return `transactions that were signed before can land until finalized block ${waitingHeight}, which is ${waitingHeight - tip.height} blocks away`;
  }

  /** Whether neither the tables nor the chain have any payment. Then payments can open at once. */
  async #isUnused(
    later: readonly Listed[],
    watches: readonly Watch[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const [row] = await rowsOf<{ used: boolean }>(
      this.#context.database.queries,
      sql`select exists (select 1 from claims)
            or exists (select 1 from authority_transactions)
            or exists (select 1 from payment_findings where kind <> 'other') as used`,
    );
    if (row?.used !== false || (await hasPostings(this.#context.database.queries))) return false;
    const search = { watches, areFinal: false, commitment: 'confirmed' } as const;
    for await (const { kind } of this.#unknown.in(later, search, signal)) {
      if (kind === 'payment') return false;
    }
    return true;
  }
}
