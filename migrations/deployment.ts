// What has to happen after a deployment.
import type { Connection } from '@solana/web3.js';
import { graduatesByItself } from '@curvekit/sdk';
import { findAuthorities, findLaunch, findProgram, requireOwnKeys, type Finding } from './findings.js';
import { findGraduation, prefund, requireGraduation } from './graduation.js';
import { planProperties, setProperties } from './properties.js';
import type { Admin, Settings } from './settings.js';

export interface DeployReport {
  readonly findings: readonly Finding[];
  /** Of the transaction that set the properties; undefined when there was nothing to set. */
  readonly signature: string | undefined;
  /** What a multisig must sign: an unsigned transaction in base58. Undefined when there is nothing. */
  readonly proposal: string | undefined;
  /** Whether everything is as it must be. */
  readonly ok: boolean;
}

/**
 * Verifies the deployment, and then sets the properties where they are not as wanted: nothing is sent while anything else is
 * wrong. Sends at most one transaction, or none for an admin without a keypair.
 */
export async function completeDeployment(
  connection: Connection,
  admin: Admin,
  settings: Settings,
): Promise<DeployReport> {
  const { deployment, programSo } = settings;
  await requireOwnKeys(connection, deployment);
  const program = await findProgram(connection, deployment.programId, programSo);
  const graduation = await findGraduation(connection, deployment);
  const plan = await planProperties(connection, admin, settings);
  if (graduatesByItself(deployment)) requireGraduation(plan.properties);
  const prefunding = settings.checkOnly ? [] : await prefund(connection, deployment);
  const authorities = await findAuthorities(connection, deployment, prefunding.length > 0);
  const launch = await findLaunch(connection, deployment, [...prefunding, ...plan.change]);
  const found = [...program, ...graduation, ...authorities, launch];
  const checkOnly = settings.checkOnly || !found.every(isRight);
  const options = { deployment, checkOnly, before: prefunding };
  const { finding, signature, proposal } = await setProperties(connection, admin, plan, options);
  const findings = [...program, ...graduation, ...authorities, finding, launch];
  return { findings, signature, proposal, ok: findings.every(isRight) };
}

function isRight({ problem }: Finding): boolean {
  return problem === undefined;
}
