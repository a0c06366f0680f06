// Reads an RPC node's blocks, which show whether its history is complete.
import { NEWEST_TRANSACTION_VERSION } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { Simulator } from './simulator.js';
import { METHOD_MISSING, NO_SUCH_BLOCK, NodeError } from './node-errors.js';
import type { JsonRpc } from './json-rpc.js';

export interface BlockHead {
  /** Number of blocks before it on the chain. */
  readonly height: number;
  readonly parentSlot: number;
}

export interface BlockCount {
  readonly count: number;
  /** Slot of the oldest block; undefined without blocks. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

export class MethodMissingError extends Error {
  override readonly name = 'MethodMissingError';

  constructor(readonly method: string) {
    super(`the node does not know ${method}`);
  }
}

/** RPC nodes allow 500,000. The answer has one number per block. */
const SLOTS_PER_CALL = 50_000;
const PARALLEL_CALLS = 4;

export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
/**
 * Layout of a program's account: 2, then the address of its data account. The data account begins with 3 and the slot of
 * the last deployment.
 */
const PROGRAM_TAG = 2;
const PROGRAM_BYTES = 36;
const PROGRAM_DATA_TAG = 3;
const PROGRAM_DATA_BYTES = 12;

/** The blocks of one RPC node. The methods throw MethodMissingError when the node lacks the RPC method. */
export class NodeLedger {
  readonly #simulator: Simulator;

  /** @param isSimulated whether the configuration says that the cluster is a simulation */
  constructor(
    private readonly rpc: Pick<JsonRpc, 'callOr'>,
    isSimulated: boolean,
  ) {
    this.#simulator = new Simulator(isSimulated);
  }

  /**
   * Whether this is a simulator, which has no blocks to count. @throws NodeError when the RPC node contradicts the
   * configuration
   */
  isSimulated(signal: AbortSignal): Promise<boolean> {
    return this.#simulator.isSimulated(() => this.#call('getVersion', [], signal));
  }

  async firstBlock(signal: AbortSignal): Promise<number> {
    return (await this.#call('getFirstAvailableBlock', [], signal)) as number;
  }

  /** The finalized block of a slot; undefined when the RPC node does not have it. */
  async block(slot: number, signal: AbortSignal): Promise<BlockHead | undefined> {
    const options = {
      transactionDetails: 'none',
      rewards: false,
      commitment: 'finalized',
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    };
    const block = await this.#call('getBlock', [slot, options], signal, NO_SUCH_BLOCK);
    if (block === null || block instanceof NodeError) return undefined;
    const { blockHeight, parentSlot } = block as { blockHeight: number | null; parentSlot: number };
    return blockHeight === null ? undefined : { height: blockHeight, parentSlot };
  }

  /**
   * Why the RPC node may lack blocks in the slots after `after` up to `to`, which both have a block; undefined when it has
   * them all. A node that was down can restart from a newer snapshot and lack the blocks in between. Its history is
   * complete if the first block's parent is not after `after`, and heights grow by one from block to block.
   */
  async gapBetween(
    after: number,
    to: number,
    signal: AbortSignal,
    { mayLackFirst = true } = {},
  ): Promise<string | undefined> {
    if (after >= to) return undefined;
    const problem = `the node lacks blocks between slots ${after} and ${to}`;
    const { count, first, last } = await this.countBlocks(after + 1, to, signal);
    if (first === undefined || last !== to) return problem;
    const [oldest, newest] = await Promise.all([this.block(first, signal), this.block(to, signal)]);
    // A node whose history began with the block of slot `after` lists the next block but does not return it. If that
    // block's slot is `after + 1`, no block can be missing before it.
    if (oldest === undefined && first === after + 1 && mayLackFirst) {
      return this.gapBetween(first, to, signal, { mayLackFirst: false });
    }
    if (oldest === undefined || newest === undefined || oldest.parentSlot > after) return problem;
    return newest.height - oldest.height === count - 1 ? undefined : problem;
  }

  /** Counts the RPC node's finalized blocks from one slot to another, both included. */
  async countBlocks(from: number, to: number, signal: AbortSignal): Promise<BlockCount> {
    const starts: number[] = [];
    for (let start = from; start <= to; start += SLOTS_PER_CALL) starts.push(start);
    const counts = new Array<BlockCount>(starts.length);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < starts.length; index = next++) {
        const start = starts[index]!;
        const end = Math.min(to, start + SLOTS_PER_CALL - 1);
        const params = [start, end, { commitment: 'finalized' }];
        const slots = (await this.#call('getBlocks', params, signal)) as number[];
        counts[index] = { count: slots.length, first: slots[0], last: slots.at(-1) };
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_CALLS }, work));
    return {
      count: counts.reduce((sum, { count }) => sum + count, 0),
      first: counts.find(({ first }) => first !== undefined)?.first,
      last: counts.findLast(({ last }) => last !== undefined)?.last,
    };
  }

  /** The slot of a program's last deployment, 0 for a genesis program; undefined when its account does not show it. */
  async deploymentSlot(programId: string, signal: AbortSignal): Promise<number | undefined> {
    const program = await this.#account(programId, PROGRAM_BYTES, signal);
    if (program?.length !== PROGRAM_BYTES || program.readUInt32LE() !== PROGRAM_TAG) return undefined;
    const address = new PublicKey(program.subarray(4)).toBase58();
    const data = await this.#account(address, PROGRAM_DATA_BYTES, signal);
    if (data?.length !== PROGRAM_DATA_BYTES || data.readUInt32LE() !== PROGRAM_DATA_TAG) return undefined;
    return Number(data.readBigUInt64LE(4));
  }

  /** First bytes of an upgradeable loader's account; undefined for other accounts. */
  async #account(address: string, length: number, signal: AbortSignal): Promise<Buffer | undefined> {
    const options = { encoding: 'base64', commitment: 'finalized', dataSlice: { offset: 0, length } };
    const { value } = (await this.#call('getAccountInfo', [address, options], signal)) as {
      value: { readonly owner: string; readonly data: readonly [string, string] } | null;
    };
    return value?.owner === UPGRADEABLE_LOADER ? Buffer.from(value.data[0], 'base64') : undefined;
  }

  async #call(
    method: string,
    params: readonly unknown[],
    signal: AbortSignal,
    codes: ReadonlySet<number> = new Set(),
  ): Promise<unknown> {
    const answer = await this.rpc.callOr(new Set([METHOD_MISSING, ...codes]), { method, params }, signal);
    if (answer instanceof NodeError && answer.code === METHOD_MISSING) throw new MethodMissingError(method);
    return answer;
  }
}
