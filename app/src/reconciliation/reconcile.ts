// One pass compares the payments of the watched keys on chain with the tables, and books missing ones.
// docs/decisions/payments-gate.md explains how long the gate stays closed.
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../context.js';
import { markAddress } from './split-brain/mark-account.js';
import { Payer } from './split-brain/payer.js';
import { statement, type Executor } from '../db/database.js';
import { hasPostings } from '../ledger/balances.js';
import type { Booked } from './booked.js';
import { book, type Payment } from './booking.js';
import type { ChainTransaction } from './chain-transaction.js';
import { openFindings, recordFinding } from './findings.js';
import {
  closeAsUnknown,
  continuePass,
  endPass,
  noteProgress,
  noteWait,
  paymentsHeld,
  readGate,
  readWatches,
  type Gate,
  type Watch,
} from '../ledger/gate/payments-gate.js';
import { LIFE_BLOCKS } from '../chain/history-proof.js';
import {
  PaymentsNode,
  type Listed,
  type Place,
  type Tip,
  type UnreadableTransaction,
} from './payments-node.js';
import { PaymentsReader, type Reading } from './reader.js';
import { addressesOf, UnknownTransactions, type Unknown } from './unknown-transactions.js';
import { countUnread, forgetPlaces, ownPlaces } from './unread-store.js';
import { NodeError } from '../chain/node-errors.js';
import type { NodeLedger } from '../chain/node-ledger.js';

export interface BookedPayment extends Booked {
  readonly kind: Payment['kind'];
}

export interface PassReport {
  readonly booked: readonly BookedPayment[];
  /** Transactions that could not be read. They hold nothing. The first pass also has those set aside before. */
  readonly setAside: readonly UnreadableTransaction[];
  /** Whether everything was read. Otherwise the next pass continues, and nothing was booked. */
  readonly isComplete: boolean;
  readonly isOpen: boolean;
}

/** How far the RPC node that returned a blockhash may have been ahead of the one that answers now. */
const MARGIN_BLOCKS = 32;

export class Reconciliation {
  readonly #context: Context;
  readonly #node: PaymentsNode;
  readonly #unknown: UnknownTransactions;
  readonly #reader: PaymentsReader;
  readonly #payer: Payer;
  /** When this process ended its last pass, by the database's clock. An older time in the database means a rollback. */
  #endedAt: number | undefined;
  /** Unreadable transactions are retried in the first pass, because this process may have another node or version. */
  #isFirst = true;

  /** @param readForMs how long a pass reads at most */
  constructor(context: Context, { readForMs }: { readonly readForMs?: number } = {}) {
    this.#context = context;
    this.#node = new PaymentsNode(context.config);
    this.#unknown = new UnknownTransactions(context, this.#node);
    this.#reader = new PaymentsReader(context, this.#node, readForMs);
    this.#payer = new Payer(context, this.#node);
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
    let openClaims: (() => Promise<void>) | undefined;
    if (!tip.isSimulator) {
      openClaims = await this.#payer.look(addressesOf(watches, 'treasury'), gate.present, { tip, signal });
      await requireWholeHistory(database.queries, this.#node.ledger, { watches, tip, signal });
    }
    const reading = await this.#reader.read(watches, tip, signal);
    if (!reading.isComplete) return this.#continue(gate, reading, signal);
    const own = await ownPlaces(database.queries);
    const booked: BookedPayment[] = [];
    const setAside: UnreadableTransaction[] = [];
    const options = { database, treasuries: addressesOf(watches, 'treasury'), repair };
    for await (const found of this.#finalUnknown(own, watches, tip, signal)) {
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
    const wait = isNew ? await this.#waitsFor(reading.later, watches, tip, signal) : undefined;
    const canOpen = wait === undefined && problem === undefined;
    this.#endedAt = await database.transaction(async (tx) => {
      await forgetPlaces(
        tx,
        own.map(({ signature }) => signature),
      );
      return endPass(
        tx,
        {
          slot: tip.slot,
          incarnation: isNew && !canOpen ? gate.incarnation : gate.present,
          held: problem ?? null,
          progress: problem ?? wait ?? null,
        },
        reading.watches,
      );
    });
    this.#isFirst = false;
    if (canOpen) await openClaims?.();
    const isOpen = canOpen && (await paymentsHeld(database.queries)) === undefined;
    return { booked, setAside, isComplete: true, isOpen };
  }

  /**
   * Ends a pass that has more to read. If this process has ended a pass of this database, and the database still has it, the
   * database was not set back: it has every payment that it has signed, so payments go on.
   */
  async #continue(gate: Gate, { isListed }: Reading, signal: AbortSignal): Promise<PassReport> {
    const { database } = this.#context;
    signal.throwIfAborted();
    const unread = await countUnread(database.queries);
    const count = `${isListed ? '' : 'at least '}${unread}`;
    const progress = `reading the transactions that name the service's keys: ${count} are still to be read`;
    const { present, incarnation } = gate;
    const endedAt = incarnation === present ? this.#endedAt : undefined;
    const renewedAt = endedAt && (await continuePass(database, { endedAt, progress, unread }));
    if (renewedAt === undefined) await noteProgress(database, progress, unread);
    else this.#endedAt = renewedAt;
    const isOpen = (await paymentsHeld(database.queries)) === undefined;
    return { booked: [], setAside: [], isComplete: false, isOpen };
  }

  /**
   * Makes this database the one that pays from this instance's treasury.
   *
   * @returns the epoch of the database that pays until then; undefined when no epoch is on chain
   */
  async takeOver(signal: AbortSignal): Promise<string | undefined> {
    const treasury = this.#context.config.treasury?.publicKey.toBase58();
    return treasury && this.#payer.takeOver(treasury, { tip: await this.#node.tip(signal), signal });
  }

  /** Lists the transactions that the tables lack. Changes nothing. */
  async *survey(signal: AbortSignal): AsyncGenerator<Unknown> {
    const watches = await readWatches(this.#context.database.queries);
    const tip = await this.#node.tip(signal);
    if (!tip.isSimulator) {
      const { queries } = this.#context.database;
      await requireWholeHistory(queries, this.#node.ledger, { watches, tip, signal });
    }
    const own = await this.#reader.survey(watches, tip, signal);
    yield* this.#finalUnknown(own, watches, tip, signal);
  }

  /**
   * The gate. After a gap without a pass, and when the database lacks this process's last pass, the database counts as
   * restored: its disk or its memory may have been set back while its server ran on.
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
    own: readonly Place[],
    watches: readonly Watch[],
    { isSimulator }: Tip,
    signal: AbortSignal,
  ): AsyncGenerator<Unknown> {
    const commitment = isSimulator ? 'confirmed' : 'finalized';
    return this.#unknown.in(own, { watches, commitment }, signal, { retries: this.#isFirst });
  }

  async #noteOther(transaction: ChainTransaction): Promise<void> {
    const { signature, slot, signers } = transaction;
    const mark = (await markAddress(new PublicKey(signers[0]!))).toBase58();
    const what = transaction.keys.includes(mark)
      ? 'says which database pays'
      : 'is not a payment of the service';
    const detail = `transaction ${signature}, signed by ${signers.join(' and ')}, ${what}`;
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
    const [row] = await statement<{ used: boolean }>(this.#context.database.queries)`
      select exists (select 1 from claims)
        or exists (select 1 from authority_transactions)
        or exists (select 1 from payment_findings where kind <> 'other') as used`;
    if (row?.used !== false || (await hasPostings(this.#context.database.queries))) return false;
    const commitment = 'confirmed';
    const succeeded = later.filter(({ failed }) => !failed);
    const own = await this.#reader.ownAmong(succeeded, watches, commitment, signal);
    for await (const { kind } of this.#unknown.in(own, { watches, commitment }, signal)) {
      if (kind === 'payment') return false;
    }
    return true;
  }
}

// Checks that the RPC node can list every payment that is not booked yet.

const ADVICE = 'payments there cannot be seen; set RPC_URL to a node with the whole history';

/** @throws NodeError when the RPC node may lack transactions that are not booked yet */
async function requireWholeHistory(
  db: Executor,
  ledger: NodeLedger,
  {
    watches,
    tip,
    signal,
  }: { readonly watches: readonly Watch[]; readonly tip: Tip; readonly signal: AbortSignal },
): Promise<void> {
  const { reconciledSlot } = await readGate(db);
  if (reconciledSlot !== undefined) {
    const gap = await ledger.gapBetween(reconciledSlot, tip.slot, signal);
    if (gap !== undefined) throw new NodeError(`${gap}: ${ADVICE}`);
  }
  if (watches.every(({ slot }) => slot !== undefined)) return;
  const begin = await beginOfProgram(db);
  const firstBlock = await ledger.firstBlock(signal);
  if (firstBlock <= (begin ?? 0)) return;
  const known =
    begin === undefined
      ? 'and the index has not found the first transaction of the program yet (INDEXER=on)'
      : `the program's with slot ${begin}`;
  throw new NodeError(`the node's history begins with slot ${firstBlock}, ${known}: ${ADVICE}`);
}

/** Slot of the program's first transaction: infinite when it has none, undefined while the index does not know. */
async function beginOfProgram(db: Executor): Promise<number | undefined> {
  const [row] = await statement<{ first: string | null; scanned: boolean }>(db)`
    select first_slot::text as first, scanned_slot is not null as scanned from indexer_state`;
  const first = row?.first ?? null;
  if (first !== null) return Number(first);
  return row?.scanned === true ? Infinity : undefined;
}
