import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import type { TransactionInstruction } from '../chain/types.js';
import { requireInteger, requirePositiveU64, requireU64, U64_MAX } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import { adminSetPropertiesInstruction } from '../generated/instructions.js';
import {
  GRADUATION_VIRTUAL_TOKEN,
  MAX_PLATFORM_FEE_BPS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
} from '../generated/program.js';
import { type CommonParams } from './common.js';

/** Parameters of {@link adminSetProperties}. */
export interface AdminSetPropertiesParams extends CommonParams {
  /**
   * Virtual SOL reserve of new curves in lamports, above zero. Its product with `initialVirtualToken` must not exceed
   * graduation reserve · (2^64 − 1), or no curve could graduate.
   */
  readonly initialVirtualSol: bigint;
  /** Virtual token reserve of new curves in smallest units: above the supply, below supply + graduation reserve. */
  readonly initialVirtualToken: bigint;
  /** Platform fee of every trade in basis points, at most 1,000. It takes effect immediately, for every curve. */
  readonly platformFeeBps: number;
}

/**
 * Sets the launchpad's properties. The first call creates their account. Signer: the deployment's admin. For the first
 * call the admin must be the fee payer, or must have sent the rent to the properties account.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function adminSetProperties(params: AdminSetPropertiesParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  const { deployment = DEFAULT_DEPLOYMENT } = params;
  const initialVirtualSol = requirePositiveU64('initialVirtualSol', params.initialVirtualSol);
  const initialVirtualToken = requireU64('initialVirtualToken', params.initialVirtualToken);
  const tooMuch = TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN;
  if (initialVirtualToken <= TOKEN_SUPPLY || initialVirtualToken >= tooMuch) {
    throw new InvalidArgumentError(
      'initialVirtualToken',
      `is ${initialVirtualToken}; it must be above the supply, ${TOKEN_SUPPLY}, and below supply + graduation reserve, ${tooMuch}`,
    );
  }
  const mostVirtualSol = (GRADUATION_VIRTUAL_TOKEN * U64_MAX) / initialVirtualToken;
  if (initialVirtualSol > mostVirtualSol) {
    throw new InvalidArgumentError(
      'initialVirtualSol',
      `is ${initialVirtualSol}; with ${initialVirtualToken} virtual tokens it must be at most ${mostVirtualSol}, or no curve could graduate`,
    );
  }
  const platformFeeBps = requireInteger('platformFeeBps', params.platformFeeBps, MAX_PLATFORM_FEE_BPS);
  const set = adminSetPropertiesInstruction(
    {
      adminAccount: deployment.admin,
      propertiesAccount: deployment.properties.address,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      rentSysvar: RENT_SYSVAR_ADDRESS,
    },
    { initialVirtualSol, initialVirtualToken, platformFeeBps, bump: deployment.properties.bump },
    deployment.programId,
  );
  return [set];
}
