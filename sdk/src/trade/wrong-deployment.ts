// Explains the program's WrongFeeReceiver (6004) of a simulation, before the wallet signs.
import { DEFAULT_DEPLOYMENT, KEY_HELD_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { isProgramError, type TransactionError } from '../errors/index.js';
import { WrongDeploymentError } from './errors.js';

/** Whether the program refuses these instructions with another error than 6004, or accepts them. */
type Accepts = (instructions: TransactionInstruction[]) => Promise<boolean>;

/**
 * The error to throw for the simulation's. The program does not tell its fee receiver, so the likely ones are simulated:
 * the graduation program's PDA and the development key.
 */
export async function explained(
  error: TransactionError,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
  instructions: readonly TransactionInstruction[],
  accepts: Accepts,
): Promise<TransactionError> {
  if (!isProgramError(error, 'WrongFeeReceiver')) return error;
  const likely = [deployment.graduation.feeReceiver.address, KEY_HELD_DEPLOYMENT.feeReceiver];
  for (const feeReceiver of likely.filter((address) => !address.equals(deployment.feeReceiver))) {
    const changed = withFeeReceiver(instructions, deployment, feeReceiver);
    const isRight = await accepts(changed).catch(() => false);
    if (isRight) return new WrongDeploymentError(deployment, feeReceiver, error);
  }
  return new WrongDeploymentError(deployment, undefined, error);
}

function withFeeReceiver(
  instructions: readonly TransactionInstruction[],
  deployment: Deployment,
  feeReceiver: PublicKey,
): TransactionInstruction[] {
  return instructions.map((instruction) =>
    instruction.programId.equals(deployment.programId)
      ? {
          ...instruction,
          keys: instruction.keys.map((meta) =>
            meta.pubkey.equals(deployment.feeReceiver) ? { ...meta, pubkey: feeReceiver } : meta,
          ),
        }
      : instruction,
  );
}
