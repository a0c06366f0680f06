// An RPC node of a chain on which a stranger names one key in many transactions of each block. It can limit calls, as providers
// do, and lack blocks. A real cluster on one machine makes too few transactions for this.
import { Keypair, SystemProgram } from '@solana/web3.js';
import bs58 from 'bs58';
import { HttpFailure, RpcFailure, startFakeNode, type FakeNode, type RpcCall } from './fake-node.js';

export interface DustOptions {
  /** The key that the dust names. */
  readonly named: string;
  /** Transactions of the stranger in a block. */
  readonly dustIn: (slot: number) => number;
  /** Blocks that exist at the start. */
  readonly slots: number;
  /** The chain's clock: a block for so many answered calls, so that no test depends on the machine's speed. */
  readonly callsPerSlot: number;
}

export interface NodeWithDust extends FakeNode {
  /** Calls a second of real time; more are refused with HTTP 429. */
  limit: number;
  /** Whether `getBlock` gives transactions. */
  givesBlocks: boolean;
  /** Signatures of transactions that the key itself has signed. They are among the dust. */
  readonly signedByKey: Set<string>;
  /** Dust in the blocks that nobody has asked for yet. */
  dustIn: (slot: number) => number;
  /** The signature of a transaction. */
  signature(slot: number, index: number): string;
  finalized(): number;
  /** Makes blocks. */
  advance(slots: number): void;
}

const FINALITY = 31;
const LIFE = 150;
const STRANGER = Keypair.generate().publicKey.toBase58();
const SYSTEM = SystemProgram.programId.toBase58();
const HEADER = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 };
const NO_METHOD = new RpcFailure(-32601, 'Method not found');
const TOO_MANY = new HttpFailure(429, 'Too many requests');

export async function startNodeWithDust({
  named,
  dustIn,
  slots,
  callsPerSlot,
}: DustOptions): Promise<NodeWithDust> {
  const places = new Map<string, { readonly slot: number; readonly index: number }>();
  const signatures = new Map<number, string[]>();
  let tokens = Infinity;
  let filledAt = performance.now();
  let answered = 0;
  let advanced = slots + FINALITY;

  const tip = () => advanced + Math.floor(answered / callsPerSlot);
  const signaturesOf = (slot: number): string[] => {
    const known = signatures.get(slot);
    if (known !== undefined) return known;
    const made = Array.from({ length: node.dustIn(slot) }, (_, index) => {
      const bytes = Buffer.alloc(64, 7);
      bytes.writeUInt32BE(slot, 0);
      bytes.writeUInt32BE(index, 4);
      const signature = bs58.encode(bytes);
      places.set(signature, { slot, index });
      return signature;
    });
    signatures.set(slot, made);
    return made;
  };
  const payerOf = (signature: string) => (node.signedByKey.has(signature) ? named : STRANGER);
  const keysOf = (signature: string) => {
    const payer = payerOf(signature);
    return [payer, payer === named ? STRANGER : named, SYSTEM];
  };

  function list(address: unknown, { before, until, limit, commitment }: Record<string, unknown>): object[] {
    if (address !== named) return [];
    const start = places.get(before as string);
    const found: object[] = [];
    for (
      let slot = start?.slot ?? (commitment === 'finalized' ? node.finalized() : tip());
      slot > 0;
      slot -= 1
    ) {
      const all = signaturesOf(slot);
      const from = start?.slot === slot ? start.index - 1 : all.length - 1;
      for (let index = from; index >= 0; index -= 1) {
        if (all[index] === until || found.length === limit) return found;
        found.push({ signature: all[index], slot, err: null });
      }
    }
    return found;
  }

  function block(slot: number, details: unknown): unknown {
    const head = { blockHeight: slot, parentSlot: slot - 1, blockhash: String(slot) };
    if (details !== 'accounts') return head;
    const transactions = signaturesOf(slot).map((signature) => ({
      transaction: {
        signatures: [signature],
        accountKeys: keysOf(signature).map((pubkey, index) => ({ pubkey, signer: index === 0 })),
      },
      meta: { err: null, fee: 5_000, preBalances: [9_000, 1, 1], postBalances: [3_999, 2, 1] },
      version: 'legacy',
    }));
    return { ...head, transactions };
  }

  function transaction(signature: string): unknown {
    const place = places.get(signature);
    if (place === undefined) return null;
    return {
      slot: place.slot,
      version: 'legacy',
      meta: { err: null, fee: 5_000, preBalances: [9_000, 1, 1], postBalances: [3_999, 2, 1] },
      transaction: {
        signatures: [signature],
        message: {
          header: HEADER,
          accountKeys: keysOf(signature),
          recentBlockhash: SYSTEM,
          instructions: [],
        },
      },
    };
  }

  function resultOf({ method, params }: RpcCall): unknown {
    const [first, options = {}] = params as [unknown, Record<string, unknown>?];
    switch (method) {
      case 'getVersion':
        return { 'solana-core': '4.0.0', 'feature-set': 1 };
      case 'getEpochInfo':
        return { absoluteSlot: node.finalized(), blockHeight: node.finalized() };
      case 'getBlockHeight':
        return tip();
      case 'getFirstAvailableBlock':
        return 0;
      case 'getAccountInfo':
        return { context: { slot: node.finalized() }, value: null };
      // The key has no SOL, so it cannot write on chain which database pays.
      case 'getBalance':
        return { context: { slot: tip() }, value: 0 };
      case 'getMinimumBalanceForRentExemption':
        return 890_880;
      case 'getLatestBlockhash': {
        const value = { blockhash: SYSTEM, lastValidBlockHeight: tip() + LIFE };
        return { context: { slot: tip() }, value };
      }
      case 'getBlocks': {
        const from = first as number;
        const to = options as unknown as number;
        return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
      }
      case 'getSignaturesForAddress':
        return list(first, options);
      case 'getTransaction':
        return transaction(first as string);
      case 'getBlock': {
        const details = options['transactionDetails'];
        if (details === 'accounts' && !node.givesBlocks) return NO_METHOD;
        return block(first as number, details);
      }
      default:
        return NO_METHOD;
    }
  }

  function isLimited(count: number): boolean {
    const now = performance.now();
    tokens = Math.min(node.limit, tokens + ((now - filledAt) / 1_000) * node.limit);
    filledAt = now;
    if (tokens < count) return true;
    tokens -= count;
    answered += count;
    return false;
  }

  const node = {
    ...(await startFakeNode(resultOf, {
      refuse: ({ length }) => (isLimited(length) ? TOO_MANY : undefined),
    })),
    limit: Infinity,
    givesBlocks: true,
    signedByKey: new Set<string>(),
    dustIn,
    signature: (slot: number, index: number) => signaturesOf(slot)[index]!,
    finalized: () => tip() - FINALITY,
    advance: (more: number) => {
      advanced += more;
    },
  };
  return node;
}
