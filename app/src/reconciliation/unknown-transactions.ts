// Finds the transactions of the watched keys that the tables lack, and what they are.
import { PublicKey, SystemProgram } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { statement } from '../db/database.js';
import type { Watch } from '../ledger/gate/payments-gate.js';
import type { Payment } from './booking.js';
import type { ChainTransaction } from './chain-transaction.js';
import { claimPaymentIn } from './claim-payment.js';
import { openFindings, unknownOf, unreadableFindings } from './findings.js';
import type { PaymentsNode, Place, UnreadableTransaction } from './payments-node.js';
import { takingIn } from './settlement-payment.js';

export type Unknown =
  | { readonly kind: 'payment'; readonly transaction: ChainTransaction; readonly payment: Payment }
  /** Not a payment of the service. */
  | { readonly kind: 'other'; readonly transaction: ChainTransaction }
  | { readonly kind: 'unreadable'; readonly transaction: UnreadableTransaction };

/** Where to look, and in what. */
export interface Search {
  readonly watches: readonly Watch[];
  readonly commitment: 'confirmed' | 'finalized';
}

const BATCH = 500;
const MINTS_AT_ONCE = 500;

export class UnknownTransactions {
  readonly #context: Context;
  readonly #node: PaymentsNode;
  /** Tokens by the address of their wrapped SOL storage. */
  readonly #wsolStorages = new Map<string, string>();
  readonly #derived = new Set<string>();

  constructor(context: Context, node: PaymentsNode) {
    this.#context = context;
    this.#node = node;
  }

  /**
   * What these transactions, and those of earlier open findings, are, if the tables lack them. In the order of the chain: a
   * settlement comes before the claims paid from it.
   *
   * @param retries whether transactions that could not be read are read again
   */
  async *in(
    found: readonly Place[],
    { watches, commitment }: Search,
    signal: AbortSignal,
    { retries = false }: { readonly retries?: boolean } = {},
  ): AsyncGenerator<Unknown> {
    const { queries } = this.#context.database;
    const again = new Map<string, Place>();
    if (retries)
      for (const finding of await unreadableFindings(queries)) again.set(finding.signature, finding);
    const wanted = new Map<string, Place>(again);
    for (const finding of await openFindings(queries)) wanted.set(finding.signature, finding);
    for (const place of found) wanted.set(place.signature, place);
    const places = [...wanted.values()].sort((a, b) => a.slot - b.slot);
    for (let start = 0; start < places.length; start += BATCH) {
      const batch = places.slice(start, start + BATCH);
      const unknown = await unknownOf(queries, batch);
      const { read, unreadable } = await this.#node.transactions(
        batch.filter(({ signature }) => again.has(signature) || unknown.has(signature)),
        commitment,
        signal,
      );
      for (const transaction of unreadable) yield { kind: 'unreadable', transaction };
      for (const transaction of read.sort((a, b) => a.slot - b.slot)) {
        const judged = await this.#judge(transaction, watches);
        if (judged !== undefined) yield judged;
        // A recorded transaction gets its result, although another wallet sent it.
        else if (again.has(transaction.signature)) yield { kind: 'other', transaction };
      }
    }
  }

  /** Undefined for a transaction without a signature of a watched key that moves no fees to a treasury. */
  async #judge(transaction: ChainTransaction, watches: readonly Watch[]): Promise<Unknown | undefined> {
    const keys = new Set(watches.map(({ address }) => address));
    const { feeReceiver, graduation } = this.#context.deployment;
    const treasuries = addressesOf(watches, 'treasury');
    const isOwn = transaction.signers.some((signer) => keys.has(signer));
    const amount =
      feesSweptIn(transaction, graduation.feeReceiver.address.toBase58(), treasuries) ||
      (isOwn ? 0n : feesMovedIn(transaction, feeReceiver.toBase58(), treasuries));
    if (amount > 0n) return { kind: 'payment', transaction, payment: { kind: 'funding', amount } };
    if (!isOwn) return undefined;
    const payment = await this.#paymentIn(transaction, watches);
    return payment === undefined ? { kind: 'other', transaction } : { kind: 'payment', transaction, payment };
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
      const rows = await statement<{ mint: string }>(database.queries)`
        select mint from tokens where mint > ${after} order by mint limit ${MINTS_AT_ONCE}`;
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
}

export function addressesOf(watches: readonly Watch[], role: Watch['role']): Set<string> {
  return new Set(watches.filter((watch) => watch.role === role).map(({ address }) => address));
}

// Recognises fees that reach a treasury: transferred with the fee receiver's key, or swept by the graduation program.

const SYSTEM = SystemProgram.programId.toBase58();
const TRANSFER = 2;
/** Instruction data: the tag and the lamports. */
const TRANSFER_BYTES = 12;

/** Lamports that the fee receiver transfers to treasuries in a transaction that it signed. */
function feesMovedIn(
  { instructions, signers }: ChainTransaction,
  feeReceiver: string,
  treasuries: ReadonlySet<string>,
): bigint {
  if (!signers.includes(feeReceiver)) return 0n;
  let moved = 0n;
  for (const { program, accounts, data } of instructions) {
    const [from, to] = accounts;
    if (program !== SYSTEM || from !== feeReceiver || to === undefined || !treasuries.has(to)) continue;
    if (data.length === TRANSFER_BYTES && data.readUInt32LE() === TRANSFER) moved += data.readBigUInt64LE(4);
  }
  return moved;
}

/**
 * Lamports that the graduation program swept to treasuries in a transaction. Only `sweep` takes lamports from its fee
 * receiver. If fees arrive in the same transaction, the result is less than the swept amount, never more.
 */
function feesSweptIn(
  { keys, lamportsGained }: ChainTransaction,
  feeReceiver: string,
  treasuries: ReadonlySet<string>,
): bigint {
  const gainOf = (key: string) => lamportsGained[keys.indexOf(key)] ?? 0n;
  const swept = -gainOf(feeReceiver);
  const arrived = keys.filter((key) => treasuries.has(key)).reduce((sum, key) => sum + gainOf(key), 0n);
  const moved = swept < arrived ? swept : arrived;
  return moved > 0n ? moved : 0n;
}
