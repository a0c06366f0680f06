// Surfpool as a real cluster looks to the reconciliation of payments: a block for every slot, finality, and no name of a simulator.
import { asRealNode } from './node-with-gaps.js';
import type { Rewrite } from './rpc-proxy.js';

const FINALITY = 32;
const LIFE = 150;

interface InSlot {
  readonly context: { readonly slot: number };
  readonly value: object;
}

export const asSteadyNode: Rewrite = async (call, result, more) => {
  const { method, params } = call;
  const { ask } = more;
  const slotNow = async () =>
    (await ask({ method: 'getSlot', params: [{ commitment: 'processed' }] })) as number;
  switch (method) {
    case 'getEpochInfo': {
      const { commitment } = params[0] as { commitment: string };
      const slot = (await slotNow()) - (commitment === 'finalized' ? FINALITY : 0);
      return { ...(result as object), absoluteSlot: slot, blockHeight: slot };
    }
    case 'getBlockHeight':
      return slotNow();
    case 'getBlocks': {
      const [from, to] = params as [number, number];
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }
    case 'getBlock': {
      const slot = params[0] as number;
      return { blockHeight: slot, parentSlot: slot - 1, blockhash: String(slot), transactions: [] };
    }
    case 'getLatestBlockhash': {
      const { context, value } = result as InSlot;
      return { context, value: { ...value, lastValidBlockHeight: context.slot + LIFE } };
    }
    case 'getSignaturesForAddress': {
      // With `minContextSlot`, Surfpool lists no transactions before that slot.
      const [address, options] = params as [string, object];
      return ask({ method, params: [address, { ...options, minContextSlot: undefined }] });
    }
    default:
      return asRealNode(call, result, more);
  }
};
