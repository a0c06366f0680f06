// Reads the transactions of an address from the RPC node. Every failure is thrown: a failed pass books nothing and is
// retried.
import { NEWEST_TRANSACTION_VERSION, UnreadableTransactionError } from '@curvekit/sdk';
import { PublicKey, type AccountInfo } from '@solana/web3.js';
import type { Config } from '../config/config.js';
import { JsonRpc } from '../chain/json-rpc.js';
import { NO_SUCH_BLOCK, NodeError, UNKNOWN_PLACE, UNSUPPORTED_VERSION } from '../chain/node-errors.js';
import { NodeLedger } from '../chain/node-ledger.js';
import { PacedCalls } from '../chain/paced-calls.js';
import { summariesIn, type Summary } from './block-summary.js';
import { readTransaction, type ChainTransaction } from './chain-transaction.js';

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
/** Blocks are long answers. */
const BLOCKS_AT_ONCE = 4;
const EXPECTED_ERRORS: ReadonlySet<number> = new Set([UNSUPPORTED_VERSION]);
const WITHOUT_BLOCK: ReadonlySet<number> = new Set([UNSUPPORTED_VERSION, ...NO_SUCH_BLOCK]);
/** A node that refuses blocks is asked for them again after this time. */
const WITHOUT_BLOCKS_MS = 60_000;

export interface PageQuery {
  readonly before: string | undefined;
  readonly until: string | undefined;
  /** Answers of a node that is behind this slot are refused. */
  readonly minSlot: number;
}

export interface Page {
  readonly entries: readonly Listed[];
  /** Whether no older transaction follows. */
  readonly isLast: boolean;
}

interface EncodedAccount {
  readonly owner: string;
  readonly lamports: number;
  readonly executable: boolean;
  readonly data: readonly [string, string];
}

interface SignatureInfo {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

export class PaymentsNode {
  readonly #calls: PacedCalls;
  readonly #isSimulator: boolean;
  /** A time of `performance.now()`. */
  #withoutBlocksUntil = -Infinity;
  readonly ledger: NodeLedger;

  constructor({ rpcUrl, isSimulated }: Pick<Config, 'rpcUrl' | 'isSimulated'>) {
    this.#calls = new PacedCalls(new JsonRpc(rpcUrl));
    this.#isSimulator = isSimulated;
    this.ledger = new NodeLedger(this.#calls, isSimulated);
  }

  /** Whether the node gives blocks, as far as is known. */
  get givesBlocks(): boolean {
    return performance.now() >= this.#withoutBlocksUntil;
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
   * One page of the transactions that contain an address, newest first. Those of the newest slots may not be final yet.
   *
   * @param before where the page begins: the oldest transaction of the page before it
   * @param until a transaction to end at, to skip known ones; the RPC node may have pruned it
   * @returns undefined when the node does not know `before`: list from the newest transaction again
   */
  async page(
    address: string,
    { before, until, minSlot }: PageQuery,
    signal: AbortSignal,
  ): Promise<Page | undefined> {
    const options = {
      limit: PAGE,
      commitment: 'confirmed',
      // With `minContextSlot`, Surfpool lists no transactions before that slot.
      ...(this.#isSimulator ? {} : { minContextSlot: minSlot }),
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
    };
    try {
      const listed = (await this.#call(
        'getSignaturesForAddress',
        [address, options],
        signal,
      )) as SignatureInfo[];
      const entries = listed.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null }));
      return { entries, isLast: entries.length < PAGE };
    } catch (error) {
      const isForgotten = error instanceof NodeError && error.code === UNKNOWN_PLACE;
      if (!isForgotten || (until === undefined && before === undefined)) throw error;
      // Either place may be the forgotten one.
      if (until !== undefined) return this.page(address, { before, until: undefined, minSlot }, signal);
      return undefined;
    }
  }

  /**
   * What the blocks of these slots say about their transactions, by signature: one call for all transactions of a block. A
   * block that the node does not give is left out: its transactions can still be read one by one.
   */
  async summaries(
    slots: readonly number[],
    commitment: 'confirmed' | 'finalized',
    signal: AbortSignal,
  ): Promise<Map<string, Summary>> {
    const options = {
      encoding: 'json',
      transactionDetails: 'accounts',
      rewards: false,
      commitment,
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    if (!this.givesBlocks) return new Map();
    const calls = slots.map((slot) => ({ method: 'getBlock', params: [slot, options] }));
    try {
      const blocks = await this.#calls.all(calls, signal, {
        codes: WITHOUT_BLOCK,
        atOnce: BLOCKS_AT_ONCE,
        perRequest: 1,
      });
      return new Map(blocks.flatMap(summariesIn));
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      this.#withoutBlocksUntil = performance.now() + WITHOUT_BLOCKS_MS;
      return new Map();
    }
  }

  /**
   * The transactions at these places. Unreadable ones are returned apart, so that another wallet's cannot stop the others.
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
    const answers = await this.#calls.all(
      places.map(({ signature }) => ({ method: 'getTransaction', params: [signature, options] })),
      signal,
      { codes: EXPECTED_ERRORS },
    );
    for (const [index, answer] of answers.entries()) {
      const { signature, slot } = places[index]!;
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

  /** A finalized account at that slot or later; null without one. */
  async account(
    address: PublicKey,
    minSlot: number,
    signal: AbortSignal,
  ): Promise<AccountInfo<Buffer> | null> {
    const options = { encoding: 'base64', commitment: 'finalized', minContextSlot: minSlot };
    const answer = await this.#call('getAccountInfo', [address.toBase58(), options], signal);
    const { value } = answer as { value: EncodedAccount | null };
    if (value === null) return null;
    const { owner, lamports, executable, data } = value;
    return { owner: new PublicKey(owner), lamports, executable, data: Buffer.from(data[0], 'base64') };
  }

  /** Whether a transaction landed, as far as the RPC node knows. */
  async isKnown(signature: string, signal: AbortSignal): Promise<boolean> {
    const options = { searchTransactionHistory: true };
    const answer = await this.#call('getSignatureStatuses', [[signature], options], signal);
    return ((answer as { value: unknown[] }).value[0] ?? null) !== null;
  }

  #call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    return this.#calls.call({ method, params }, signal);
  }
}
