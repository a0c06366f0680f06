// Parts of the service on the tests' cluster and database.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keypair } from '@solana/web3.js';
import { decodeRecords, graduatesByItself, type CreateRecord } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { readConfig } from '#app/config/config.js';
import { createContext, type Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { otherRecords, tokens } from '#app/db/schema/index.js';
import { createLogger } from '#app/base/logging/logging.js';
import { createMetrics } from '#app/base/metrics.js';
import { passSlots, SLOTS_TO_FINALITY } from '#tests/cluster/blocks.js';
import { simulatedCluster } from './service.js';
import type { Token } from '#tests/program/tokens.js';

export const keyVariable = (key: Keypair): string => JSON.stringify([...key.secretKey]);

/** The variables of a service with the cluster's own authorities. */
export function clusterEnvironment(cluster: LocalCluster): Record<string, string> {
  return {
    RPC_URL: cluster.rpcUrl,
    SIMULATED_CLUSTER: simulatedCluster(cluster),
    WS_URL: cluster.wsUrl,
    DEX_OWNER_KEYPAIR: keyVariable(cluster.dexOwner),
    ...(!graduatesByItself(cluster.deployment) && { FEE_RECEIVER_KEYPAIR: keyVariable(cluster.feeReceiver) }),
    LOG_LEVEL: 'silent',
  };
}

/** A context made from environment variables, on an open database. */
export function contextFrom(
  environment: Readonly<Record<string, string>>,
  database: Database,
): Promise<Context> {
  return createContext(readConfig(environment), {
    database,
    logger: createLogger('silent'),
    metrics: createMetrics({ ofProcess: false }),
  });
}

/** Inserts the finalized record of a token's creation, as the indexer would. */
export async function indexCreation(database: Database, { created }: Token): Promise<CreateRecord> {
  const record = decodeRecords(created.transaction).find(({ kind }) => kind === 'create');
  if (record?.kind !== 'create') throw new Error(`${created.signature} creates no token`);
  const { data, position } = record;
  await database.transaction(async (tx) => {
    const [row] = await tx
      .insert(otherRecords)
      .values({
        signature: created.signature,
        ...position,
        slot: created.slot,
        kind: 'create',
        mint: data.mint.toBase58(),
      })
      .returning({ id: otherRecords.id });
    if (row === undefined) throw new Error('the record is not inserted');
    await tx.insert(tokens).values({
      mint: data.mint.toBase58(),
      recordId: row.id,
      creator: data.creator.toBase58(),
      curve: data.tokenOwnerPda.toBase58(),
      name: data.name,
      symbol: data.symbol,
      uri: data.uri,
      afterMigrationFeeBps: data.afterMigrationFee,
      burnBps: data.burnBp,
      holdersBps: data.holdersBp,
      lpBps: data.lpBp,
      initialVirtualSol: data.virtualSol,
      initialVirtualToken: data.virtualToken,
      platformFeeBps: data.platformFeeBps,
      createdAt: Number(data.timestamp),
    });
  });
  return data;
}

const TRAVEL_EVERY_MS = 150;
/** Four of them pass while a blockhash is valid, so on a busy machine transactions would expire before they are sent. */
const PAUSE_OF_A_TRAVEL = 4;

/**
 * Finalizes landed transactions while `work` runs. On Surfpool slots pass only with transactions, so this moves its
 * clock, the slower the longer a move takes; other clusters finalize by themselves.
 */
export async function whileFinalizing<T>(cluster: LocalCluster, work: () => Promise<T>): Promise<T> {
  if (cluster.kind !== 'surfpool') return work();
  let running = true;
  const travelling = (async () => {
    while (running) {
      const began = performance.now();
      await finalizeAll(cluster);
      await sleep(Math.max(TRAVEL_EVERY_MS, PAUSE_OF_A_TRAVEL * (performance.now() - began)));
    }
  })();
  try {
    return await work();
  } finally {
    running = false;
    await travelling;
  }
}

/** Finalizes landed transactions on Surfpool. */
export async function finalizeAll(cluster: LocalCluster): Promise<void> {
  await passSlots(cluster, SLOTS_TO_FINALITY);
}

/** Where a logger writes: the JSON of each line is added to the list. */
export const linesInto = <Line>(lines: Line[]) => ({
  write: (line: string) => void lines.push(JSON.parse(line) as Line),
});
