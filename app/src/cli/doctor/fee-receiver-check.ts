// Checks that the configured fee receiver is the one in the program, and can pay for migrations.
import type { PublicKey } from '@solana/web3.js';
import type { ClusterParts } from './cluster-checks.js';
import { failure, ok, warning, type Finding } from './finding.js';
import { checkPayer } from './payer-check.js';
import { simulateLaunch, type LaunchOutcome } from './simulated-launch.js';

const SUBJECT = 'migration';

/** Only `curvekit migrate` and a server that collects fees need the key. */
export async function checkFeeReceiver(cluster: ClusterParts): Promise<Finding> {
  const { config, connection } = cluster;
  if (config.feeReceiver === undefined)
    return ok(SUBJECT, 'not from here: `curvekit migrate` signs with FEE_RECEIVER_KEYPAIR where that is set');
  const own = config.feeReceiver.publicKey;
  const found = await launchWith(cluster, own);
  if (found.kind === 'unknown') {
    return warning(
      SUBJECT,
      `${own.toBase58()} could not be compared with the program's fee receiver: ${found.reason}`,
      'fund this key, and run `curvekit doctor` again',
    );
  }
  if (found.kind === 'other key') {
    const right = found.expected?.toBase58();
    return failure(
      SUBJECT,
      `FEE_RECEIVER_KEYPAIR is ${own.toBase58()}, but the program was built with ${right ?? 'another key'}: nothing can be migrated`,
      `set FEE_RECEIVER_KEYPAIR to the key of ${right ?? "the program's fee receiver"}, or PROGRAM_ID to the program that was built with yours`,
    );
  }
  return checkPayer(SUBJECT, connection, own);
}

/** The program checks the DEX owner first. If it is not configured, the program's error names it. */
async function launchWith(cluster: ClusterParts, feeReceiver: PublicKey): Promise<LaunchOutcome> {
  const { dexOwner } = cluster.deployment;
  const found = await simulateLaunch(cluster, { dexOwner, feeReceiver }, true);
  if (found.kind !== 'other key' || found.account !== 'dex_owner') return found;
  if (found.expected === undefined)
    return { kind: 'unknown', reason: 'the program wants another DEX owner, and does not say which' };
  return simulateLaunch(cluster, { dexOwner: found.expected, feeReceiver }, true);
}
