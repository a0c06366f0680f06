// Reads the whole block of a slot of which many transactions are needed: one answer of some megabytes instead of hundreds of answers.
import { NEWEST_TRANSACTION_VERSION } from '@curvekit/sdk';
import type { Call } from '../chain/json-rpc.js';
import type { Commitment, Listed } from './node-history.js';

type Place = Pick<Listed, 'signature' | 'slot'>;
type Answers = ReadonlyMap<string, object>;

/** As the node gave it: each part is checked. */
interface Block {
  readonly blockTime?: unknown;
  readonly transactions?: unknown;
}
type BlockTransaction = { readonly transaction?: { readonly signatures?: readonly unknown[] } } | null;

export class WholeBlocks {
  /** A read may end within a block, and the next read goes on in it. A read that needs no block drops it: it is megabytes. */
  #newest: { readonly key: string; readonly answers: Answers } | undefined;

  /** @param ask makes one attempt; undefined after an error @param from how many transactions of a slot are many */
  constructor(
    private readonly ask: (call: Call, signal: AbortSignal) => Promise<unknown>,
    private readonly from: number,
  ) {}

  /**
   * Reads the blocks of the slots that have many of these transactions.
   *
   * @returns what the node would answer to `getTransaction`; undefined for a transaction that is in none of these blocks. A block that the
   *   node does not return has no transactions
   */
  async read(
    places: readonly Place[],
    commitment: Commitment,
    signal: AbortSignal,
  ): Promise<(place: Place) => object | undefined> {
    const counts = new Map<number, number>();
    for (const { slot } of places) counts.set(slot, (counts.get(slot) ?? 0) + 1);
    const blocks = new Map<number, Answers>();
    for (const [slot, count] of counts) {
      const key = `${commitment} ${slot}`;
      if (this.#newest?.key !== key) {
        if (count < this.from) continue;
        this.#newest = { key, answers: await this.#answersOf(slot, commitment, signal) };
      }
      blocks.set(slot, this.#newest.answers);
    }
    if (blocks.size === 0) this.#newest = undefined;
    return ({ slot, signature }) => blocks.get(slot)?.get(signature);
  }

  async #answersOf(slot: number, commitment: Commitment, signal: AbortSignal): Promise<Answers> {
    const options = {
      ...{ encoding: 'json', commitment, transactionDetails: 'full', rewards: false },
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    const call = { method: 'getBlock', params: [slot, options] };
    const block = Object(await this.ask(call, signal)) as Block;
    const transactions = Array.isArray(block.transactions) ? (block.transactions as BlockTransaction[]) : [];
    const answers = new Map<string, object>();
    for (const one of transactions) {
      const signature = one?.transaction?.signatures?.[0];
      if (typeof signature === 'string') answers.set(signature, { ...one, slot, blockTime: block.blockTime });
    }
    return answers;
  }
}
