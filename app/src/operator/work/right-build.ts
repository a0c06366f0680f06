// Before a start: whether the program has the configured fee receiver. With another one it would refuse every trade of the
// page and of Solana Actions, and clients would be told a wrong deployment.
import type { PublicKey } from '@solana/web3.js';
import { KEY_HELD_DEPLOYMENT, withTimeout } from '@curvekit/sdk';
import type { Config } from '../../config/config.js';
import { deploymentOf } from '../../context.js';
import { connectNode } from '../../chain/connection.js';
import type { ClusterParts } from '../doctor/cluster-checks.js';
import { simulateFeeReceiver } from '../doctor/simulated-launch.js';
import { CommandError } from '../errors.js';

const TIMEOUT_MS = 5_000;

/**
 * A node that does not answer, or a launchpad that is not open yet, is no reason to refuse.
 *
 * @throws CommandError when the program has another fee receiver
 */
export async function requireRightFeeReceiver(config: Config): Promise<void> {
  const cluster = { config, connection: connectNode(config), deployment: deploymentOf(config) };
  const problem = await withTimeout(problemOf(cluster), TIMEOUT_MS, 'the node').catch(() => undefined);
  if (problem !== undefined) throw new CommandError(problem);
}

async function problemOf(cluster: ClusterParts): Promise<string | undefined> {
  const { programId, feeReceiver: own, graduation } = cluster.deployment;
  const isRefused = async (address: PublicKey) => {
    const found = await simulateFeeReceiver(cluster, address);
    return found.kind === 'other key' && found.account === 'fee_account';
  };
  if (!(await isRefused(own))) return undefined;
  const start = `the program ${programId.toBase58()} does not have the fee receiver ${own.toBase58()}`;
  const pda = graduation.feeReceiver.address;
  if (!pda.equals(own) && !(await isRefused(pda)))
    return `${start}, but ${pda.toBase58()} of the graduation program: remove FEE_RECEIVER_ADDRESS and FEE_RECEIVER_KEYPAIR`;
  const key = KEY_HELD_DEPLOYMENT.feeReceiver;
  if (!key.equals(own) && !(await isRefused(key)))
    return `${start}, but the development key ${key.toBase58()}: set FEE_RECEIVER_ADDRESS to it`;
  return `${start}: set FEE_RECEIVER_ADDRESS to its own, or GRADUATION_PROGRAM_ID and GRADUATION_TREASURY where a graduation program takes the fees`;
}
