// Proves that a transaction has not landed and never will. An RPC node's answer "unknown" proves nothing: the node may have
// restarted from a newer snapshot and lack blocks, and one URL can have several nodes. The proof: the node has every block
// that could contain the transaction. Heights grow by one from block to block, and the first block has the transaction's
// blockhash.
import {
  NEWEST_TRANSACTION_VERSION,
  type ExpiryProof,
  type ExpiryResult,
  type ExpirySearch,
  type SignedTransaction,
} from '@curvekit/sdk';
import { VersionedTransaction } from '@solana/web3.js';
import { JsonRpc, type Call } from './json-rpc.js';
import { Simulator } from './simulator.js';

export interface ProvableTransaction extends SignedTransaction {
  /** Base64. */
  readonly transaction: string;
  /** Slot at which the blockhash was read. Null when it was not stored; then nothing can be proven. */
  readonly blockhashSlot: number | null;
}

/** A transaction can land up to this many blocks after the block of its blockhash: ages 0 to 150 are accepted. */
export const LIFE_BLOCKS = 151;
/** Additional blocks, so that off-by-one counts do not matter. */
const MARGIN_BLOCKS = 8;
/** Blocks checked, from the block of the blockhash or the one after it. */
const SPAN = LIFE_BLOCKS + MARGIN_BLOCKS;
/** On a simulator: slots between the slot of the proof and the tip. */
const SIMULATOR_MARGIN_SLOTS = 16;
const PARALLEL_REQUESTS = 8;

const EARLY: ExpiryResult = { kind: 'expiring' };
const EXPIRED: ExpiryResult = { kind: 'expired' };
const FINALIZED = { commitment: 'finalized' };
const ANY_VERSION = { maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION };

export class HistoryProof implements ExpiryProof<ProvableTransaction> {
  readonly #rpc: JsonRpc;
  readonly #simulator: Simulator;

  /** @param isSimulated whether the configuration says that the cluster is a simulation */
  constructor(rpcUrl: string, isSimulated: boolean) {
    this.#rpc = new JsonRpc(rpcUrl);
    this.#simulator = new Simulator(isSimulated);
  }

  /** Whether the finalized chain is far enough past the transaction's last valid block. */
  isDue(finalizedHeight: number, { lastValidBlockHeight }: SignedTransaction): boolean {
    // The last block of the span has this height, or one less.
    return finalizedHeight >= lastValidBlockHeight + 2 + MARGIN_BLOCKS;
  }

  /** @throws NodeError when the RPC node does not answer or returns an error; then nothing is proven */
  examine(
    transaction: ProvableTransaction,
    { retry, signal = new AbortController().signal }: Pick<ExpirySearch, 'retry' | 'signal'>,
  ): Promise<ExpiryResult> {
    return retry(() => this.#examine(transaction, signal), Infinity);
  }

  /** Cheap when the RPC node accepts batches. Otherwise it reads every block in which the transaction could land. */
  async #examine(signed: ProvableTransaction, signal: AbortSignal): Promise<ExpiryResult> {
    const { blockhashSlot: slot } = signed;
    if (slot === null) return unproven('the slot of its blockhash was not stored when it was signed');
    const { message } = VersionedTransaction.deserialize(Buffer.from(signed.transaction, 'base64'));
    const subject = { ...signed, slot, blockhash: message.recentBlockhash };
    const askVersion = () => this.#rpc.call({ method: 'getVersion', params: [] }, signal);
    if (await this.#simulator.isSimulated(askVersion)) return this.#onSimulator(subject, signal);

    const [height, listed] = await this.#askAll(
      [
        { method: 'getBlockHeight', params: [FINALIZED] },
        { method: 'getBlocksWithLimit', params: [slot, SPAN + 1, FINALIZED] },
      ],
      signal,
    );
    if (typeof height !== 'number' || !this.isDue(height, signed)) return EARLY;
    const slots = slotsFrom(listed, slot);
    if (slots === undefined) return unproven('the node gives no list of blocks');
    if (slots.length <= SPAN) {
      return unproven(`the node lists ${slots.length} of the ${SPAN + 1} blocks from slot ${slot} on`);
    }
    return (await this.#byOneNode(subject, slots, signal)) ?? this.#byEveryBlock(subject, slots, signal);
  }

  /** Sends all calls in one request, so that one node answers them all; undefined when the node refuses batches. */
  async #byOneNode(
    subject: Subject,
    slots: readonly number[],
    signal: AbortSignal,
  ): Promise<ExpiryResult | undefined> {
    if (!this.#rpc.takesBatches) return undefined;
    const [from, to] = [slots[0]!, slots[SPAN]!];
    const block = (slot: number): Call => ({
      method: 'getBlock',
      params: [slot, { ...FINALIZED, ...ANY_VERSION, transactionDetails: 'none', rewards: false }],
    });
    const results = await this.#rpc.callAll(
      [
        ...finalWords(subject),
        { method: 'getBlocksWithLimit', params: [from, SPAN + 1, FINALIZED] },
        block(from),
        block(to),
      ],
      signal,
    );
    if (results === undefined) return undefined;
    const [status, validity, listed, first, last] = results;
    const again = slotsFrom(listed, from);
    if (again?.length !== SPAN + 1 || again[0] !== from || again[SPAN] !== to) {
      return unproven('the node lists other blocks than a moment before; several nodes at one address?');
    }
    return (
      problemOfEnds(subject, first as Block | null, last as Block | null) ??
      problemOfWords(status, validity, to) ??
      EXPIRED
    );
  }

  /** Each block contains its parent's hash, so different nodes may answer. */
  async #byEveryBlock(
    subject: Subject,
    slots: readonly number[],
    signal: AbortSignal,
  ): Promise<ExpiryResult> {
    const blocks = new Array<Block | null>(SPAN + 1).fill(null);
    let next = 0;
    const read = async (): Promise<void> => {
      while (next <= SPAN) {
        const index = next;
        next += 1;
        const options = {
          ...FINALIZED,
          ...ANY_VERSION,
          transactionDetails: 'signatures',
          rewards: false,
        };
        const call = { method: 'getBlock', params: [slots[index], options] };
        blocks[index] = (await this.#rpc.call(call, signal)) as Block | null;
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, read));
    const ends = problemOfEnds(subject, blocks[0]!, blocks[SPAN]!);
    if (ends !== undefined) return ends;
    for (const [index, block] of blocks.entries()) {
      if (!Array.isArray(block?.signatures)) {
        return unproven(`the node lists the block of slot ${slots[index]} but does not give it`);
      }
      if (index > 0 && block.previousBlockhash !== blocks[index - 1]?.blockhash) {
        return unproven(`a block is missing between the slots ${slots[index - 1]} and ${slots[index]}`);
      }
      if (block.signatures.includes(subject.signature)) {
        return unproven(`it is in the block of slot ${slots[index]}, yet the node does not know its status`);
      }
    }
    const [status, validity] = await this.#askAll(finalWords(subject), signal);
    return problemOfWords(status, validity, slots[SPAN]!) ?? EXPIRED;
  }

  async #onSimulator(subject: Subject, signal: AbortSignal): Promise<ExpiryResult> {
    const [status, validity] = finalWords(subject);
    const valid = (await this.#rpc.call(validity, signal)) as Validity;
    if (valid.value !== false || valid.context.slot <= subject.slot) return EARLY;
    const first = (await this.#rpc.call({ method: 'getFirstAvailableBlock', params: [] }, signal)) as number;
    if (!(first <= subject.slot)) return unproven(`the node's history begins at slot ${first}`);
    const known = (await this.#rpc.call(status, signal)) as Statuses;
    if (known.context.slot < valid.context.slot + SIMULATOR_MARGIN_SLOTS) return EARLY;
    return problemOfWords(known, valid, valid.context.slot) ?? EXPIRED;
  }

  async #askAll(calls: readonly Call[], signal: AbortSignal): Promise<unknown[]> {
    const together = this.#rpc.takesBatches ? await this.#rpc.callAll(calls, signal) : undefined;
    return together ?? Promise.all(calls.map((call) => this.#rpc.call(call, signal)));
  }
}

interface Subject extends ProvableTransaction {
  readonly slot: number;
  readonly blockhash: string;
}

interface Block {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly blockHeight: number | null;
  readonly signatures?: readonly string[];
}

interface Statuses {
  readonly context: { readonly slot: number };
  readonly value: readonly unknown[];
}

interface Validity {
  readonly context: { readonly slot: number };
  readonly value: boolean;
}

function unproven(reason: string): ExpiryResult {
  return { kind: 'unknown', reason };
}

/** Calls that show that the transaction is unknown and its blockhash too old. */
function finalWords({ signature, blockhash }: Subject): [status: Call, validity: Call] {
  return [
    { method: 'getSignatureStatuses', params: [[signature], { searchTransactionHistory: true }] },
    { method: 'isBlockhashValid', params: [blockhash, FINALIZED] },
  ];
}

function problemOfWords(status: unknown, validity: unknown, slot: number): ExpiryResult | undefined {
  const { context: seen, value: found } = status as Statuses;
  const { context: at, value: isValid } = validity as Validity;
  if (!(seen.slot >= slot && at.slot >= slot)) return unproven('the node is behind its own list of blocks');
  if (found.length !== 1 || found[0] !== null) return unproven('the node knows it now');
  if (isValid !== false) return unproven('its blockhash is still valid');
  return undefined;
}

/**
 * The first block must be the one of the blockhash, or the one after it. The number of blocks must equal the difference of
 * the heights.
 */
function problemOfEnds(
  { blockhash, slot, lastValidBlockHeight }: Subject,
  first: Block | null,
  last: Block | null,
): ExpiryResult | undefined {
  const [from, to] = [first?.blockHeight, last?.blockHeight];
  if (typeof from !== 'number' || typeof to !== 'number') {
    return unproven('the node lists blocks that it does not have');
  }
  if (first?.blockhash !== blockhash && first?.previousBlockhash !== blockhash) {
    return unproven(`the node does not have the block of its blockhash, at slot ${slot}`);
  }
  if (to - from !== SPAN) {
    return unproven(`the node lacks ${to - from - SPAN} of the blocks from slot ${slot} on`);
  }
  if (to <= lastValidBlockHeight + MARGIN_BLOCKS)
    return unproven('its last valid block height is not that of its blockhash');
  return undefined;
}

function slotsFrom(listed: unknown, start: number): number[] | undefined {
  if (!Array.isArray(listed)) return undefined;
  let least = start;
  for (const slot of listed as unknown[]) {
    if (!Number.isSafeInteger(slot) || (slot as number) < least) return undefined;
    least = (slot as number) + 1;
  }
  return listed as number[];
}
