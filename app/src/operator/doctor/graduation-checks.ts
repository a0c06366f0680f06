// Checks of a launchpad whose curves graduate by themselves.
import { PublicKey } from '@solana/web3.js';
import { AMM } from '@curvekit/sdk';
import type { Database } from '../../db/database.js';
import { hasGraduationProgram } from '../../graduation/submit.js';
import { storageTopUp } from '../../graduation/storage-top-up.js';
import { soldOutTokens } from '../../graduation/waiting-tokens.js';
import { rentMinimum } from '../../chain/connection.js';
import { sol } from '../format.js';
import type { CommandCluster } from '../session.js';
import { failure, ok, warning, type Finding } from './finding.js';
import { notAsked, checkGraduationTreasury } from './authority-checks.js';
import { checkPayer } from './treasury-checks.js';
import { simulateGraduation, simulateFeeReceiver } from './simulation.js';
import { upgradeAuthority } from './addresses.js';

const SUBJECT = 'graduation';
/** Compiled into the graduation program. */
const MOST_OPENING_FEE = 300_000_000n;

/** One finding when a key migrates the curves. Otherwise all findings about graduation. */
export async function checkGraduation(cluster: CommandCluster): Promise<Finding[]> {
  const { config, connection, deployment } = cluster;
  const { programId } = deployment.graduation;
  if (!(await hasGraduationProgram(connection, deployment))) {
    const wanted = [
      config.graduation.programId && 'GRADUATION_PROGRAM_ID',
      config.graduationPayer && 'GRADUATION_PAYER_KEYPAIR',
    ].filter((name) => name !== undefined);
    if (wanted.length === 0)
      return [ok(SUBJECT, "not by itself: the holder of the fee receiver's key migrates curves")];
    return [
      failure(
        SUBJECT,
        `${wanted.join(' and ')} is set, but there is no graduation program at ${programId.toBase58()}`,
        'deploy it (docs/run.md), or set GRADUATION_PROGRAM_ID to where it is',
        'GraduationProgramMissing',
      ),
    ];
  }
  return [
    await checkCurveBuild(cluster),
    await checkGraduationBuild(cluster),
    await checkFeeReceiverRent(cluster),
    await checkAmm(cluster),
    await checkGraduationPayer(cluster),
    await checkGraduationTreasury(cluster),
    await checkUpgradeAuthorities(cluster),
  ];
}

/** The build of the curve program pays its fees to the graduation program, and nobody else can migrate. */
async function checkCurveBuild(cluster: CommandCluster): Promise<Finding> {
  const feeReceiver = cluster.deployment.graduation.feeReceiver.address;
  const found = await simulateFeeReceiver(cluster, feeReceiver);
  const own = feeReceiver.toBase58();
  if (found.kind === 'right') return ok(SUBJECT, `curves graduate by themselves; ${own} takes the fees`);
  if (found.kind === 'unknown')
    return notAsked(
      SUBJECT,
      `${own} could not be compared with the curve program's fee receiver: ${found.reason}`,
    );
  return failure(
    SUBJECT,
    `the curve program was built with another fee receiver than ${own}`,
    'deploy the build whose CURVE_FEE_RECEIVER is that address, or set PROGRAM_ID and GRADUATION_PROGRAM_ID to programs that belong together',
    'AuthorityWrong',
  );
}

/** With another curve program or AMM compiled in, tokens are sold out and can never graduate, nor be sold back. */
async function checkGraduationBuild(cluster: CommandCluster): Promise<Finding> {
  const subject = 'graduation program';
  const { deployment } = cluster;
  const programId = deployment.graduation.programId.toBase58();
  const found = await simulateGraduation(cluster);
  const own = deployment.programId.toBase58();
  if (found.kind === 'right') return ok(subject, `${programId} was built for the curve program ${own}`);
  if (found.kind === 'unknown')
    return notAsked(subject, `${programId} could not be asked for its curve program: ${found.reason}`);
  const what = found.account === 'curve_program' ? `curve program than ${own}` : 'AMM than this service';
  return failure(
    subject,
    `the graduation program ${programId} was built with another ${what}: no curve can graduate, and sold-out curves take no trades`,
    'upgrade it to a build whose CURVE_PROGRAM is PROGRAM_ID, or set PROGRAM_ID and GRADUATION_PROGRAM_ID to programs that belong together',
    'AuthorityWrong',
  );
}

/** A trade fails when its fee leaves the fee receiver below rent exemption. */
async function checkFeeReceiverRent({ connection, deployment }: CommandCluster): Promise<Finding> {
  const subject = 'fee receiver';
  const { address } = deployment.graduation.feeReceiver;
  const [held, rent] = await Promise.all([connection.getBalance(address), rentMinimum(connection, 0)]);
  const detail = `${address.toBase58()} holds ${sol(BigInt(held))} SOL`;
  return held >= rent
    ? ok(subject, detail)
    : failure(
        subject,
        detail,
        `send it ${sol(BigInt(rent - held))} SOL: until then small trades fail`,
        'FeeReceiverBelowRent',
      );
}

async function checkAmm({ connection, deployment }: CommandCluster): Promise<Finding> {
  const subject = 'AMM';
  // The fee tier is the same for every pool.
  const { config } = AMM.addresses(deployment.programId, deployment.programId);
  const [program, terms] = await connection.getMultipleAccountsInfo([AMM.programId, config]);
  if (program?.executable !== true || terms === null || terms === undefined) {
    return failure(
      subject,
      `there is no AMM at ${AMM.programId.toBase58()}: graduated curves wait`,
      'use a cluster that has it',
      'AmmUnusable',
    );
  }
  if (!AMM.opensPools(terms.data)) {
    return failure(
      subject,
      `${AMM.programId.toBase58()} opens no pools at the moment, by its own settings: graduated curves wait`,
      "wait until the AMM's admin allows new pools; nothing is lost meanwhile",
      'AmmUnusable',
    );
  }
  const fee = AMM.openingFee(terms.data);
  const detail = `${AMM.programId.toBase58()} asks ${sol(fee)} SOL for a pool`;
  return fee <= MOST_OPENING_FEE
    ? ok(subject, detail)
    : failure(
        subject,
        `${detail}, more than the ${sol(MOST_OPENING_FEE)} SOL that a migration pays: graduated curves wait`,
        `wait until it asks less, or give ${sol(fee - MOST_OPENING_FEE)} SOL a token: lamports at ${deployment.graduation.poolCreator.address.toBase58()} in the same transaction, before \`graduate\``,
        'AmmUnusable',
      );
}

async function checkGraduationPayer({ config, connection }: CommandCluster): Promise<Finding> {
  const subject = 'graduation payer';
  if (config.role === 'api') return ok(subject, 'not this process (ROLE=api): the worker has the key');
  if (config.graduationPayer === undefined) {
    return warning(
      subject,
      'this service graduates nothing: curves wait for somebody who does',
      'set GRADUATION_PAYER_KEYPAIR to a key with 0.01 SOL',
      'GraduationsOff',
    );
  }
  return checkPayer(subject, connection, config.graduationPayer.publicKey);
}

/** After a raise of the rent, a sold-out curve can wait for lamports that anybody may send. */
export async function checkSoldOut(
  { connection, deployment }: CommandCluster,
  database: Database,
): Promise<Finding[]> {
  if (!(await hasGraduationProgram(connection, deployment))) return [];
  const subject = 'sold-out curves';
  const waiting = await soldOutTokens(database.queries);
  const findings: Finding[] = [];
  for (const mint of waiting) {
    const topUp = await storageTopUp(connection, deployment, new PublicKey(mint));
    if (topUp === undefined) continue;
    findings.push(
      failure(
        subject,
        `${mint} cannot graduate: the rent has risen by more than the community's share of its SOL`,
        `send ${sol(topUp.lamports)} SOL to ${topUp.storage.toBase58()}; any wallet can`,
        'GraduationsWaiting',
      ),
    );
  }
  return findings.length > 0 ? findings : [ok(subject, `${waiting.length} wait for their pool`)];
}

/** Until nobody can replace a program, "no key can take the money" is not true. */
async function checkUpgradeAuthorities({ connection, deployment }: CommandCluster): Promise<Finding> {
  const subject = 'upgrade authorities';
  const described = async (name: string, programId: PublicKey) => {
    const authority = await upgradeAuthority(connection, programId);
    return `${name} ${authority === null ? 'nobody' : (authority?.toBase58() ?? 'unknown')}`;
  };
  const all = await Promise.all([
    described('curve', deployment.programId),
    described('graduation', deployment.graduation.programId),
    described('AMM', AMM.programId),
  ]);
  return ok(subject, all.join(', '));
}
