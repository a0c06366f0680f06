import type { PublicKey } from '../chain/types.js';
import { keyBytes, requireAccountKey } from '../checks/keys.js';
import {
  COMMUNITY_TOKEN_SEED,
  COMMUNITY_WSOL_SEED,
  TOKEN_METADATA_PROGRAM_ADDRESS,
} from '../generated/program.js';
import { encodeUtf8 } from '../platform/utf8.js';
import { accountOf, curveOf } from './of-key.js';
import { DEFAULT_DEPLOYMENT, deriveAddress, type AddressWithBump, type Deployment } from './deployment.js';

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
export function curveAddress(mint: PublicKey, deployment: Deployment = DEFAULT_DEPLOYMENT): AddressWithBump {
  return curveOf(requireAccountKey('mint', mint), deployment);
}

/** The vault of a mint: the associated token account of its curve. */
export function vaultAddress(mint: PublicKey, deployment: Deployment = DEFAULT_DEPLOYMENT): AddressWithBump {
  return associatedTokenAddress(curveAddress(mint, deployment).address, mint);
}

/** The community storage for a token's wrapped SOL. */
export function communityWsolStorageAddress(
  mint: PublicKey,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): AddressWithBump {
  return deriveAddress([COMMUNITY_WSOL_SEED, keyBytes('mint', mint)], deployment.programId);
}

/** The community storage for the token itself. */
export function communityTokenStorageAddress(
  mint: PublicKey,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): AddressWithBump {
  return deriveAddress([COMMUNITY_TOKEN_SEED, keyBytes('mint', mint)], deployment.programId);
}

/** The associated token account of a wallet (or of a PDA) for a classic SPL mint. */
export function associatedTokenAddress(owner: PublicKey, mint: PublicKey): AddressWithBump {
  return accountOf(requireAccountKey('owner', owner), requireAccountKey('mint', mint));
}

/** The Metaplex metadata account of a mint. */
export function metadataAddress(mint: PublicKey): AddressWithBump {
  const prefix = encodeUtf8('metadata');
  return deriveAddress(
    [prefix, TOKEN_METADATA_PROGRAM_ADDRESS.toBytes(), keyBytes('mint', mint)],
    TOKEN_METADATA_PROGRAM_ADDRESS,
  );
}

/** Every address of a token. Derives the curve only once. */
export function tokenAddresses(mint: PublicKey, deployment: Deployment = DEFAULT_DEPLOYMENT): TokenAddresses {
  const curve = curveAddress(mint, deployment);
  return {
    curve,
    vault: associatedTokenAddress(curve.address, mint),
    metadata: metadataAddress(mint),
    communityWsolStorage: communityWsolStorageAddress(mint, deployment),
    communityTokenStorage: communityTokenStorageAddress(mint, deployment),
  };
}
