// Detects whether a launchpad's curves graduate by themselves: the fee receiver is the graduation program's PDA, and that
// program is deployed.
import { createDeployment, graduatesByItself, type Deployment } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import { askNode } from '../chain/connection.js';

/** The deployment with the graduation program's PDA as fee receiver. */
export function graduating(deployment: Deployment): Deployment {
  return createDeployment({ ...deployment, feeReceiver: deployment.graduation.feeReceiver.address });
}

/** @throws NodeError when the RPC node does not answer */
export async function hasGraduationProgram(connection: Connection, deployment: Deployment): Promise<boolean> {
  if (!graduatesByItself(deployment)) return false;
  const account = await askNode(connection.getAccountInfo(deployment.graduation.programId));
  return account?.executable === true;
}
