// Checks that fees can be swept to the configured treasury, which should be the one that pays referral rewards.
import type { PublicKey } from '@solana/web3.js';
import { createDeployment, sweepFees } from '@curvekit/sdk';
import { adminInProgram } from './admin-check.js';
import { addressOf, notCompared } from './authority.js';
import type { ClusterParts } from './cluster-checks.js';
import { failure, ok, warning, type Finding } from './finding.js';
import { accountInPast } from './past-instruction.js';
import { simulateSweep } from './simulated-graduation.js';

const SUBJECT = 'fees';

export async function checkGraduationTreasury(cluster: ClusterParts): Promise<Finding> {
  const { config, deployment } = cluster;
  const { treasury } = deployment.graduation;
  const authority = addressOf('GRADUATION_TREASURY', config.graduation.treasury, treasury);
  const admin = await adminInProgram(cluster);
  if (admin === undefined) return notCompared(SUBJECT, authority, "the program's admin is not known");
  const found = await simulateSweep(cluster, admin, treasury);
  if (found.kind === 'unknown') return notCompared(SUBJECT, authority, found.reason);
  if (found.kind === 'right') return sweptTo(cluster);
  if (found.account === 'admin_account') {
    return failure(
      SUBJECT,
      `the graduation program was built with another admin than ${admin.toBase58()}, the admin of the curve program: that key cannot sweep fees`,
      'deploy a graduation program with the same CURVE_ADMIN, or set GRADUATION_PROGRAM_ID to one',
      'AuthorityWrong',
    );
  }
  const right = await treasuryInProgram(cluster, admin);
  return failure(
    SUBJECT,
    `${authority.stated}, but the graduation program was built with ${right?.toBase58() ?? 'another address'}: no fees can be swept`,
    `${authority.fix} ${right?.toBase58() ?? 'the CURVE_TREASURY that the graduation program was built with'}`,
    'AuthorityWrong',
  );
}

function sweptTo({ config, deployment }: ClusterParts): Finding {
  const swept = deployment.graduation.treasury.toBase58();
  const own = config.treasury?.publicKey.toBase58();
  if (own !== undefined && own !== swept) {
    return warning(
      SUBJECT,
      `they are swept to ${swept}, not to the treasury ${own}, which owes referral rewards`,
      `set TREASURY_KEYPAIR to the key of ${swept}, with which the graduation program was built`,
      'FeesSweptElsewhere',
    );
  }
  return ok(
    SUBJECT,
    config.admin === undefined
      ? `\`curvekit fees sweep\` moves them to ${swept}`
      : `swept to ${swept} as referral rewards need them`,
  );
}

/** The program's error does not name its treasury. An earlier sweep does, or it is the one that pays rewards. */
async function treasuryInProgram(cluster: ClusterParts, admin: PublicKey): Promise<PublicKey | undefined> {
  const { config, connection, deployment } = cluster;
  const { programId, treasury } = deployment.graduation;
  const [sweep] = sweepFees({ deployment });
  const past = await accountInPast(connection, {
    address: programId,
    programId,
    position: (data) =>
      sweep?.data.equals(data) === true
        ? sweep.keys.findIndex(({ pubkey }) => pubkey.equals(treasury))
        : undefined,
  });
  // A sweep from before an upgrade names the earlier treasury.
  if (past?.equals(treasury) === false) return past;
  const likely = [config.treasury?.publicKey, createDeployment({}).graduation.treasury];
  for (const other of likely.flatMap((key) => key ?? [])) {
    if ((await simulateSweep(cluster, admin, other)).kind === 'right') return other;
  }
  return undefined;
}
