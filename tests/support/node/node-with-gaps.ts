// An RPC node with a gap in its history, as after an outage longer than its snapshots: the blocks are missing and their
// transactions unknown, but its first available slot is older than the gap.
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

/** Answers as a node of a real cluster does, so that the service does not recognise Surfpool. */
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
 * Surfpool does not keep the empty blocks that it makes while idle. It invents them later, with the slot as their height. This
 * restores the height and the hashes that they had.
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

/** Answers as a node of a real cluster with a gap in its history. */
export function nodeWithGaps({ from, to }: Hole): Rewrite {
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

  /** Requests as many more blocks as are missing. */
  function blocks({ method, params: [start, limit, config] }: RpcCall, ask: Ask): Promise<number[]> {
    const params = [start, (limit as number) + to - from + 1, config];
    return ask({ method, params }) as Promise<number[]>;
  }
}

/** More blocks than a proof needs after the last valid block height. */
const BLOCKS_BEYOND = 24;

/**
 * Waits, or makes blocks, until a blockhash has expired and every block that can contain its transactions is finalized. Not by time
 * travel: Surfpool invents the blocks of skipped slots.
 */
export async function outliveBlockhash(cluster: LocalCluster, lastValidBlockHeight: number): Promise<void> {
  for (;;) {
    const height = await cluster.connection.getBlockHeight('finalized');
    const missing = lastValidBlockHeight + BLOCKS_BEYOND - height;
    if (missing <= 0) return;
    await makeBlocks(cluster, missing);
  }
}
