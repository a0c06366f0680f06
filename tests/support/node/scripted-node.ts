// An RPC node whose history a test scripts, because a real cluster cannot fork on demand. The SDK reads the records as from any
// node.
import { SystemProgram } from '@solana/web3.js';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import type { JsonTransaction } from './record-transactions.js';
import { RpcFailure, startFakeNode, type FakeNode, type RpcCall } from './fake-node.js';

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

export type ScriptedCall = RpcCall;

/** A result, or a JSON-RPC error. */
export type ScriptedAnswer =
  { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** A block without its transactions. */
export interface ScriptedBlock {
  readonly blockHeight: number;
  readonly parentSlot: number;
}

export type ScriptedNode = FakeNode;

/** Starts a node that serves a history. */
export function startScriptedNode(history: ScriptedHistory): Promise<ScriptedNode> {
  return startFakeNode((call) => {
    if (history.missing?.has(call.method) === true) return new RpcFailure(-32601, 'Method not found');
    const instead = history.override?.(call);
    if (instead === undefined) return resultOf(history, call);
    return 'result' in instead ? instead.result : new RpcFailure(instead.error.code, instead.error.message);
  });
}

/** Agave's error for a slot without a block. */
const NO_BLOCK = new RpcFailure(-32009, 'Slot was skipped, or missing due to ledger jump to recent snapshot');

function resultOf(history: ScriptedHistory, { method, params }: RpcCall): unknown {
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
    case 'getBlock':
      return history.block(params[0] as number) ?? NO_BLOCK;
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
