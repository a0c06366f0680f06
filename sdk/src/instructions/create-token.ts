import { tokenAddresses } from '../accounts/addresses.js';
import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import {
  requireAccountKey,
  requireInteger,
  requirePositiveSafeInteger,
  requirePositiveU64,
  requireText,
  requireVisibleText,
  requireU64,
} from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import { createTokenInstruction } from '../generated/instructions.js';
import {
  AFTER_MIGRATION_FEES,
  ATA_PROGRAM_ADDRESS,
  BASIS_POINTS,
  MAX_NAME_LENGTH,
  MAX_SYMBOL_LENGTH,
  MAX_URI_LENGTH,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../generated/program.js';
import { buy } from './buy.js';
import { canonicalNonce, type TokenParams } from './common.js';
import { COMMUNITY_TERMS, type CommunityTerms } from './community-terms.js';
import { createMintAccount } from './token.js';

/** Omitted terms default to those of {@link COMMUNITY_TERMS}: 0. */
type ChosenTerms = { readonly [Name in keyof CommunityTerms]?: CommunityTerms[Name] | undefined };

/** A new token's texts and terms. */
export interface TokenTerms extends ChosenTerms {
  /** 1 to 32 bytes in UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes in UTF-8. */
  readonly symbol: string;
  /** URI of the metadata, 1 to 200 bytes in UTF-8. */
  readonly uri: string;
}

/** Parameters of {@link createToken}. */
export interface CreateTokenParams extends TokenParams, TokenTerms {
  /** The creator: pays for every account. Both the creator and `mint` sign. */
  readonly payer: PublicKey;
  /** A buy by the creator in the same transaction, before any other trade. */
  readonly firstBuy?: { readonly solToSpend: bigint; readonly minTokenToReceive: bigint } | undefined;
  /** Lamports that the mint's address already holds: anyone may have sent some. */
  readonly mintLamports?: bigint | undefined;
  /** Lamports for the mint's account: `await fetchRentExemption(connection, MINT_ACCOUNT_SIZE)`, which clusters change. */
  readonly mintRentLamports: bigint;
}

/**
 * Creates a token: first the mint's account, then the token, then the creator's first buy if requested. Signers:
 * `payer` and `mint`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function createToken(params: CreateTokenParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(
    mint,
    deployment,
  );
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const terms = termsOf(params);
  const heldLamports = requireU64('mintLamports', params.mintLamports ?? 0n);
  const rentLamports = requirePositiveSafeInteger('mintRentLamports', params.mintRentLamports);
  const firstBuy = params.firstBuy === undefined ? [] : firstBuyOf(params, params.firstBuy, pdaTokenNonce);

  const create = createTokenInstruction(
    {
      propertiesAccount: deployment.properties.address,
      payerAccount: payer,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      ataProgram: ATA_PROGRAM_ADDRESS,
      tokenMint: mint,
      tokenOwnerPda: curve.address,
      tokenOwnerTokenAccount: vault.address,
      tokenMetadataProgram: TOKEN_METADATA_PROGRAM_ADDRESS,
      tokenMetadata: metadata.address,
      afterMigrationCommunityContributionWsolStorage: communityWsolStorage.address,
      afterMigrationCommunityContributionTokenStorage: communityTokenStorage.address,
      rentSysvar: RENT_SYSVAR_ADDRESS,
      nativeMint: NATIVE_MINT_ADDRESS,
      dexOwner: deployment.dexOwner,
      programAccount: deployment.programId,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      uri: params.uri,
      name: params.name,
      symbol: params.symbol,
      ...terms,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return [...createMintAccount(payer, mint, rentLamports, heldLamports), create, ...firstBuy];
}

function firstBuyOf(
  params: CreateTokenParams,
  { solToSpend, minTokenToReceive }: NonNullable<CreateTokenParams['firstBuy']>,
  pdaTokenNonce: number,
): TransactionInstruction[] {
  requirePositiveU64('firstBuy.solToSpend', solToSpend);
  requireU64('firstBuy.minTokenToReceive', minTokenToReceive);
  const { mint, payer, deployment } = params;
  return buy({ mint, payer, solToSpend, minTokenToReceive, pdaTokenNonce, deployment });
}

/** Also checks the text fields. Omitted terms are 0. */
function termsOf(params: CreateTokenParams): CommunityTerms {
  requireVisibleText('name', params.name, MAX_NAME_LENGTH);
  requireVisibleText('symbol', params.symbol, MAX_SYMBOL_LENGTH);
  requireText('uri', params.uri, MAX_URI_LENGTH);
  const {
    afterMigrationFee = COMMUNITY_TERMS.afterMigrationFee,
    afterMigrationBurnBp = COMMUNITY_TERMS.afterMigrationBurnBp,
    afterMigrationHoldersBp = COMMUNITY_TERMS.afterMigrationHoldersBp,
    afterMigrationLpBp = COMMUNITY_TERMS.afterMigrationLpBp,
  } = params;
  const fees: readonly number[] = AFTER_MIGRATION_FEES;
  if (!fees.includes(afterMigrationFee)) {
    throw new InvalidArgumentError(
      'afterMigrationFee',
      `is ${afterMigrationFee}; it must be one of ${fees.join(', ')} basis points`,
    );
  }
  const shares = { afterMigrationBurnBp, afterMigrationHoldersBp, afterMigrationLpBp };
  let sum = 0;
  for (const [name, share] of Object.entries(shares)) {
    sum += requireInteger(name, share, BASIS_POINTS);
    if (sum > BASIS_POINTS) {
      throw new InvalidArgumentError(
        name,
        `brings the three shares to ${sum}; together they are at most ${BASIS_POINTS}`,
      );
    }
  }
  return { afterMigrationFee, ...shares };
}
