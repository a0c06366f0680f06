// RPC nodes of the model cluster that are slow, behind, overloaded or behind a gateway that fails. They speak JSON-RPC as
// text, so that the libraries' own parsing runs. Two things they do not do, because no client could tell: they invent no
// state of the chain, and they do not say that they refused a transaction which they have forwarded.
import { createHash } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { RpcCall } from '../node/fake-node.js';
import { PRICE_MOVED, type ModelChain } from './model-chain.js';
import type { Random } from './random.js';
import type { Recording } from './recording.js';
import type { VirtualTime } from './virtual-time.js';

/** The part of a Response that web3.js and Kit read. */
export interface TextResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  text(): Promise<string>;
}

class NodeError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

const HEADERS = new Headers({ 'content-type': 'application/json' });
/** What gateways answer in place of a node. */
const GATEWAY_PAGES: readonly (readonly [number, string])[] = [
  [502, '<html><body>Bad gateway</body></html>'],
  [503, 'Service unavailable'],
  [429, '{"error":"rate limit"}'],
  [200, '<!DOCTYPE html><title>Just a moment</title>'],
  [200, '{"jsonrpc":"2.0","id":"0","resu'],
];
const GATEWAY_ERRORS: readonly (readonly [number, string])[] = [
  [-32000, 'upstream closed the connection'],
  [-32603, 'Internal error'],
  [-32005, 'Node is behind by 42 slots'],
  [-32000, 'failed to forward transaction to leader'],
];

/** How often a node fails. */
export interface Faults {
  /** The probability that an answer is changed. */
  readonly answers: number;
  /** The most slots that the node is behind. */
  readonly lag: number;
}

export class FaultyNode {
  constructor(
    private readonly chain: ModelChain,
    private readonly time: VirtualTime,
    private readonly random: Random,
    private readonly recording: Recording,
    private readonly faults: Faults,
  ) {}

  async fetch(body: string): Promise<TextResponse> {
    const call = JSON.parse(body) as RpcCall;
    const { random, time } = this;
    await time.sleep(random.between(1, 30));
    const isFaulty = random.chance(this.faults.answers);
    const kind = isFaulty
      ? random.pick(['late', 'very late', 'lost', 'unasked', 'page', 'error'] as const)
      : 'good';
    // The request does not arrive.
    if (kind === 'unasked') return this.#page();
    const answer = this.#answer(call);
    // The network delivers it twice.
    const isForwarded = call.method === 'sendTransaction' && 'result' in answer;
    if (isFaulty && isForwarded && random.chance(0.2)) this.#answer(call);
    if (kind === 'late') await time.sleep(random.between(100, 3_000));
    if (kind === 'very late') await time.sleep(random.between(3_000, 15_000));
    if (kind === 'lost') return new Promise(() => undefined);
    if (kind === 'page') return this.#page();
    if (kind === 'error') {
      const [code, message] = random.pick(GATEWAY_ERRORS);
      return textResponse(200, { jsonrpc: '2.0', id: call.id, error: { code, message } });
    }
    return textResponse(200, { jsonrpc: '2.0', id: call.id, ...answer });
  }

  #page(): TextResponse {
    const [status, text] = this.random.pick(GATEWAY_PAGES);
    return textResponse(status, text);
  }

  #answer(call: RpcCall): object {
    try {
      return { result: this.#result(call, this.chain.slot - this.random.between(0, this.faults.lag)) };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return { error: { code: error.code, message: error.message, data: error.data } };
    }
  }

  /** @param view the newest slot that the node has seen */
  #result({ method, params }: RpcCall, view: number): unknown {
    const { chain, recording } = this;
    const context = { slot: view, apiVersion: '4.0.0' };
    switch (method) {
      case 'getMultipleAccounts':
        return { context, value: (params[0] as string[]).map((key) => recording.account(key)) };
      case 'simulateTransaction':
        return { context, value: { ...recording.simulated, replacementBlockhash: chain.blockhash(view) } };
      case 'getLatestBlockhash':
        return { context, value: chain.blockhash(view) };
      case 'getRecentPrioritizationFees':
        return [];
      case 'getMinimumBalanceForRentExemption':
        return 890_880;
      case 'getEpochInfo': {
        const slot = chain.finalized(view);
        return { absoluteSlot: slot, blockHeight: slot, epoch: 1, slotIndex: 1, slotsInEpoch: 432_000 };
      }
      case 'getBlockHeight':
        return view;
      case 'getFirstAvailableBlock':
        return 0;
      case 'getSignatureStatuses': {
        const value = (params[0] as string[]).map((signature) => statusOf(chain.look(signature, view)));
        return { context, value };
      }
      case 'getSignaturesForAddress': {
        const { minContextSlot = 0 } = params[1] as { readonly minContextSlot?: number };
        if (minContextSlot > view) throw new NodeError(-32016, 'Minimum context slot has not been reached');
        return chain.listed(view).map(({ commitment, ...one }) => ({
          ...{ ...one, memo: null, blockTime: null, confirmationStatus: commitment },
        }));
      }
      case 'getTransaction': {
        const [signature, { commitment }] = params as [string, { commitment: string }];
        const landed = chain.look(signature, view);
        const isThere =
          landed !== undefined && (landed.commitment === 'finalized' || landed.commitment === commitment);
        return isThere ? recording.landed(signature, landed) : null;
      }
      case 'sendTransaction':
        return this.#take(
          params[0] as string,
          (params[1] as { skipPreflight?: boolean }).skipPreflight,
          view,
        );
      default:
        throw new NodeError(-32601, `Method not found: ${method}`);
    }
  }

  #take(base64: string, skipPreflight: boolean | undefined, view: number): string {
    const { chain } = this;
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(base64, 'base64'));
    const signature = bs58.encode(signatures[0]!);
    const { slot, price } = chain.madeAt(message.recentBlockhash);
    if (skipPreflight !== true) {
      const refuse = (reason: string, err: unknown) => {
        throw new NodeError(-32002, `Transaction simulation failed: ${reason}`, { err, logs: [] });
      };
      if (chain.look(signature, view) !== undefined)
        refuse('This transaction has already been processed', 'AlreadyProcessed');
      if (slot > view || view > chain.blockhash(slot).lastValidBlockHeight)
        refuse('Blockhash not found', 'BlockhashNotFound');
      if (price !== chain.price)
        refuse('Error processing Instruction 2: custom program error: 0x1773', PRICE_MOVED);
    }
    chain.forward(signature, message.recentBlockhash);
    return signature;
  }
}

/** The signature of a message: as with a real key, equal messages have equal ones. */
export function modelSignature(message: Uint8Array): Uint8Array {
  const half = (name: string) => createHash('sha256').update(name).update(message).digest();
  return new Uint8Array(Buffer.concat([half('r'), half('s')]));
}

function statusOf(landed: ReturnType<ModelChain['look']>): unknown {
  if (landed === undefined) return null;
  const { slot, err, commitment } = landed;
  return {
    ...{ slot, err, confirmationStatus: commitment, status: err === null ? { Ok: null } : { Err: err } },
    confirmations: commitment === 'finalized' ? null : 1,
  };
}

/** An answer without the cost of a real Response. */
export function textResponse(status: number, body: object | string): TextResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    ...{ ok: status === 200, status, statusText: '', headers: HEADERS },
    text: () => Promise.resolve(text),
  };
}
