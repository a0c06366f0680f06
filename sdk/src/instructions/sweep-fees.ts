import type { TransactionInstruction } from '@solana/web3.js';
import { SystemProgram } from '../chain.js';
import { DEFAULT_DEPLOYMENT } from '../deployment.js';
import { sweepInstruction } from '../generated/graduation/instructions.js';
import type { CommonParams } from './common.js';

/**
 * Moves the platform fees of a deployment that graduates by itself from its fee receiver to its treasury. Signer: the
 * deployment's admin.
 */
export function sweepFees({ deployment = DEFAULT_DEPLOYMENT }: CommonParams = {}): TransactionInstruction[] {
  const { admin, graduation } = deployment;
  const accounts = {
    adminAccount: admin,
    feeReceiver: graduation.feeReceiver.address,
    treasury: graduation.treasury,
    systemProgram: SystemProgram.programId,
  };
  return [sweepInstruction(accounts, graduation.programId)];
}
