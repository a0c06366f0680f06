import { tokenAddresses } from '../accounts/addresses.js';
import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import { graduateInstruction } from '../generated/graduation/instructions.js';
import {
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../generated/program.js';
import {
  graduatesByItself,
  migrationTokensAddress,
  migrationWrappedSolAddress,
  poolAddress,
} from '../graduation/addresses.js';
import { canonicalNonce, type TokenParams } from './common.js';

/** Parameters of {@link graduate}. */
export interface GraduateParams extends TokenParams {
  /** Any wallet. It signs, and lends the rent of three token accounts, which it gets back in the same instruction. */
  readonly payer: PublicKey;
}

/** The most compute units that `graduate` uses. Set this limit: the default of 200,000 can be too little. */
export const GRADUATE_COMPUTE_UNITS = 300_000;

/**
 * Moves a sold-out curve to its pool: migrates the curve, pays the community's share, opens the pool at the closing
 * price and burns the liquidity. All of it succeeds or fails together. Signer: `payer`, any wallet. While the curve
 * still trades, the program refuses with `NotReadyToMigrate`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds, or when the deployment's fee receiver is a key
 */
export function graduate(params: GraduateParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const { graduation } = deployment;
  if (!graduatesByItself(deployment)) {
    throw new InvalidArgumentError(
      'deployment',
      `has the fee receiver ${deployment.feeReceiver.toBase58()}, not the graduation program's ${graduation.feeReceiver.address.toBase58()}: its holder calls migrate instead`,
    );
  }
  const { curve, vault, communityWsolStorage, communityTokenStorage } = tokenAddresses(mint, deployment);
  const tokens = migrationTokensAddress(mint, deployment);
  const wrappedSol = migrationWrappedSolAddress(mint, deployment);
  const pool = poolAddress(mint, deployment);
  const instruction = graduateInstruction(
    {
      payerAccount: payer,
      feeReceiver: graduation.feeReceiver.address,
      poolCreator: graduation.poolCreator.address,
      tokenMint: mint,
      nativeMint: NATIVE_MINT_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenOwnerTokenAccount: vault.address,
      tokens: tokens.address,
      wrappedSol: wrappedSol.address,
      communityWsolStorage: communityWsolStorage.address,
      communityTokenStorage: communityTokenStorage.address,
      curveProgram: deployment.programId,
      programAccount: graduation.programId,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      ...AMM.openingAccounts(AMM.addresses(pool.address, mint), graduation.poolCreator.address),
      ataProgram: ATA_PROGRAM_ADDRESS,
      rentSysvar: RENT_SYSVAR_ADDRESS,
    },
    {
      pdaTokenNonce: canonicalNonce(params.pdaTokenNonce, curve),
      communityWsolBump: communityWsolStorage.bump,
      communityTokenBump: communityTokenStorage.bump,
      tokensBump: tokens.bump,
      wrappedSolBump: wrappedSol.bump,
      poolBump: pool.bump,
    },
    graduation.programId,
  );
  return [instruction];
}
