// Every address of a token. The functions are asynchronous, as Kit's own that derive addresses.
import type { Address } from '@solana/kit';
import * as core from '../../accounts/addresses.js';
import * as graduation from '../../graduation/addresses.js';
import { keyOf, promised, withAddresses } from '../convert.js';
import { coreDeployment, requireKitDeployment, type AddressWithBump, type Deployment } from './deployment.js';

/** Every address that belongs to one token. */
export interface TokenAddresses {
  /** The curve (`tokenOwnerPda`): holds TokenOwnerData and the SOL. Its bump is `pdaTokenNonce`. */
  readonly curve: AddressWithBump;
  /** The vault: the curve's associated token account. */
  readonly vault: AddressWithBump;
  /** Metaplex metadata of the mint. */
  readonly metadata: AddressWithBump;
  /** Community storage for wrapped SOL. */
  readonly communityWsolStorage: AddressWithBump;
  /** Community storage for the token itself. */
  readonly communityTokenStorage: AddressWithBump;
}

/** The curve of a mint (`tokenOwnerPda`): holds TokenOwnerData and the SOL. Its bump is `pdaTokenNonce`. */
export function curveAddress(mint: Address, deployment?: Deployment): Promise<AddressWithBump> {
  return found(() => core.curveAddress(keyOf(mint), coreDeployment(deployment)));
}

/** Every address of a token. */
export function tokenAddresses(mint: Address, deployment?: Deployment): Promise<TokenAddresses> {
  return found(() => core.tokenAddresses(keyOf(mint), coreDeployment(deployment)));
}

/** The associated token account of a wallet (or of a PDA) for a classic SPL mint. */
export function associatedTokenAddress(owner: Address, mint: Address): Promise<AddressWithBump> {
  return found(() => core.associatedTokenAddress(keyOf(owner), keyOf(mint)));
}

/**
 * The pool of a graduated token. Each token has one address, and only the graduation program can open the pool there.
 */
export function poolAddress(mint: Address, deployment?: Deployment): Promise<AddressWithBump> {
  return found(() => graduation.poolAddress(keyOf(mint), coreDeployment(deployment)));
}

/**
 * Whether the curves of a deployment graduate by themselves: then their fee receiver is the graduation program's PDA.
 */
export function graduatesByItself(deployment: Deployment): boolean {
  const { feeReceiver, graduation: pools } = requireKitDeployment(deployment);
  return feeReceiver === pools.feeReceiver.address;
}

function found<T>(derive: () => unknown): Promise<T> {
  return promised(() => withAddresses(derive()) as T);
}
