// An RPC node whose history a test scripts, because a real cluster cannot fork on demand. HTTP and encodings are real,
// and the
// SDK reads the records as from any node.
import { SystemProgram } from '@solana/web3.js';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import type { JsonTransaction } from './record-transactions.js';
import { serveNode } from './serve.js';

export type Commitment = 'confirmed' | 'finalized';

/** A transaction in a list of signatures. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

/** The history that a node serves. */
export interface ScriptedHistory {
  slot(commitment: Commitment): number;
  /** Newest first. */
  list(
    commitment: Commitment,
    options: { before?: string; until?: string; limit: number },
  ): ListedTransaction[];
  transaction(signature: string, commitment: Commitment): JsonTransaction | null;
  /** Null for an unknown signature. */
  slotOf(signature: string): number | null;
  /** Slots of the finalized blocks, both ends included, oldest first. */
  blocks(from: number, to: number): number[];
  /** A finalized block; null if it does not exist. */
  block(slot: number): ScriptedBlock | null;
  /** The slot of the program's deployment; undefined if no account shows it. */
  readonly deployedIn?: number | undefined;
  /** A replacement for the node's answer; undefined for the history's answer. */
  override?(call: ScriptedCall): ScriptedAnswer | undefined;
  /** Methods that the node does not support. */
  readonly missing?: ReadonlySet<string> | undefined;
}

/** A call to the node. */
export interface ScriptedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A result, or a JSON-RPC error. */
export type ScriptedAnswer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** A block without its transactions. */
export interface ScriptedBlock {
  readonly blockHeight: number;
  readonly parentSlot: number;
}

export interface ScriptedNode {
  readonly url: string;
  /** Number of calls per method. */
  readonly calls: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface Request extends ScriptedCall {
  readonly id: number;
}

/** Starts a node that serves a history. */
export async function startScriptedNode(history: ScriptedHistory): Promise<ScriptedNode> {
  const calls = new Map<string, number>();
  const count = ({ method }: Request) => calls.set(method, (calls.get(method) ?? 0) + 1);
  const answer = (call: Request) => {
    count(call);
    if (history.missing?.has(call.method) === true) {
      return { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'Method not found' } };
    }
    return { jsonrpc: '2.0', id: call.id, ...(history.override?.(call) ?? answerOf(history, call)) };
  };
  const node = await serveNode((text, response) => {
    const body = JSON.parse(text) as Request | Request[];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
    return Promise.resolve();
  });
  return { ...node, calls };
}

/** Agave's error for a slot without a block. */
const NO_BLOCK = {
  code: -32009,
  message: 'Slot was skipped, or missing due to ledger jump to recent snapshot',
};

function answerOf(history: ScriptedHistory, call: Request): object {
  if (call.method !== 'getBlock') return { result: resultOf(history, call) };
  const block = history.block(call.params[0] as number);
  return block === null ? { error: NO_BLOCK } : { result: block };
}

function resultOf(history: ScriptedHistory, { method, params }: Request): unknown {
  switch (method) {
    case 'getSlot':
      return history.slot((params[0] as { commitment: Commitment }).commitment);
    case 'getSignaturesForAddress': {
      const options = params[1] as { commitment: Commitment; before?: string; until?: string; limit: number };
      return history.list(options.commitment, options);
    }
    case 'getTransaction':
      return history.transaction(params[0] as string, (params[1] as { commitment: Commitment }).commitment);
    case 'getSignatureStatuses':
      return { value: (params[0] as string[]).map((signature) => statusOf(history.slotOf(signature))) };
    case 'getVersion':
      return { 'solana-core': '4.0.0', 'feature-set': 1 };
    case 'getFirstAvailableBlock':
      return history.blocks(0, Infinity)[0];
    case 'getBlocks':
      return history.blocks(params[0] as number, params[1] as number);
    case 'getAccountInfo':
      return { value: programAccount(params[0] as string, history.deployedIn) };
    default:
      throw new Error(`the scripted node does not know ${method}`);
  }
}

function statusOf(slot: number | null): { readonly slot: number } | null {
  return slot === null ? null : { slot };
}

const PROGRAM = DEFAULT_DEPLOYMENT.programId.toBase58();
const PROGRAM_DATA = SystemProgram.programId;
const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';

/** The account of the program or of its data, with only the bytes that show the deployment slot. */
function programAccount(address: string, deployedIn: number | undefined): object | null {
  if (deployedIn === undefined) return null;
  const data = Buffer.alloc(address === PROGRAM ? 36 : 12);
  data.writeUInt32LE(address === PROGRAM ? 2 : 3);
  if (address === PROGRAM) PROGRAM_DATA.toBuffer().copy(data, 4);
  else data.writeBigUInt64LE(BigInt(deployedIn), 4);
  return { owner: LOADER, data: [data.toString('base64'), 'base64'] };
}
