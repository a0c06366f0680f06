// Checks that the fee receiver is the one in the program, and that its key can pay for migrations.
import type { PublicKey } from '@solana/web3.js';
import {
  BUY_TOKEN_ACCOUNTS,
  instructionName,
  KEY_HELD_DEPLOYMENT,
  SELL_TOKEN_ACCOUNTS,
  type Deployment,
} from '@curvekit/sdk';
import { authorityOf, notCompared, wrongAuthority } from './authority.js';
import type { ClusterParts } from './cluster-checks.js';
import { ok, type Finding } from './finding.js';
import { accountInPast } from './past-instruction.js';
import { checkPayer } from './payer-check.js';
import { simulateFeeReceiver } from './simulated-launch.js';

const MIGRATION = 'migration';

/** Every service publishes the address. Only `curvekit migrate` and a server that collects fees need the key. */
export async function checkFeeReceiver(cluster: ClusterParts): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  const { feeReceiver: key, authorities } = config;
  const authority = authorityOf('FEE_RECEIVER', {
    key,
    address: authorities.feeReceiver,
    used: deployment.feeReceiver,
  });
  const { own } = authority;
  const subject = key === undefined ? 'fee receiver' : MIGRATION;
  const right = await feeReceiverOf(cluster, own);
  const finding =
    right !== undefined && 'reason' in right
      ? notCompared(subject, authority, right.reason)
      : right?.equals(own) === true
        ? ok(subject, `${own.toBase58()}, as the program was built with`)
        : wrongAuthority(
            subject,
            authority,
            right,
            key === undefined
              ? 'trades of the page and of Solana Actions fail with WrongFeeReceiver'
              : 'nothing can be migrated',
          );
  if (key !== undefined)
    return [finding.state === 'ok' ? await checkPayer(MIGRATION, connection, own) : finding];
  const keyless = 'not from here: `curvekit migrate` signs with FEE_RECEIVER_KEYPAIR where that is set';
  return [finding, ok(MIGRATION, keyless)];
}

/** The program's fee receiver; undefined when it is another one than `own`, and nothing names it. */
async function feeReceiverOf(
  cluster: ClusterParts,
  own: PublicKey,
): Promise<PublicKey | { readonly reason: string } | undefined> {
  const found = await simulateFeeReceiver(cluster, own);
  if (found.kind === 'right') return own;
  const traded = await feeReceiverOfTrades(cluster);
  if (found.kind === 'unknown') return traded ?? found;
  // A trade from before an upgrade names the earlier fee receiver.
  if (traded?.equals(own) === false) return traded;
  // The program's error does not name its fee receiver.
  for (const other of likelyReceivers(cluster.deployment)) {
    if ((await simulateFeeReceiver(cluster, other)).kind === 'right') return other;
  }
  return undefined;
}

function feeReceiverOfTrades({ connection, deployment }: ClusterParts): Promise<PublicKey | undefined> {
  return accountInPast(connection, {
    address: deployment.properties.address,
    programId: deployment.programId,
    position: (data) => {
      const name = instructionName(data);
      if (name === 'buyToken') return BUY_TOKEN_ACCOUNTS.feeAccount;
      return name === 'sellToken' ? SELL_TOKEN_ACCOUNTS.feeAccount : undefined;
    },
  });
}

function likelyReceivers({ graduation }: Deployment): PublicKey[] {
  return [graduation.feeReceiver.address, KEY_HELD_DEPLOYMENT.feeReceiver];
}
