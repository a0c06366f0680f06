// The builders of the main entry, with Kit's addresses and signers. The core builds the instructions; this file
// converts the keys.
import type { Address, TransactionSigner } from '@solana/kit';
import type { TransactionInstruction } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import type { CommunityTerms } from '../instructions/community-terms.js';
import * as core from '../instructions/index.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './accounts/deployment.js';
import { keyOf, kitInstruction, promised, signerKey, withKeys, type SignableInstruction } from './convert.js';
import type { Market } from './venue.js';

interface CommonParams {
  /** The build to address. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

interface TokenParams extends CommonParams {
  /** The token's mint. */
  readonly mint: Address;
  /** Canonical bump of the curve. Derived when omitted, checked when given. */
  readonly pdaTokenNonce?: number | undefined;
}

type ChosenTerms = { readonly [Name in keyof CommunityTerms]?: CommunityTerms[Name] | undefined };

/** Parameters of {@link createToken}. */
export interface CreateTokenParams extends Omit<TokenParams, 'mint'>, ChosenTerms {
  /** The creator: pays for every account. */
  readonly payer: TransactionSigner;
  /** The token's mint. It also signs. */
  readonly mint: TransactionSigner;
  /** 1 to 32 bytes in UTF-8. */
  readonly name: string;
  /** 1 to 10 bytes in UTF-8. */
  readonly symbol: string;
  /** URI of the metadata, 1 to 200 bytes in UTF-8. */
  readonly uri: string;
  /** A buy by the creator in the same transaction, before any other trade. */
  readonly firstBuy?: { readonly solToSpend: bigint; readonly minTokenToReceive: bigint } | undefined;
  /** Lamports that the mint's address already holds: anyone may have sent some. */
  readonly mintLamports?: bigint | undefined;
  /** Lamports for the mint's account: `await fetchRentExemption(connection, MINT_ACCOUNT_SIZE)`, which clusters change. */
  readonly mintRentLamports: bigint;
}

/** Parameters of {@link buy} on a curve. */
export interface BuyParams extends TokenParams {
  /** The trader: pays the SOL, receives the tokens. */
  readonly payer: TransactionSigner;
  /** Lamports to spend, fee included. The trader keeps the lamports that a clipped buy does not need. */
  readonly solToSpend: bigint;
  /** Fewest token units to accept; take it from a quote. */
  readonly minTokenToReceive: bigint;
  /** The trader's token account. Default: the associated one. */
  readonly userTokenAccount?: Address | undefined;
  /** Creates the associated token account when it does not exist. On by default, unless `userTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/** Parameters of {@link sell} on a curve. */
export interface SellParams extends TokenParams {
  /** The trader: pays the tokens, receives the SOL. */
  readonly payer: TransactionSigner;
  /** Token units to sell. */
  readonly tokenToSpend: bigint;
  /** Fewest lamports to accept after the fee; take it from a quote. */
  readonly minSolToReceive: bigint;
  /** The trader's token account. Default: the associated one. */
  readonly userTokenAccount?: Address | undefined;
  /**
   * Closes the token account afterwards and returns its rent. Works only when everything is sold; otherwise it fails.
   */
  readonly closeTokenAccount?: boolean | undefined;
}

interface OnMarket {
  /** The result of `fetchMarket`. */
  readonly market: Market;
  /** Leaves the wallet's wrapped SOL account open after a trade with a pool. */
  readonly keepWrappedSol?: boolean | undefined;
}

/** Parameters of {@link buy} on any market. */
export interface MarketBuyParams extends Omit<BuyParams, 'mint' | 'pdaTokenNonce'>, OnMarket {}

/** Parameters of {@link sell} on any market. */
export interface MarketSellParams extends Omit<SellParams, 'mint' | 'pdaTokenNonce'>, OnMarket {}

/** Parameters of {@link adminSetProperties}. */
export interface AdminSetPropertiesParams extends CommonParams {
  /** The deployment's admin. */
  readonly admin: TransactionSigner;
  /** Virtual SOL reserve of new curves in lamports, above zero. */
  readonly initialVirtualSol: bigint;
  /** Virtual token reserve of new curves in smallest units: above the supply, below supply + graduation reserve. */
  readonly initialVirtualToken: bigint;
  /** Platform fee of every trade in basis points, at most 1,000. It takes effect immediately, for every curve. */
  readonly platformFeeBps: number;
}

/** Parameters of {@link migrate}. */
export interface MigrateParams extends TokenParams {
  /** The deployment's fee receiver. */
  readonly feeReceiver: TransactionSigner;
  /** The fee receiver's token account. Default: the associated one. */
  readonly feeTokenAccount?: Address | undefined;
  /** Creates the associated token account when it does not exist. On by default, unless `feeTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/** Parameters of {@link graduate}. */
export interface GraduateParams extends TokenParams {
  /** Any wallet. It lends the rent of three token accounts, which it gets back in the same instruction. */
  readonly payer: TransactionSigner;
}

/** Parameters of {@link sweepFees}. */
export interface SweepFeesParams extends CommonParams {
  /** The deployment's admin. */
  readonly admin: TransactionSigner;
}

/**
 * Creates a token: first the mint's account, then the token, then the creator's first buy if requested.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function createToken(params: CreateTokenParams): Promise<SignableInstruction[]> {
  return built(core.createToken, params, ['payer', 'mint']);
}

/**
 * Buys tokens with an exact amount of SOL, on a curve or on the live market.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 * @throws TradingMovedError for a market that does not trade
 */
export function buy(params: BuyParams | MarketBuyParams): Promise<SignableInstruction[]> {
  return built(core.buy, params, ['payer']);
}

/**
 * Sells an exact amount of tokens, on a curve or on the live market.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 * @throws TradingMovedError for a market that does not trade
 */
export function sell(params: SellParams | MarketSellParams): Promise<SignableInstruction[]> {
  return built(core.sell, params, ['payer']);
}

/**
 * Sets the launchpad's properties. The first call creates their account.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function adminSetProperties(params: AdminSetPropertiesParams): Promise<SignableInstruction[]> {
  return built(core.adminSetProperties, params, ['admin']);
}

/**
 * Moves the whole balance of a graduated curve, SOL and tokens, to the fee receiver.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function migrate(params: MigrateParams): Promise<SignableInstruction[]> {
  return built(core.migrate, params, ['feeReceiver']);
}

/**
 * Moves a sold-out curve to its pool. All of it succeeds or fails together.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds, or when the deployment's fee receiver is a key
 */
export function graduate(params: GraduateParams): Promise<SignableInstruction[]> {
  return built(core.graduate, params, ['payer']);
}

/** Moves the platform fees of a deployment that graduates by itself from its fee receiver to its treasury. */
export function sweepFees(params: SweepFeesParams): Promise<SignableInstruction[]> {
  return built(core.sweepFees, params, ['admin']);
}

type SignerName = 'payer' | 'mint' | 'admin' | 'feeReceiver';

/** Signers whose address the core takes from the deployment. */
const AUTHORITIES = ['admin', 'feeReceiver'] as const;

function built<Params>(
  build: (params: Params) => TransactionInstruction[],
  params: CommonParams & { readonly [Name in SignerName]?: Address | TransactionSigner },
  signerNames: readonly SignerName[],
): Promise<SignableInstruction[]> {
  return promised(() => {
    requireObject('params', params);
    const signers = signerNames.map((name) => params[name] as TransactionSigner);
    const keys: Record<string, unknown> = { ...params };
    for (const name of ['mint', 'userTokenAccount', 'feeTokenAccount'] as const)
      if (keys[name] !== undefined) keys[name] = keyOf(keys[name]);
    for (const name of ['deployment', 'market'] as const)
      if (keys[name] !== undefined) keys[name] = withKeys(keys[name]);
    for (const [index, name] of signerNames.entries()) keys[name] = signerKey(name, signers[index]);
    requireAuthorities(params, signerNames);
    return build(keys as Params).map((instruction) => kitInstruction(instruction, signers));
  });
}

function requireAuthorities(
  params: CommonParams & { readonly [Name in SignerName]?: Address | TransactionSigner },
  names: readonly SignerName[],
): void {
  const { deployment = DEFAULT_DEPLOYMENT } = params;
  for (const name of AUTHORITIES) {
    if (!names.includes(name)) continue;
    const { address } = params[name] as TransactionSigner;
    if (address !== deployment[name])
      throw new InvalidArgumentError(name, `is ${address}; the deployment's is ${deployment[name]}`);
  }
}
