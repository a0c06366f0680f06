// A node with a hole in its history, as one that was down for longer than its snapshots go back: the blocks are missing
// and what landed in them is unknown, but its lowest slot is the old one.
import type { LocalCluster } from '@curvekit/testing';
import type { Ask, Rewrite, RpcCall } from './rpc-proxy.js';
import { makeBlocks } from '#tests/cluster/blocks.js';

/** Slots whose blocks are missing, both ends included. */
export interface Hole {
  readonly from: number;
  readonly to: number;
}

interface Block {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly blockHeight: number;
}

const SURFPOOL_HASH = 'SURFNETxSAFEHASH';

/** Answers as a node of a real cluster does: the service must not recognise Surfpool. */
export const asRealNode: Rewrite = (call, result, { ask }) => {
  switch (call.method) {
    case 'getVersion':
      return { ...(result as object), 'surfnet-version': undefined };
    case 'getBlock':
      return result === null ? null : asKept(call, result as Block, ask);
    default:
      return result;
  }
};

/**
 * Surfpool does not keep empty blocks, which it makes when nothing comes in for a while. What it makes up for them later
 * has the slot for a height; here they get the height and the hashes that they had.
 */
async function asKept(call: RpcCall, block: Block, ask: Ask): Promise<Block> {
  const [slot, config] = call.params as [number, unknown];
  if (!isMadeUp(block, slot)) return block;
  for (let kept = slot - 1; kept > 0; kept -= 1) {
    const earlier = (await ask({ method: 'getBlock', params: [kept, config] })) as Block | null;
    if (earlier === null || isMadeUp(earlier, kept)) continue;
    const blockHeight = earlier.blockHeight + slot - kept;
    const hash = (height: number) => {
      const digits = (height - 1).toString(16).replaceAll('0', 'x');
      return SURFPOOL_HASH + digits.padStart(block.blockhash.length - SURFPOOL_HASH.length, 'x');
    };
    return { ...block, blockHeight, blockhash: hash(blockHeight), previousBlockhash: hash(blockHeight - 1) };
  }
  return block;
}

function isMadeUp({ blockhash, blockHeight }: Block, slot: number): boolean {
  return blockhash.startsWith(SURFPOOL_HASH) && blockHeight === slot;
}

/** Answers as a node of a real cluster with a hole in its history. */
export function holedNode({ from, to }: Hole): Rewrite {
  const isMissing = (slot: number) => slot >= from && slot <= to;
  return async (call, result, more) => {
    switch (call.method) {
      case 'getSignatureStatuses': {
        const { value, ...rest } = result as { value: ({ slot: number } | null)[] };
        return { ...rest, value: value.map((status) => (status && isMissing(status.slot) ? null : status)) };
      }
      case 'getBlock':
        return isMissing(call.params[0] as number) ? null : asRealNode(call, result, more);
      case 'getBlocksWithLimit':
        return (await blocks(call, more.ask))
          .filter((slot) => !isMissing(slot))
          .slice(0, call.params[1] as number);
      default:
        return asRealNode(call, result, more);
    }
  };

  /** As many more as are missing. */
  function blocks({ method, params: [start, limit, config] }: RpcCall, ask: Ask): Promise<number[]> {
    const params = [start, (limit as number) + to - from + 1, config];
    return ask({ method, params }) as Promise<number[]>;
  }
}

/** More than the blocks after the last valid one that a proof wants to see. */
const BLOCKS_BEYOND = 24;

/**
 * Waits, or makes blocks, until a blockhash is too old and the blocks in which that could be otherwise are final.
 * Without time travel: Surfpool makes up the blocks of the slots that it skips.
 */
export async function outliveBlockhash(cluster: LocalCluster, lastValidBlockHeight: number): Promise<void> {
  for (;;) {
    const height = await cluster.connection.getBlockHeight('finalized');
    const missing = lastValidBlockHeight + BLOCKS_BEYOND - height;
    if (missing <= 0) return;
    await makeBlocks(cluster, missing);
  }
}
