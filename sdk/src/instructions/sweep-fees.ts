import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import type { TransactionInstruction } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import { sweepInstruction } from '../generated/graduation/instructions.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../generated/program.js';
import type { CommonParams } from './common.js';

/**
 * Moves the platform fees of a deployment that graduates by itself from its fee receiver to its treasury. Signer: the
 * deployment's admin.
 */
export function sweepFees(params: CommonParams = {}): TransactionInstruction[] {
  requireObject('params', params);
  const { deployment = DEFAULT_DEPLOYMENT } = params;
  requireDeployment(deployment);
  const { admin, graduation } = deployment;
  const accounts = {
    adminAccount: admin,
    feeReceiver: graduation.feeReceiver.address,
    treasury: graduation.treasury,
    systemProgram: SYSTEM_PROGRAM_ADDRESS,
  };
  return [sweepInstruction(accounts, graduation.programId)];
}
