// One pass compares the payments of the watched keys on chain with the tables, and books missing ones.
// docs/decisions/payments-gate.md explains how long the gate stays closed.
import { sql } from 'drizzle-orm';
import { PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { rowsOf } from '../db/database.js';
import { hasPostings } from '../ledger/balances.js';
import type { Booked } from './booked.js';
import { book, type Payment } from './booking.js';
import type { ChainTransaction } from './chain-transaction.js';
import { claimPaymentIn } from './claim-payment.js';
import { feesMovedIn, feesSweptIn } from './fees-payment.js';
import { openFindings, recordFinding, unknownOf } from './findings.js';
import { endPass, noteWait, readGate, readWatches, type Watch } from '../gate/payments-gate.js';
import { PaymentsNode, type Listed, type Tip } from './payments-node.js';
import { takingIn } from './settlement-payment.js';
import { requireWholeHistory } from './whole-history.js';

/** A transaction signed by a watched key that the tables lack. */
export interface Unknown {
  readonly transaction: ChainTransaction;
  /** Undefined when the transaction is not a payment of the service. */
  readonly payment: Payment | undefined;
}

/** A payment that a pass booked or tried to book. */
export interface BookedPayment extends Booked {
  readonly kind: Payment['kind'];
}

export interface PassReport {
  readonly booked: readonly BookedPayment[];
  /** Whether payments are open. */
  readonly isOpen: boolean;
}

/** A transaction can land up to this many blocks after the block of its blockhash: see `history-proof.ts`. */
const LIFE_BLOCKS = 151;
/** How far the RPC node that returned a blockhash may have been ahead of the one that answers now. */
const MARGIN_BLOCKS = 32;
/** The newest slots are listed again, because several RPC nodes can share one URL and some lag. */
const AGAIN_SLOTS = 32;
const BATCH = 500;
const MINTS_AT_ONCE = 500;
const MOST_STRANGERS = 50_000;

export class Reconciliation {
  readonly #context: Context;
  readonly #node: PaymentsNode;
  #onSimulator = false;
  /** Tokens by the address of their wrapped SOL storage. */
  readonly #wsolStorages = new Map<string, string>();
  readonly #derived = new Set<string>();
  /** Final transactions that contain a watched address but not its signature. */
  readonly #strangers = new Set<string>();

  constructor(context: Context) {
    this.#context = context;
    this.#node = new PaymentsNode(context.config);
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
    const gate = await readGate(database.queries);
    const watches = await readWatches(database.queries);
    const tip = await this.#node.tip(signal);
    this.#onSimulator = tip.isSimulator;
    const isNew = gate.incarnation !== gate.present;
    if (isNew && gate.waitingIncarnation !== gate.present) {
      await noteWait(database, gate.present, tip.newestHeight + LIFE_BLOCKS + MARGIN_BLOCKS);
    }
    const listed = await this.#listAll(watches, tip, signal);
    const booked: BookedPayment[] = [];
    const options = { database, treasuries: addressesOf(watches, 'treasury'), repair };
    for await (const { transaction, payment } of this.#unknownIn(listed.final, watches, true, signal)) {
      if (payment === undefined) await this.#noteOther(transaction);
      else {
        const bytes = await this.#node.bytesOf(transaction.signature, signal);
        booked.push({ kind: payment.kind, ...(await book(payment, { transaction, bytes }, options)) });
      }
    }
    signal.throwIfAborted();
    const open = await openFindings(database.queries);
    const more = open.length > 1 ? ` (and ${open.length - 1} more: \`curvekit ledger reconcile\`)` : '';
    const problem = open[0] && open[0].detail + more;
    const wait = isNew ? await this.#waitsFor(listed, watches, tip, signal) : undefined;
    const isOpen = wait === undefined && problem === undefined;
    await database.transaction((tx) =>
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
    return { booked, isOpen };
  }

  /** Lists the transactions that the tables lack. Changes nothing. */
  async *survey(signal: AbortSignal): AsyncGenerator<Unknown> {
    const watches = await readWatches(this.#context.database.queries);
    const tip = await this.#node.tip(signal);
    this.#onSimulator = tip.isSimulator;
    const { final } = await this.#listAll(watches, tip, signal);
    yield* this.#unknownIn(final, watches, true, signal);
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

  async *#unknownIn(
    listed: readonly Listed[],
    watches: readonly Watch[],
    areFinal: boolean,
    signal: AbortSignal,
  ): AsyncGenerator<Unknown> {
    if (this.#strangers.size > MOST_STRANGERS) this.#strangers.clear();
    const { queries } = this.#context.database;
    const waiting = (await openFindings(queries)).map(({ signature }) => signature);
    const landed = listed.filter(({ failed }) => !failed).map(({ signature }) => signature);
    const wanted = [...new Set([...waiting, ...landed])];
    const commitment = areFinal && !this.#onSimulator ? 'finalized' : 'confirmed';
    const keys = new Set(watches.map(({ address }) => address));
    const { feeReceiver, graduation } = this.#context.deployment;
    const treasuries = addressesOf(watches, 'treasury');
    // In the order of the chain, so that a settlement is booked before the claims paid from it.
    for (let start = 0; start < wanted.length; start += BATCH) {
      const batch = wanted.slice(start, start + BATCH);
      const unknown = await unknownOf(queries, batch);
      const transactions = await this.#node.transactions(
        batch.filter((signature) => unknown.has(signature) && !this.#strangers.has(signature)),
        commitment,
        signal,
      );
      for (const transaction of transactions.sort((a, b) => a.slot - b.slot)) {
        const isOwn = transaction.signers.some((signer) => keys.has(signer));
        const amount =
          feesSweptIn(transaction, graduation.feeReceiver.address.toBase58(), treasuries) ||
          (isOwn ? 0n : feesMovedIn(transaction, feeReceiver.toBase58(), treasuries));
        if (amount > 0n) {
          yield { transaction, payment: { kind: 'funding', amount } };
          continue;
        }
        if (!isOwn) {
          if (areFinal) this.#strangers.add(transaction.signature);
          continue;
        }
        yield { transaction, payment: await this.#paymentIn(transaction, watches) };
      }
    }
  }

  async #paymentIn(transaction: ChainTransaction, watches: readonly Watch[]): Promise<Payment | undefined> {
    const claim = claimPaymentIn(transaction, addressesOf(watches, 'treasury'));
    if (claim !== undefined) return { kind: 'claim', claim };
    const owners = addressesOf(watches, 'dex owner');
    const dexOwner = transaction.signers.find((signer) => owners.has(signer));
    if (dexOwner === undefined) return undefined;
    const taking = takingIn(transaction, dexOwner);
    const { deployment } = this.#context;
    const ofToken = taking.tokenSources.find(
      ({ account, mint }) =>
        communityTokenStorageAddress(new PublicKey(mint), deployment).address.toBase58() === account,
    );
    if (ofToken !== undefined) return { kind: 'settlement', mint: ofToken.mint, taking };
    if (taking.wsolSources.length === 0) return undefined;
    const mint = await this.#tokenOfWsolStorage(taking.wsolSources);
    // The token may not be indexed yet.
    return { kind: 'settlement', mint, taking };
  }

  /** The indexed token whose wrapped SOL storage is one of these accounts. */
  async #tokenOfWsolStorage(accounts: readonly string[]): Promise<string | undefined> {
    const { database, deployment } = this.#context;
    for (let after = ''; ;) {
      const known = accounts
        .map((account) => this.#wsolStorages.get(account))
        .find((mint) => mint !== undefined);
      if (known !== undefined) return known;
      const rows = await rowsOf<{ mint: string }>(
        database.queries,
        sql`select mint from tokens where mint > ${after} order by mint limit ${MINTS_AT_ONCE}`,
      );
      if (rows.length === 0) return undefined;
      for (const { mint } of rows) {
        if (this.#derived.has(mint)) continue;
        this.#derived.add(mint);
        const storage = communityWsolStorageAddress(new PublicKey(mint), deployment).address.toBase58();
        this.#wsolStorages.set(storage, mint);
      }
      after = rows.at(-1)!.mint;
    }
  }

  async #noteOther(transaction: ChainTransaction): Promise<void> {
    const { signature, slot, signers } = transaction;
    const detail = `transaction ${signature}, signed by ${signers.join(' and ')}, is not a payment of the service`;
    await this.#context.database.transaction((tx) =>
      recordFinding(tx, { signature, slot, kind: 'other', state: 'other', detail }),
    );
  }

  /** Why payments must wait after a start or a restore; undefined when they can open. */
  async #waitsFor(
    { later }: { readonly later: readonly Listed[] },
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
    for await (const { payment } of this.#unknownIn(later, watches, false, signal)) {
      if (payment !== undefined) return false;
    }
    return true;
  }
}

function addressesOf(watches: readonly Watch[], role: Watch['role']): Set<string> {
  return new Set(watches.filter((watch) => watch.role === role).map(({ address }) => address));
}
