// A stand-in RPC node on which every account has SOL and no transaction lands, so that only the service is measured.
import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { serveNode, type ServedNode } from '#tests/node/serve.js';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

const SLOT_MS = 400;
const RICH = 1_000_000_000_000_000;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Starts the node. Its slots advance like those of a real cluster. */
export async function startClaimsNode(): Promise<ServedNode> {
  const began = Date.now();
  const blockhashes = new Map<number, string>();
  const slot = () => 1_000 + Math.floor((Date.now() - began) / SLOT_MS);
  const blockhash = () => {
    const known = blockhashes.get(slot()) ?? bs58.encode(randomBytes(32));
    blockhashes.set(slot(), known);
    return known;
  };
  return serveNode((text, response) => {
    const body = JSON.parse(text) as Call | Call[];
    const one = (call: Call) => ({ jsonrpc: '2.0', id: call.id, ...answer(call, slot(), blockhash) });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(body) ? body.map(one) : one(body)));
  });
}

function answer({ method, params }: Call, slot: number, blockhash: () => string): object {
  const context = { slot };
  const wallet = {
    lamports: RICH,
    owner: SYSTEM_PROGRAM,
    data: ['', 'base64'],
    executable: false,
    rentEpoch: 0,
    space: 0,
  };
  switch (method) {
    case 'getVersion':
      return { result: { 'solana-core': '4.0.0', 'feature-set': 1 } };
    case 'getSlot':
    case 'getBlockHeight':
      return { result: slot };
    case 'getMinimumBalanceForRentExemption':
      return { result: 890_880 + (params[0] as number) * 6_960 };
    case 'getLatestBlockhash':
      return { result: { context, value: { blockhash: blockhash(), lastValidBlockHeight: slot + 150 } } };
    case 'getSignatureStatuses':
      return { result: { context, value: (params[0] as string[]).map(() => null) } };
    case 'getMultipleAccounts':
      return { result: { context, value: (params[0] as string[]).map(() => wallet) } };
    case 'getAccountInfo':
      return { result: { context, value: wallet } };
    case 'getBalance':
      return { result: { context, value: RICH } };
    case 'getSignaturesForAddress':
    case 'getBlocks':
      return { result: [] };
    default:
      return { error: { code: -32601, message: `no ${method} here` } };
  }
}
