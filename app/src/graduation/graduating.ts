// Detects whether a launchpad's curves graduate by themselves, that is, whether the graduation program is deployed.
import { createDeployment, type Deployment } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import { askNode } from '../rpc/ask-node.js';

/** The deployment with the graduation program's PDA as fee receiver. */
export function graduating(deployment: Deployment): Deployment {
  return createDeployment({ ...deployment, feeReceiver: deployment.graduation.feeReceiver.address });
}

/** @throws NodeError when the RPC node does not answer */
export async function hasGraduationProgram(
  connection: Connection,
  { graduation }: Deployment,
): Promise<boolean> {
  const account = await askNode(connection.getAccountInfo(graduation.programId));
  return account?.executable === true;
}
