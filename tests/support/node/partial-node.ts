// An RPC node that serves a chain which can fork, or only some of its blocks. The SDK reads the records as from any node.
import { SystemProgram } from '@solana/web3.js';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import type { Commitment, ForkingChain, ListedTransaction } from './forking-chain.js';
import { RpcFailure, startFakeNode, type FakeNode, type RpcCall } from './fake-node.js';

/** Agave's error for a slot without a block. */
const NO_BLOCK = new RpcFailure(-32009, 'Slot was skipped, or missing due to ledger jump to recent snapshot');
const PROGRAM = DEFAULT_DEPLOYMENT.programId.toBase58();
const PROGRAM_DATA = SystemProgram.programId;
const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';

export interface ListOptions {
  readonly commitment: Commitment;
  readonly before?: string;
  readonly until?: string;
  readonly limit: number;
}

interface BlockOptions {
  readonly commitment: Commitment;
  readonly transactionDetails: 'none' | 'full';
}

export class PartialNode {
  has: (slot: number) => boolean = () => true;
  /** The slot of the program's deployment; undefined if no account shows it. */
  deployedIn: number | undefined = 1;
  /** Whether it answers -32020 for an unknown transaction to list from, as Agave does since version 4. */
  isStrict = true;
  /** A replacement for its answer, which can be an error; undefined for the normal answer. */
  instead: (call: RpcCall) => { readonly result: unknown } | RpcFailure | undefined = () => undefined;

  constructor(private readonly chain: ForkingChain) {}

  start(): Promise<FakeNode> {
    return startFakeNode((call) => {
      const instead = this.instead(call);
      if (instead === undefined) return this.#resultOf(call);
      return 'result' in instead ? instead.result : instead;
    });
  }

  slot(commitment: Commitment): number {
    return this.chain.slot(commitment);
  }

  /** Null for an unknown signature. */
  slotOf(signature: string): number | null {
    return this.#transaction(signature, 'confirmed')?.slot ?? null;
  }

  #resultOf({ method, params }: RpcCall): unknown {
    const [first, second] = params;
    switch (method) {
      case 'getSlot':
        return this.slot((first as { commitment: Commitment }).commitment);
      case 'getSignaturesForAddress':
        return this.#list(second as ListOptions);
      case 'getTransaction':
        return this.#transaction(first as string, (second as { commitment: Commitment }).commitment);
      case 'getSignatureStatuses': {
        const slots = (first as string[]).map((signature) => this.slotOf(signature));
        return { value: slots.map((slot) => slot && { slot }) };
      }
      case 'getVersion':
        return { 'solana-core': '4.0.0', 'feature-set': 1 };
      case 'getFirstAvailableBlock':
        return this.#blocks(0, Infinity)[0];
      case 'getBlocks':
        return this.#blocks(first as number, second as number);
      case 'getBlock':
        return this.#block(first as number, second as BlockOptions) ?? NO_BLOCK;
      case 'getAccountInfo':
        return { value: this.#programAccount(first as string) };
      default:
        throw new Error(`the node does not know ${method}`);
    }
  }

  #list({ commitment, before, until, limit }: ListOptions): ListedTransaction[] | RpcFailure {
    const unknown = [before, until].find((place) => place !== undefined && this.slotOf(place) === null);
    if (this.isStrict && unknown !== undefined)
      return new RpcFailure(-32020, `Transaction ${unknown} not found`);
    const all = this.chain.list(commitment).filter(({ slot }) => this.has(slot));
    const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    if (before !== undefined && start === 0) return [];
    const end = all.findIndex(({ signature }) => signature === until);
    return all.slice(start, end === -1 ? undefined : end).slice(0, limit);
  }

  #transaction(signature: string, commitment: Commitment) {
    const found = this.chain.transaction(signature, commitment);
    return found !== null && this.has(found.slot) ? found : null;
  }

  #block(slot: number, { commitment, transactionDetails }: BlockOptions): object | null {
    const block = this.has(slot) ? this.chain.block(slot, commitment) : null;
    if (block === null || transactionDetails === 'full') return block;
    const { transactions: _, ...head } = block;
    return head;
  }

  #blocks(from: number, to: number): number[] {
    return this.chain.blocks(from, to).filter((slot) => this.has(slot));
  }

  /** The account of the program or of its data, with only the bytes that show the deployment slot. */
  #programAccount(address: string): object | null {
    if (this.deployedIn === undefined) return null;
    const data = Buffer.alloc(address === PROGRAM ? 36 : 12);
    data.writeUInt32LE(address === PROGRAM ? 2 : 3);
    if (address === PROGRAM) PROGRAM_DATA.toBuffer().copy(data, 4);
    else data.writeBigUInt64LE(BigInt(this.deployedIn), 4);
    return { owner: LOADER, data: [data.toString('base64'), 'base64'] };
  }
}
