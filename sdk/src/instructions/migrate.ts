import { associatedTokenAddress, curveAddress } from '../accounts/addresses.js';
import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import { migrateInstruction } from '../generated/instructions.js';
import { TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { canonicalNonce, tokenAccountOf, type TokenParams } from './common.js';

/** Parameters of {@link migrate}. */
export interface MigrateParams extends TokenParams {
  /** The fee receiver's token account. Default: the associated one. */
  readonly feeTokenAccount?: PublicKey | undefined;
  /** Creates the associated token account when it does not exist. On by default, unless `feeTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/**
 * Moves the whole balance of a graduated curve, SOL and tokens, to the fee receiver. Signer: the deployment's fee
 * receiver.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function migrate(params: MigrateParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  const { mint, deployment = DEFAULT_DEPLOYMENT } = params;
  const curve = curveAddress(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const account = tokenAccountOf('feeTokenAccount', params.feeTokenAccount, deployment.feeReceiver, params);

  const migration = migrateInstruction(
    {
      tokenMint: mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      feeAccount: deployment.feeReceiver,
      tokenOwnerTokenAccount: associatedTokenAddress(curve.address, mint).address,
      feeTokenAccount: account.address,
    },
    { pdaTokenNonce },
    deployment.programId,
  );
  return [...account.creation, migration];
}
