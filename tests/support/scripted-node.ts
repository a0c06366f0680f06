// An RPC node that tells a history made up by a test: forks cannot be ordered from a real cluster. Real HTTP, real
// encodings; the records are read by the SDK as from any node.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonTransaction } from './record-transactions.js';

export type Commitment = 'confirmed' | 'finalized';

/** A transaction in a list of signatures. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

/** What a node is asked for. */
export interface ScriptedHistory {
  slot(commitment: Commitment): number;
  /** Newest first. */
  list(
    commitment: Commitment,
    options: { before?: string; until?: string; limit: number },
  ): ListedTransaction[];
  transaction(signature: string, commitment: Commitment): JsonTransaction | null;
  /** Null for an unknown one. */
  slotOf(signature: string): number | null;
}

export interface ScriptedNode {
  readonly url: string;
  stop(): Promise<void>;
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Serves a history. */
export async function startScriptedNode(history: ScriptedHistory): Promise<ScriptedNode> {
  const server = createServer((request, response) => {
    serve(history, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  history: ScriptedHistory,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Request | Request[];
  const answer = (call: Request) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(history, call) });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
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
    default:
      throw new Error(`the scripted node does not know ${method}`);
  }
}

function statusOf(slot: number | null): { readonly slot: number } | null {
  return slot === null ? null : { slot };
}
