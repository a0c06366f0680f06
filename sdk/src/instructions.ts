// Builders of what people do with the program. They need public keys only, derive every address and bump, and check
// every argument before anything is sent. The one-to-one builders of the interface are in generated/instructions.ts.
import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress, curveAddress, tokenAddresses } from './addresses.js';
import { DEFAULT_DEPLOYMENT, type AddressWithBump, type Deployment } from './deployment.js';
import { InvalidArgumentError } from './errors.js';
import {
  adminSetPropertiesInstruction,
  buyTokenInstruction,
  createTokenInstruction,
  migrateInstruction,
  sellTokenInstruction,
} from './generated/instructions.js';
import {
  AFTER_MIGRATION_FEES,
  ATA_PROGRAM_ADDRESS,
  BASIS_POINTS,
  GRADUATION_VIRTUAL_TOKEN,
  MAX_NAME_LENGTH,
  MAX_PLATFORM_FEE_BPS,
  MAX_SYMBOL_LENGTH,
  MAX_URI_LENGTH,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
} from './generated/program.js';
import {
  closeTokenAccount,
  createMintAccount,
  createTokenAccountIfMissing,
  MINT_ACCOUNT_RENT,
} from './token-instructions.js';
import {
  requireAccountKey,
  requireInteger,
  requirePositiveSafeInteger,
  requirePositiveU64,
  requireText,
  requireU64,
  U64_MAX,
} from './validation.js';

/** What every builder takes. */
interface Common {
  /** The build to address; the default deployment when left out. */
  readonly deployment?: Deployment | undefined;
}

/** What the builders that touch a curve take. */
interface OfToken extends Common {
  /** The token's mint. */
  readonly mint: PublicKey;
  /** Canonical bump of the curve. Derived when left out; given, it is checked. */
  readonly pdaTokenNonce?: number | undefined;
}

/** Parameters of {@link createToken}. */
export interface CreateTokenParams extends OfToken {
  /** The creator: pays for every account. Signs, as does `mint`. */
  readonly payer: PublicKey;
  /** 1 to 32 bytes in UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes in UTF-8. */
  readonly symbol: string;
  /** Of the metadata, 1 to 200 bytes in UTF-8. */
  readonly uri: string;
  /** Share of the migrated liquidity for the community in basis points: 0, 25, 50, 100, 200 or 500. */
  readonly afterMigrationFee: number;
  /** Burned share of a community settlement in basis points. The three shares are at most 10,000 together. */
  readonly afterMigrationBurnBp: number;
  /** Holders' share in basis points. */
  readonly afterMigrationHoldersBp: number;
  /** Liquidity's share in basis points. */
  readonly afterMigrationLpBp: number;
  /** A buy by the creator in the same transaction, before anyone else's. */
  readonly firstBuy?: { readonly solToSpend: bigint; readonly minTokenToReceive: bigint } | undefined;
  /** Lamports that the mint's address already holds: anyone may have sent some. */
  readonly mintLamports?: bigint | undefined;
  /** Rent exemption of a mint account, for a cluster with a rent of its own. */
  readonly mintRentLamports?: bigint | undefined;
}

/** Parameters of {@link buy}. */
export interface BuyParams extends OfToken {
  /** The trader: pays the SOL, receives the tokens. Signs. */
  readonly payer: PublicKey;
  /** Lamports to spend, fee included. What a clipped buy leaves stays with the trader. */
  readonly solToSpend: bigint;
  /** Fewest token units to accept; take it from a quote. For a clipped buy it binds the price. */
  readonly minTokenToReceive: bigint;
  /** The trader's token account; the associated one when left out. */
  readonly userTokenAccount?: PublicKey | undefined;
  /** Creates the associated token account where it is missing. On by default, unless `userTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/** Parameters of {@link sell}. */
export interface SellParams extends OfToken {
  /** The trader: pays the tokens, receives the SOL. Signs. */
  readonly payer: PublicKey;
  /** Token units to sell. */
  readonly tokenToSpend: bigint;
  /** Fewest lamports to accept after the fee; take it from a quote. */
  readonly minSolToReceive: bigint;
  /** The trader's token account; the associated one when left out. */
  readonly userTokenAccount?: PublicKey | undefined;
  /** Closes the token account afterwards and returns its rent. Only for a sale of everything: it fails otherwise. */
  readonly closeTokenAccount?: boolean | undefined;
}

/** Parameters of {@link migrate}. */
export interface MigrateParams extends OfToken {
  /** The fee receiver's token account; the associated one when left out. */
  readonly feeTokenAccount?: PublicKey | undefined;
  /** Creates the associated token account where it is missing. On by default, unless `feeTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/** Parameters of {@link adminSetProperties}. */
export interface AdminSetPropertiesParams extends Common {
  /**
   * Virtual SOL reserve of new curves in lamports, above zero. Times `initialVirtualToken` at most graduation reserve ·
   * (2^64 − 1), or no curve could graduate.
   */
  readonly initialVirtualSol: bigint;
  /** Virtual token reserve of new curves in smallest units: above the supply, below supply + graduation reserve. */
  readonly initialVirtualToken: bigint;
  /** Platform fee of every trade in basis points, at most 1,000. Takes effect at once, for every curve. */
  readonly platformFeeBps: number;
}

/**
 * Creates a token: the mint's account, then the token itself, then the creator's first buy if there is one.
 * Signers: `payer` and `mint`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function createToken(params: CreateTokenParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const { curve, vault, metadata, communityWsolStorage, communityTokenStorage } = tokenAddresses(
    mint,
    deployment,
  );
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  requireTerms(params);
  const heldLamports = requireU64('mintLamports', params.mintLamports ?? 0n);
  const rentLamports = requirePositiveSafeInteger(
    'mintRentLamports',
    params.mintRentLamports ?? MINT_ACCOUNT_RENT,
  );
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
      afterMigrationFee: params.afterMigrationFee,
      afterMigrationBurnBp: params.afterMigrationBurnBp,
      afterMigrationHoldersBp: params.afterMigrationHoldersBp,
      afterMigrationLpBp: params.afterMigrationLpBp,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return [...createMintAccount(payer, mint, rentLamports, heldLamports), create, ...firstBuy];
}

/**
 * Buys tokens with an exact amount of SOL. Signer: `payer`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function buy(params: BuyParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const curve = curveAddress(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const solToSpend = requirePositiveU64('solToSpend', params.solToSpend);
  const account = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, params);

  const trade = buyTokenInstruction(
    {
      payerAccount: payer,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: associatedTokenAddress(curve.address, mint).address,
      userTokenAccount: account.address,
      feeAccount: deployment.feeReceiver,
      propertiesAccount: deployment.properties.address,
      programAccount: deployment.programId,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      solToSpend,
      minTokenToReceive: params.minTokenToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return [...account.creation, trade];
}

/**
 * Sells an exact amount of tokens. Signer: `payer`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function sell(params: SellParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const curve = curveAddress(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const tokenToSpend = requirePositiveU64('tokenToSpend', params.tokenToSpend);
  const { address: userTokenAccount } = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, {
    mint,
  });

  const trade = sellTokenInstruction(
    {
      payerAccount: payer,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: associatedTokenAddress(curve.address, mint).address,
      userTokenAccount,
      feeAccount: deployment.feeReceiver,
      programAccount: deployment.programId,
      propertiesAccount: deployment.properties.address,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      tokenToSpend,
      minSolToReceive: params.minSolToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return params.closeTokenAccount === true ? [trade, closeTokenAccount(userTokenAccount, payer)] : [trade];
}

/**
 * Moves everything a graduated curve holds to the fee receiver. Signer: the deployment's fee receiver.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function migrate(params: MigrateParams): TransactionInstruction[] {
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

/**
 * Sets the launchpad's properties; the first call creates their account. Signer: the deployment's admin, who must also
 * be the fee payer of the first call, or have sent its rent to the properties account.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function adminSetProperties(params: AdminSetPropertiesParams): TransactionInstruction[] {
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

function requireTerms(params: CreateTokenParams): void {
  requireText('name', params.name, MAX_NAME_LENGTH);
  requireText('symbol', params.symbol, MAX_SYMBOL_LENGTH);
  requireText('uri', params.uri, MAX_URI_LENGTH);
  const fees: readonly number[] = AFTER_MIGRATION_FEES;
  if (!fees.includes(params.afterMigrationFee)) {
    throw new InvalidArgumentError(
      'afterMigrationFee',
      `is ${params.afterMigrationFee}; it must be one of ${fees.join(', ')} basis points`,
    );
  }
  const names = ['afterMigrationBurnBp', 'afterMigrationHoldersBp', 'afterMigrationLpBp'] as const;
  let shares = 0;
  for (const name of names) {
    shares += requireInteger(name, params[name], BASIS_POINTS);
    if (shares > BASIS_POINTS) {
      throw new InvalidArgumentError(
        name,
        `brings the three shares to ${shares}; together they are at most ${BASIS_POINTS}`,
      );
    }
  }
}

/** The curve's canonical bump, which a given one must equal. */
function canonicalNonce(given: number | undefined, { address, bump }: AddressWithBump): number {
  if (given !== undefined && given !== bump) {
    throw new InvalidArgumentError(
      'pdaTokenNonce',
      `is ${given}; the canonical bump of this mint's curve ${address.toBase58()} is ${bump}. Leave it out to have it derived`,
    );
  }
  return bump;
}

/** The token account of `owner`, and the instruction that creates the associated one where it is wanted. */
function tokenAccountOf(
  argument: 'userTokenAccount' | 'feeTokenAccount',
  given: PublicKey | undefined,
  owner: PublicKey,
  { mint, createTokenAccount }: { mint: PublicKey; createTokenAccount?: boolean | undefined },
): { address: PublicKey; creation: TransactionInstruction[] } {
  if (given === undefined) {
    const creation = createTokenAccount === false ? [] : [createTokenAccountIfMissing(owner, owner, mint)];
    return { address: associatedTokenAddress(owner, mint).address, creation };
  }
  if (createTokenAccount === true) {
    throw new InvalidArgumentError(
      'createTokenAccount',
      `only creates the associated account: leave out ${argument}`,
    );
  }
  return { address: requireAccountKey(argument, given), creation: [] };
}
