// What a node tells of the program's transactions. Every request is repeated until it is answered or the signal aborts.
import { setTimeout as sleep } from 'node:timers/promises';
import { IncompleteTransactionError, type ConfirmedTransaction } from '@curvekit/sdk';
import { NodeLedger } from './node-ledger.js';
import { PatientRpc } from './patient-rpc.js';
import { DEFAULT_TUNING, type Tuning } from './tuning.js';

export type Commitment = 'confirmed' | 'finalized';

/** A transaction as the node lists it. */
export interface Listed {
  readonly signature: string;
  readonly slot: number;
  /** Failed transactions make no records. */
  readonly failed: boolean;
}

/** A stretch of the list, newest first: older than `before`, newer than `until`. */
export interface Stretch {
  readonly before?: string | undefined;
  readonly until?: string | undefined;
}

const PARALLEL_REQUESTS = 6;
const CALLS_PER_REQUEST = 50;
const PATIENCE_PAUSE_MS = 100;

interface SignatureInfo {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

/** The transactions of one program on one node. */
export class NodeHistory {
  readonly #rpc: PatientRpc;
  /** The blocks of the same node. */
  readonly ledger: NodeLedger;

  /** @param onError told of every failed request, which is then repeated */
  constructor(
    rpcUrl: string,
    private readonly programId: string,
    onError: (error: unknown) => void,
    private readonly tuning: Tuning = DEFAULT_TUNING,
  ) {
    this.#rpc = new PatientRpc(rpcUrl, onError);
    this.ledger = new NodeLedger(this.#rpc);
  }

  /** The newest slot of a commitment. */
  async slot(commitment: Commitment, signal: AbortSignal): Promise<number> {
    return (await this.#rpc.call({ method: 'getSlot', params: [{ commitment }] }, signal)) as number;
  }

  /** Transactions of a stretch, newest first, at most a page. Some nodes add ones that are not at the commitment yet. */
  async list({ before, until }: Stretch, commitment: Commitment, signal: AbortSignal): Promise<Listed[]> {
    const options = {
      limit: this.tuning.pageSize,
      commitment,
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
    };
    const call = { method: 'getSignaturesForAddress', params: [this.programId, options] };
    const page = (await this.#rpc.call(call, signal)) as SignatureInfo[];
    return page.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null }));
  }

  /** Whether nothing older than this page is newer than the slot it was asked down to. */
  isLastPage(page: readonly Listed[], downToSlot = 0): boolean {
    const oldest = page.at(-1);
    // A node that does not know the place it was asked down to lists everything before it as well.
    return oldest === undefined || page.length < this.tuning.pageSize || oldest.slot < downToSlot;
  }

  /** The slot of a transaction; undefined when the node does not know it. */
  async slotOf(signature: string, signal: AbortSignal): Promise<number | undefined> {
    const call = {
      method: 'getSignatureStatuses',
      params: [[signature], { searchTransactionHistory: true }],
    };
    const { value } = (await this.#rpc.call(call, signal)) as { value: ({ slot: number } | null)[] };
    return value[0]?.slot;
  }

  /** The transactions, in order, null for those that the node does not find. */
  async find(
    signatures: readonly string[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<(ConfirmedTransaction | null)[]> {
    const found: (ConfirmedTransaction | null)[] = new Array<null>(signatures.length).fill(null);
    let next = 0;
    const options = { encoding: 'json', commitment, maxSupportedTransactionVersion: 0 };
    const work = async (): Promise<void> => {
      while (next < signatures.length) {
        const start = next;
        const chunk = signatures.slice(start, start + (this.#rpc.takesBatches ? CALLS_PER_REQUEST : 1));
        next += chunk.length;
        const calls = chunk.map((signature) => ({ method: 'getTransaction', params: [signature, options] }));
        const results = await this.#rpc.callAll(calls, signal);
        for (const [index, transaction] of results.entries()) {
          found[start + index] = transaction as ConfirmedTransaction | null;
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work));
    return found;
  }

  /**
   * The transactions, in order, all of them.
   *
   * @throws IncompleteTransactionError when the node lists one but does not keep it
   */
  async fetch(
    signatures: readonly string[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<ConfirmedTransaction[]> {
    const since = Date.now();
    const found = await this.find(signatures, commitment, signal);
    for (;;) {
      const missing = found.flatMap((transaction, index) => (transaction === null ? [index] : []));
      if (missing.length === 0) return found as ConfirmedTransaction[];
      if (Date.now() - since > this.tuning.patienceMs) {
        throw new IncompleteTransactionError(
          signatures[missing[0]!]!,
          'the node lists it but does not keep it; use one with full history (RPC_URL)',
        );
      }
      await sleep(PATIENCE_PAUSE_MS, undefined, { signal });
      const again = await this.find(
        missing.map((index) => signatures[index]!),
        commitment,
        signal,
      );
      for (const [position, index] of missing.entries()) found[index] = again[position] ?? null;
    }
  }
}
