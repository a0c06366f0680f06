import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AddressLookupTableAccount,
  Connection,
  Keypair,
  TransactionInstruction,
  VersionedTransaction,
  VersionedTransactionResponse,
} from '@solana/web3.js';
import {
  confirmedError,
  type Deployment,
  TransactionError,
  TransactionExpiredError,
  signatureOf,
} from '@curvekit/sdk';
import type { Pace } from './backend.js';
import { deliver } from './confirm.js';
import { signTransaction, type TransactionContent } from './sign.js';

/** A transaction that landed and succeeded. */
export interface SentTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly computeUnits: number;
  /** The network fee that the first signer paid, in lamports. */
  readonly fee: bigint;
  readonly logs: readonly string[];
  /** Size on the wire, signatures included; at most 1,232. */
  readonly bytes: number;
  /** The transaction as the cluster returns it, with inner instructions. */
  readonly transaction: VersionedTransactionResponse;
}

/** How a transaction is built and confirmed. */
export interface SendOptions {
  readonly addressLookupTables?: readonly AddressLookupTableAccount[];
  /** Timeout for the confirmation in milliseconds. Default: one minute. */
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** On a busy cluster the blockhash can expire before the transaction lands. Then it is signed again. */
const SIGN_ATTEMPTS = 3;
const NEW_BLOCKHASH_INTERVAL_MS = 20;
const REMEMBERED_SIGNATURES = 10_000;

/** Sends transactions to one cluster and waits until each is confirmed. */
export class TransactionSender {
  readonly #connection: Connection;
  readonly #deployment: Deployment;
  readonly #pace: Pace;
  readonly #limit: Limiter;
  /** Signatures already sent, oldest first. */
  readonly #sent = new Set<string>();

  /** @param deployment The program whose errors become typed errors. */
  constructor(connection: Connection, deployment: Deployment, pace: Pace) {
    this.#connection = connection;
    this.#deployment = deployment;
    this.#pace = pace;
    this.#limit = limitInFlight(pace.maxInFlight);
  }

  /** See `LocalCluster.send`. */
  send(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    { addressLookupTables = [], ...options }: SendOptions = {},
  ): Promise<SentTransaction> {
    return this.#limit(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const transaction = await this.#sign({ instructions, signers, addressLookupTables });
        try {
          return await this.#deliver(transaction, options);
        } catch (error) {
          if (!(error instanceof TransactionExpiredError) || attempt === SIGN_ATTEMPTS) throw error;
        }
      }
    });
  }

  /** See `LocalCluster.sendSigned`. */
  sendSigned(transaction: VersionedTransaction, options: SendOptions = {}): Promise<SentTransaction> {
    return this.#limit(() => this.#deliver(transaction, options));
  }

  async #sign(content: TransactionContent): Promise<VersionedTransaction> {
    for (;;) {
      const { blockhash } = await this.#connection.getLatestBlockhash();
      const transaction = signTransaction(content, blockhash);
      // Equal instructions with an equal blockhash are the same transaction, which the cluster would execute only once.
      if (this.#remember(signatureOf(transaction))) return transaction;
      await sleep(NEW_BLOCKHASH_INTERVAL_MS);
    }
  }

  async #deliver(
    transaction: VersionedTransaction,
    { timeoutMs = DEFAULT_TIMEOUT_MS }: SendOptions,
  ): Promise<SentTransaction> {
    const signature = signatureOf(transaction);
    const { resendAfterMs } = this.#pace;
    let landed: VersionedTransactionResponse;
    try {
      landed = await deliver(this.#connection, transaction, signature, { timeoutMs, resendAfterMs });
    } catch (error) {
      this.#sent.delete(signature);
      throw error;
    }
    const failure = confirmedError(landed, { deployment: this.#deployment });
    if (failure !== null) throw failure;
    const { meta, slot } = landed;
    if (meta === null)
      throw new TransactionError('NoStatus', `the cluster keeps no status of ${signature}`, { signature });
    return {
      signature,
      slot,
      computeUnits: meta.computeUnitsConsumed ?? 0,
      fee: BigInt(meta.fee),
      logs: meta.logMessages ?? [],
      bytes: transaction.serialize().length,
      transaction: landed,
    };
  }

  /** Remembers the signature. Returns whether it is new. */
  #remember(signature: string): boolean {
    if (this.#sent.has(signature)) return false;
    this.#sent.add(signature);
    const [oldest] = this.#sent;
    if (this.#sent.size > REMEMBERED_SIGNATURES && oldest !== undefined) this.#sent.delete(oldest);
    return true;
  }
}

/** Runs tasks in their order, each as soon as fewer than the limit are running. */
type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

/** A limiter for at most `limit` tasks at once. */
function limitInFlight(limit: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // Start the next waiting task directly, so that no later task takes its place.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
