import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';

const RENT_LAMPORTS = 1_000_000;
const LOOK_EVERY_MS = 200;
/** More slots than there are between a block and its finality. */
export const SLOTS_TO_FINALITY = 40;
let airdrops = 0;

/** Waits for `count` more blocks. Surfpool makes one block per transaction, and none without. */
export async function makeBlocks({ kind, connection }: LocalCluster, count: number): Promise<void> {
  if (kind === 'surfpool') {
    const { publicKey } = Keypair.generate();
    // The faucet's transactions are the cheapest. Equal amounts with one blockhash would be the same transaction.
    for (const until = airdrops + count; airdrops < until; airdrops += 1)
      await connection.requestAirdrop(publicKey, RENT_LAMPORTS + airdrops);
  } else {
    const until = (await connection.getBlockHeight()) + count;
    while ((await connection.getBlockHeight()) < until) await sleep(LOOK_EVERY_MS);
  }
}

/** Waits until `count` more slots have passed. On Surfpool they pass at once, without blocks. */
export async function passSlots(cluster: LocalCluster, count: number): Promise<void> {
  if (cluster.kind !== 'surfpool') return makeBlocks(cluster, count);
  const to = (await cluster.clock()).slot + BigInt(count);
  try {
    await cluster.timeTravelToSlot(to);
  } catch (error) {
    // A concurrent test may have moved the clock there already.
    if (BigInt(await cluster.connection.getSlot('processed')) < to) throw error;
  }
}
