import type { Connection, Keypair } from '@solana/web3.js';
import type { Deployment } from '../deployment.js';
import { decodeProperties, type Properties } from '../generated/accounts.js';
import { adminSetProperties } from '../instructions.js';
import type { TransactionSender } from './send.js';

/** What an operator sets: the starting reserves of new curves and the platform fee. */
export type LaunchProperties = Pick<
  Properties,
  'initialVirtualSol' | 'initialVirtualToken' | 'platformFeeBps'
>;

/** 30 SOL, 1,073,000,000 tokens, 1 %. */
export const DEFAULT_PROPERTIES: LaunchProperties = Object.freeze({
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
});

/**
 * Makes the cluster's properties what is wanted, through the program. Sends nothing when they are so already.
 *
 * @param wanted Undefined for the default ones on a cluster that has none yet; what another cluster has is left alone.
 */
export async function ensureProperties(
  connection: Connection,
  sender: TransactionSender,
  deployment: Deployment,
  admin: Keypair,
  wanted: Partial<LaunchProperties> | undefined,
): Promise<void> {
  const account = await connection.getAccountInfo(deployment.properties.address);
  const exists = account?.owner.equals(deployment.programId) ?? false;
  if (exists && wanted === undefined) return;
  const next = { ...DEFAULT_PROPERTIES, ...wanted };
  const current = account !== null && exists ? decodeProperties(account.data) : undefined;
  if (current !== undefined && isSame(current, next)) return;
  await sender.send(adminSetProperties({ ...next, deployment }), [admin]);
}

function isSame(a: LaunchProperties, b: LaunchProperties): boolean {
  return (
    a.initialVirtualSol === b.initialVirtualSol &&
    a.initialVirtualToken === b.initialVirtualToken &&
    a.platformFeeBps === b.platformFeeBps
  );
}
