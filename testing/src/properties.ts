import type { Connection, Keypair } from '@solana/web3.js';
import { adminSetProperties, decodeProperties, type Deployment, type Properties } from '@curvekit/sdk';
import { ClusterStartError } from './errors.js';
import type { TransactionSender } from './send.js';

/** The properties that an operator sets: the initial reserves of new curves and the platform fee. */
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
 * Sets the cluster's properties through the program. Sends nothing when they are already as wanted.
 *
 * @throws TransactionError when the program refuses; ClusterStartError when it is not the bonding-curve program.
 * @param wanted Undefined sets the defaults on a cluster without properties, and keeps existing ones.
 */
export async function ensureProperties(
  connection: Connection,
  sender: TransactionSender,
  deployment: Deployment,
  admin: Keypair,
  wanted: Partial<LaunchProperties> | undefined,
): Promise<void> {
  const current = await read(connection, deployment);
  if (current !== undefined && wanted === undefined) return;
  const next = { ...DEFAULT_PROPERTIES, ...wanted };
  if (isSame(current, next)) return;
  await sender.send(adminSetProperties({ ...next, deployment }), [admin]);
  if (isSame(await read(connection, deployment), next)) return;
  throw new ClusterStartError(
    `the program ${deployment.programId.toBase58()} took adminSetProperties but did not set the properties; ` +
      'check that programSo is the bonding-curve program',
  );
}

async function read(connection: Connection, deployment: Deployment): Promise<Properties | undefined> {
  const account = await connection.getAccountInfo(deployment.properties.address);
  return account?.owner.equals(deployment.programId) ? decodeProperties(account.data) : undefined;
}

function isSame(a: LaunchProperties | undefined, b: LaunchProperties): boolean {
  return (
    a?.initialVirtualSol === b.initialVirtualSol &&
    a.initialVirtualToken === b.initialVirtualToken &&
    a.platformFeeBps === b.platformFeeBps
  );
}
