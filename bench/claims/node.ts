// A stand-in RPC node on which every account has SOL and no transaction lands, so that only the service is measured.
import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { RpcFailure, startFakeNode, type FakeNode, type RpcCall } from '#tests/node/fake-node.js';

const SLOT_MS = 400;
const RICH = 1_000_000_000_000_000;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** Starts the node. Its slots advance like those of a real cluster. */
export async function startClaimsNode(): Promise<FakeNode> {
  const began = Date.now();
  const blockhashes = new Map<number, string>();
  const slot = () => 1_000 + Math.floor((Date.now() - began) / SLOT_MS);
  const blockhash = () => {
    const known = blockhashes.get(slot()) ?? bs58.encode(randomBytes(32));
    blockhashes.set(slot(), known);
    return known;
  };
  return startFakeNode((call) => answer(call, slot(), blockhash));
}

function answer({ method, params }: RpcCall, slot: number, blockhash: () => string): unknown {
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
      return { 'solana-core': '4.0.0', 'feature-set': 1 };
    case 'getSlot':
    case 'getBlockHeight':
      return slot;
    case 'getMinimumBalanceForRentExemption':
      return 890_880 + (params[0] as number) * 6_960;
    case 'getLatestBlockhash':
      return { context, value: { blockhash: blockhash(), lastValidBlockHeight: slot + 150 } };
    case 'getSignatureStatuses':
      return { context, value: (params[0] as string[]).map(() => null) };
    case 'getMultipleAccounts':
      return { context, value: (params[0] as string[]).map(() => wallet) };
    case 'getAccountInfo':
      return { context, value: wallet };
    case 'getBalance':
      return { context, value: RICH };
    case 'getSignaturesForAddress':
    case 'getBlocks':
      return [];
    default:
      return new RpcFailure(-32601, `no ${method} here`);
  }
}
