// What a launchpad whose curves graduate by themselves needs beside the curve program.
import { AMM, graduatesByItself, graduationProblem, type Deployment } from '@curvekit/sdk';
import type { LaunchProperties } from '@curvekit/testing';
import {
  SystemProgram,
  type AccountInfo,
  type Connection,
  type TransactionInstruction,
} from '@solana/web3.js';
import { CommandError } from '../scripts/command-line.js';
import { simulateGraduation, simulateSweep, type Outcome } from '#app/operator/doctor/simulation.js';
import { findProgram, type Finding } from './findings.js';

/** @throws CommandError for properties with which curves could not graduate, or not at their closing price */
export function requireGraduation(properties: LaunchProperties): void {
  const problem = graduationProblem(properties);
  if (problem === undefined) return;
  throw new CommandError(`with these properties no curve could graduate as it should: ${problem}`);
}

/** The graduation program and the AMM; nothing where a key migrates. */
export async function findGraduation(connection: Connection, deployment: Deployment): Promise<Finding[]> {
  if (!graduatesByItself(deployment)) return [];
  const { programId, treasury } = deployment.graduation;
  const [program, upgrade] = await findProgram(connection, programId, undefined, [
    'programs/artifacts/graduation.so',
  ]);
  const amm = await connection.getAccountInfo(AMM.programId);
  const found = { what: 'AMM', found: AMM.programId.toBase58() };
  return [
    { ...program!, what: 'graduation program' },
    { ...upgrade!, what: 'its upgrade authority' },
    compared(
      { what: 'its curve program', found: deployment.programId.toBase58() },
      await simulateGraduation({ config: {}, connection, deployment }),
    ),
    compared(
      { what: 'its admin and treasury', found: `${deployment.admin.toBase58()}\n${treasury.toBase58()}` },
      await simulateSweep({ config: {}, connection, deployment }, deployment.admin, treasury),
    ),
    ammFinding(found, amm),
  ];
}

/** The graduation program says by simulation whether it was built with the address. */
function compared(finding: Finding, outcome: Outcome): Finding {
  if (outcome.kind === 'right') return finding;
  if (outcome.kind === 'unknown') return { ...finding, problem: `could not be compared: ${outcome.reason}` };
  const expected = outcome.expected === undefined ? '' : `, with ${outcome.expected.toBase58()}`;
  return {
    ...finding,
    problem: `the graduation program was built with another ${outcome.account}${expected}: deploy a build for these addresses`,
  };
}

function ammFinding(finding: Finding, program: AccountInfo<Buffer> | null): Finding {
  if (program?.executable === true) return finding;
  return { ...finding, problem: 'is not there: no curve could graduate; use a cluster that has it' };
}

/** Brings the fee receiver to its rent exemption: no key can, later, and small trades fail until it is. */
export async function prefund(
  connection: Connection,
  deployment: Deployment,
): Promise<TransactionInstruction[]> {
  const { admin, feeReceiver } = deployment;
  if (!graduatesByItself(deployment)) return [];
  const [held, exempt] = await Promise.all([
    connection.getBalance(feeReceiver),
    connection.getMinimumBalanceForRentExemption(0),
  ]);
  if (held >= exempt) return [];
  return [SystemProgram.transfer({ fromPubkey: admin, toPubkey: feeReceiver, lamports: exempt - held })];
}
