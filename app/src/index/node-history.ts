// Reads the program's transactions from an RPC node. Every request is retried until it succeeds or the signal aborts,
// except after permanent errors.
import type { Config } from '../config/config.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { IncompleteTransactionError, NEWEST_TRANSACTION_VERSION } from '@curvekit/sdk';
import pLimit from 'p-limit';
import { NO_SOURCE, type Source } from './feed/source.js';
import { missing, readAnswer, type Found, type Settled } from './found.js';
import { NodeError, UNKNOWN_PLACE, UNSUPPORTED_VERSION } from '../chain/node-errors.js';
import { NodeLedger } from '../chain/node-ledger.js';
import type { Place } from './store/anchors.js';
import { RetryingRpc, type Call } from '../chain/json-rpc.js';
import { DEFAULT_TUNING, type Tuning } from './tuning.js';
import { WholeBlocks } from './whole-blocks.js';

export type Commitment = 'confirmed' | 'finalized';

/** A transaction as the RPC node lists it. */
export interface Listed {
  readonly signature: string;
  readonly slot: number;
  /** Failed transactions make no records. */
  readonly failed: boolean;
  /** Unix seconds; undefined when the RPC node does not return it, or it was not stored. */
  readonly blockTime?: number | undefined;
}

/** A range of the list, newest first: older than `before`, newer than `until`. */
export interface Stretch {
  readonly before?: string | undefined;
  readonly until?: string | undefined;
}

/** Requests at the same time, unless the operator sets another number. */
export const PARALLEL_REQUESTS = 6;
const CALLS_PER_REQUEST = 50;
const LOOKUP_PAUSE_MS = 100;
/** Limit of RPC nodes. */
const STATUSES_PER_CALL = 256;
const EXPECTED_PAGE_ERRORS = new Set([UNKNOWN_PLACE]);
const EXPECTED_TRANSACTION_ERRORS = new Set([UNSUPPORTED_VERSION]);

interface SignatureInfo {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
  readonly blockTime?: number | null;
}

function isFinal(found: Found): boolean {
  return found.kind === 'unreadable' && found.isFinal;
}

/** The transactions of one program on one RPC node. */
export class NodeHistory {
  readonly #rpc: RetryingRpc;
  /** Shared by all batches that are read at the same time. */
  readonly #limit: ReturnType<typeof pLimit>;
  readonly #blocks: WholeBlocks;
  /** The blocks of the same node. */
  readonly ledger: NodeLedger;

  /** @param onError called for every failed request, before its retry */
  constructor(
    { rpcUrl, isSimulated }: Pick<Config, 'rpcUrl' | 'isSimulated'>,
    private readonly programId: string,
    onError: (error: unknown) => void,
    private readonly tuning: Tuning = DEFAULT_TUNING,
    private readonly source: Pick<Source, 'take'> = NO_SOURCE,
  ) {
    this.#limit = pLimit(tuning.parallelRequests ?? PARALLEL_REQUESTS);
    this.#rpc = new RetryingRpc(rpcUrl, onError);
    const ask = (call: Call, signal: AbortSignal) => this.#limit(() => this.#rpc.tryCall(call, signal));
    this.#blocks = new WholeBlocks(ask, tuning.wholeBlockFrom);
    this.ledger = new NodeLedger(this.#rpc, isSimulated);
  }

  async slot(commitment: Commitment, signal: AbortSignal): Promise<number> {
    const slot = (await this.#rpc.call({ method: 'getSlot', params: [{ commitment }] }, signal)) as number;
    // Before its first finalized block, Surfpool returns a negative slot as an unsigned number.
    return Number.isSafeInteger(slot) ? slot : 0;
  }

  /**
   * Transactions of a range, newest first, at most a page; undefined when the RPC node does not know `before` or `until`.
   * Some nodes add transactions that have not reached the commitment.
   */
  async list(
    { before, until }: Stretch,
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<Listed[] | undefined> {
    const options = {
      limit: this.tuning.pageSize,
      commitment,
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
    };
    const call = { method: 'getSignaturesForAddress', params: [this.programId, options] };
    const page = await this.#rpc.callOr(EXPECTED_PAGE_ERRORS, call, signal);
    if (page instanceof NodeError) return undefined;
    return (page as SignatureInfo[]).map(({ signature, slot, err, blockTime }) => ({
      signature,
      slot,
      failed: err !== null,
      blockTime: blockTime ?? undefined,
    }));
  }

  /**
   * The newest finalized pages between two transactions; undefined when the RPC node does not know one of them. A busy market fills
   * a few between two bookings.
   */
  async listNewest(
    between: { readonly until: Place | undefined; readonly before?: Place | undefined },
    downToSlot: number | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly listed: readonly Listed[]; readonly isAll: boolean } | undefined> {
    const until = between.until?.signature;
    const page = await this.list({ until, before: between.before?.signature }, 'finalized', signal);
    if (page === undefined) return undefined;
    const listed = [...page];
    let isAll = this.isLastPage(page, downToSlot);
    for (let pages = 1; !isAll && pages < (this.tuning.pagesAtOnce ?? 1); pages += 1) {
      const more = await this.list({ until, before: listed.at(-1)!.signature }, 'finalized', signal);
      // It lists again where it broke off, and finds out what the node no longer knows.
      if (more === undefined) break;
      listed.push(...more);
      isAll = this.isLastPage(more, downToSlot);
    }
    return { listed, isAll };
  }

  /** Whether older pages have nothing newer than `downToSlot`. */
  isLastPage(page: readonly Listed[], downToSlot = 0): boolean {
    const oldest = page.at(-1);
    // An RPC node that does not know `until` also lists older transactions.
    return oldest === undefined || page.length < this.tuning.pageSize || oldest.slot < downToSlot;
  }

  /** The slot of a transaction; undefined when the RPC node does not know it. */
  async slotOf(signature: string, signal: AbortSignal): Promise<number | undefined> {
    return (await this.#slotsOf([signature], signal))[0];
  }

  /** The transactions that the RPC node knows at these same slots. */
  async known(
    places: readonly { readonly signature: string; readonly slot: number }[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let start = 0; start < places.length; start += STATUSES_PER_CALL) {
      const chunk = places.slice(start, start + STATUSES_PER_CALL);
      const slots = await this.#slotsOf(
        chunk.map(({ signature }) => signature),
        signal,
      );
      for (const [index, { signature, slot }] of chunk.entries()) {
        if (slots[index] === slot) known.add(signature);
      }
    }
    return known;
  }

  async #slotsOf(signatures: readonly string[], signal: AbortSignal): Promise<(number | undefined)[]> {
    const call = { method: 'getSignatureStatuses', params: [signatures, { searchTransactionHistory: true }] };
    const { value } = (await this.#rpc.call(call, signal)) as { value: ({ slot: number } | null)[] };
    return value.map((status) => status?.slot);
  }

  /** The transactions in order: from the source, or else the RPC node's answers. */
  async find(
    transactions: readonly Pick<Listed, 'signature' | 'slot'>[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<Found[]> {
    const found = new Array<Found>(transactions.length);
    const wanted: number[] = [];
    for (const [index, place] of transactions.entries()) {
      const records = this.source.take(place);
      if (records === undefined) wanted.push(index);
      else found[index] = { kind: 'decoded', records };
    }
    const inBlock = await this.#blocks.read(
      wanted.map((index) => transactions[index]!),
      commitment,
      signal,
    );
    const open = wanted.filter((index) => {
      const place = transactions[index]!;
      const answer = inBlock(place);
      if (answer !== undefined) found[index] = readAnswer(place, commitment, answer);
      return answer === undefined;
    });
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < open.length) {
        await this.#limit(async () => {
          // Decided for each request: an RPC node may turn out to refuse batches.
          const asked = open.slice(next, next + (this.#rpc.takesBatches ? CALLS_PER_REQUEST : 1));
          next += asked.length;
          const places = asked.map((index) => transactions[index]!);
          const answers = await this.#ask(places, commitment, signal);
          for (const [at, index] of asked.entries()) found[index] = answers[at]!;
        });
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#limit.concurrency, open.length) }, work));
    return found;
  }

  async #ask(
    places: readonly Pick<Listed, 'signature' | 'slot'>[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<Found[]> {
    const options = {
      encoding: 'json',
      commitment,
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    const calls = places.map(({ signature }) => ({ method: 'getTransaction', params: [signature, options] }));
    const answers = await this.#rpc.callAllOr(EXPECTED_TRANSACTION_ERRORS, calls, signal);
    return answers.map((answer, index) => readAnswer(places[index]!, commitment, answer));
  }

  /**
   * All the transactions in order. Unreadable ones are marked.
   *
   * @throws IncompleteTransactionError when the RPC node lists a transaction but does not return it
   */
  async fetch(
    transactions: readonly Pick<Listed, 'signature' | 'slot'>[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<Settled[]> {
    const since = Date.now();
    const found = await this.find(transactions, commitment, signal);
    // A reorg can drop a confirmed transaction, so the timeout is shorter.
    const lookupTimeoutMs =
      commitment === 'finalized' ? this.tuning.lookupTimeoutMs : this.tuning.lookupTimeoutMs / 10;
    for (;;) {
      // An answer with missing parts can be complete soon. An answer with an unknown version cannot change.
      const open = found.flatMap((one, index) =>
        one.kind === 'read' || one.kind === 'decoded' || isFinal(one) ? [] : [index],
      );
      if (open.length === 0) return found as Settled[];
      if (Date.now() - since > lookupTimeoutMs) {
        const lacking = open.map((index) => found[index]!).find((one) => one.kind === 'missing');
        if (lacking === undefined) return found as Settled[];
        throw new IncompleteTransactionError(lacking.signature, lacking.reason);
      }
      await sleep(LOOKUP_PAUSE_MS, undefined, { signal });
      const again = await this.find(
        open.map((index) => transactions[index]!),
        commitment,
        signal,
      );
      for (const [position, index] of open.entries()) {
        found[index] = again[position] ?? missing(transactions[index]!.signature);
      }
    }
  }
}
