// What has to happen after a deployment.
import type { Connection, Keypair } from '@solana/web3.js';
import { findAuthorities, findLaunch, findProgram, requireOwnKeys, type Finding } from './findings.js';
import { ensureProperties } from './properties.js';
import type { Settings } from './settings.js';

/** What was found and done. */
export interface DeployReport {
  readonly findings: readonly Finding[];
  /** Of the transaction that set the properties; undefined when there was nothing to set. */
  readonly signature: string | undefined;
  /** Whether everything is as it must be. */
  readonly ok: boolean;
}

/** Sets the properties where they are not as wanted, and verifies the deployment. Sends at most one transaction. */
export async function completeDeployment(
  connection: Connection,
  admin: Keypair,
  settings: Settings,
): Promise<DeployReport> {
  const { deployment, programSo } = settings;
  await requireOwnKeys(connection, deployment);
  const program = await findProgram(connection, deployment.programId, programSo);
  // Nothing is sent to a program that is not the right one.
  const checkOnly = settings.checkOnly || !program.every(isRight);
  const { finding, exist, signature } = await ensureProperties(connection, admin, { ...settings, checkOnly });
  const launch = exist ? [await findLaunch(connection, deployment)] : [];
  const authorities = await findAuthorities(connection, deployment);
  const findings = [...program, ...authorities, finding, ...launch];
  return { findings, signature, ok: findings.every(isRight) };
}

function isRight({ problem }: Finding): boolean {
  return problem === undefined;
}
