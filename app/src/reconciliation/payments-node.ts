// Reads the transactions of an address from the RPC node. Every failure is thrown: a failed pass books nothing and is
// retried.
import { NEWEST_TRANSACTION_VERSION, UnreadableTransactionError } from '@curvekit/sdk';
import type { Config } from '../config/config.js';
import { JsonRpc, type Call } from '../rpc/json-rpc.js';
import { NodeError, UNKNOWN_PLACE, UNSUPPORTED_VERSION } from '../rpc/node-errors.js';
import { NodeLedger } from '../rpc/node-ledger.js';
import { readTransaction, type ChainTransaction } from './chain-transaction.js';

/** A transaction in the RPC node's list. */
export interface Listed {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
}

/** Where a transaction is on the chain. */
export type Place = Pick<Listed, 'signature' | 'slot'>;

/** A transaction that the RPC node lists, and whose version cannot be read. */
export interface UnreadableTransaction extends Place {
  /** In one line. */
  readonly reason: string;
}

/** The tip of the chain. */
export interface Tip {
  /** Simulators make a block only for a transaction and never undo one, so a confirmed block is final there. */
  readonly isSimulator: boolean;
  /** The newest slot whose transactions are final. */
  readonly slot: number;
  /** Finalized block height. */
  readonly height: number;
  /** Height of the newest block, which a reorg can still undo. */
  readonly newestHeight: number;
}

const PAGE = 1_000;
const CALLS_PER_REQUEST = 50;
const EXPECTED_ERRORS: ReadonlySet<number> = new Set([UNSUPPORTED_VERSION]);

interface SignatureInfo {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

export class PaymentsNode {
  readonly #rpc: JsonRpc;
  readonly #isSimulator: boolean;
  readonly ledger: NodeLedger;

  constructor({ rpcUrl, isSimulated }: Pick<Config, 'rpcUrl' | 'isSimulated'>) {
    this.#rpc = new JsonRpc(rpcUrl);
    this.#isSimulator = isSimulated;
    this.ledger = new NodeLedger(this.#rpc, isSimulated);
  }

  async tip(signal: AbortSignal): Promise<Tip> {
    const isSimulator = await this.ledger.isSimulated(signal);
    const [info, newestHeight] = await Promise.all([
      this.#call('getEpochInfo', [{ commitment: isSimulator ? 'confirmed' : 'finalized' }], signal),
      this.#call('getBlockHeight', [{ commitment: 'processed' }], signal),
    ]);
    const { absoluteSlot, blockHeight } = info as { absoluteSlot: number; blockHeight: number };
    return { isSimulator, slot: absoluteSlot, height: blockHeight, newestHeight: newestHeight as number };
  }

  /**
   * Transactions that contain an address, in slots after `after`, newest first. Those of the newest slots may not be final
   * yet.
   *
   * @param until a signature of slot `after` or earlier, to skip known transactions; the RPC node may have pruned it
   */
  async list(
    address: string,
    { after, until, minSlot }: { after: number; until: string | undefined; minSlot: number },
    signal: AbortSignal,
  ): Promise<Listed[]> {
    const listed: Listed[] = [];
    let down = until;
    let before: string | undefined;
    for (;;) {
      const options = {
        limit: PAGE,
        commitment: 'confirmed',
        // With `minContextSlot`, Surfpool lists no transactions before that slot.
        ...(this.#isSimulator ? {} : { minContextSlot: minSlot }),
        ...(before === undefined ? {} : { before }),
        ...(down === undefined ? {} : { until: down }),
      };
      let page: SignatureInfo[];
      try {
        page = (await this.#call('getSignaturesForAddress', [address, options], signal)) as SignatureInfo[];
      } catch (error) {
        const isForgotten = error instanceof NodeError && error.code === UNKNOWN_PLACE;
        if (!isForgotten || down === undefined) throw error;
        down = undefined;
        continue;
      }
      for (const { signature, slot, err } of page) {
        if (slot > after) listed.push({ signature, slot, failed: err !== null });
      }
      const oldest = page.at(-1);
      if (oldest === undefined || page.length < PAGE || oldest.slot <= after) return listed;
      before = oldest.signature;
    }
  }

  /**
   * The transactions at these places. Unreadable ones are returned apart, so that a stranger's cannot stop the others.
   *
   * @throws NodeError when the RPC node lists a transaction that it does not return
   */
  async transactions(
    places: readonly Place[],
    commitment: 'confirmed' | 'finalized',
    signal: AbortSignal,
  ): Promise<{ readonly read: ChainTransaction[]; readonly unreadable: UnreadableTransaction[] }> {
    const options = {
      encoding: 'json',
      commitment,
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    const read: ChainTransaction[] = [];
    const unreadable: UnreadableTransaction[] = [];
    for (let start = 0; start < places.length; start += CALLS_PER_REQUEST) {
      const chunk = places.slice(start, start + CALLS_PER_REQUEST);
      const answers = await this.#callAll(
        chunk.map(({ signature }) => ({ method: 'getTransaction', params: [signature, options] })),
        signal,
      );
      for (const [index, answer] of answers.entries()) {
        const { signature, slot } = chunk[index]!;
        if (answer === null) {
          throw new NodeError(
            `the node lists transaction ${signature} but does not give it; if that lasts, set RPC_URL to a node with the whole history`,
          );
        }
        try {
          read.push(readTransaction(signature, answer));
        } catch (error) {
          if (!(error instanceof UnreadableTransactionError)) throw error;
          unreadable.push({ signature, slot, reason: error.message });
        }
      }
    }
    return { read, unreadable };
  }

  /** The bytes of a transaction, in base64. */
  async bytesOf(signature: string, signal: AbortSignal): Promise<string> {
    const options = {
      encoding: 'base64',
      commitment: 'confirmed',
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    const answer = await this.#call('getTransaction', [signature, options], signal);
    const bytes = (answer as { transaction?: [string, string] } | null)?.transaction?.[0];
    if (bytes === undefined) throw new NodeError(`the node does not give transaction ${signature}`);
    return bytes;
  }

  /** Whether a transaction landed, as far as the RPC node knows. */
  async isKnown(signature: string, signal: AbortSignal): Promise<boolean> {
    const options = { searchTransactionHistory: true };
    const answer = await this.#call('getSignatureStatuses', [[signature], options], signal);
    return ((answer as { value: unknown[] }).value[0] ?? null) !== null;
  }

  #call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#rpc.call({ method, params }, signal);
  }

  /** The results. An expected error is returned in place of its result. */
  async #callAll(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    const together = this.#rpc.takesBatches
      ? await this.#rpc.callAll(calls, signal, EXPECTED_ERRORS)
      : undefined;
    if (together !== undefined) return together;
    const answers: unknown[] = [];
    for (const call of calls) answers.push(await this.#rpc.callOr(EXPECTED_ERRORS, call, signal));
    return answers;
  }
}
