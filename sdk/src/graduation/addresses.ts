// Addresses of the graduation program, per deployment and per token.
import {
  DEFAULT_DEPLOYMENT,
  deriveAddress,
  requireDeployment,
  type AddressWithBump,
  type Deployment,
} from '../accounts/deployment.js';
import type { PublicKey } from '../chain/types.js';
import { keyBytes } from '../checks/keys.js';
import { POOL_SEED, TOKENS_SEED, WRAPPED_SOL_SEED } from '../generated/graduation/program.js';

/**
 * Whether the curves of a deployment graduate by themselves: then their fee receiver is the graduation program's PDA.
 * When it is a key, the holder of that key migrates the curves and opens the pools.
 */
export function graduatesByItself(deployment: Deployment): boolean {
  const { feeReceiver, graduation } = requireDeployment(deployment);
  return feeReceiver.equals(graduation.feeReceiver.address);
}

/**
 * The pool of a graduated token. Each token has one address, and only the graduation program can open the pool there.
 */
export function poolAddress(mint: PublicKey, deployment: Deployment = DEFAULT_DEPLOYMENT): AddressWithBump {
  return derived(POOL_SEED, mint, deployment);
}

/** The token account that holds a migration's tokens while `graduate` runs. */
export function migrationTokensAddress(
  mint: PublicKey,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): AddressWithBump {
  return derived(TOKENS_SEED, mint, deployment);
}

/** The token account that holds the pool's SOL, wrapped, while `graduate` runs. */
export function migrationWrappedSolAddress(
  mint: PublicKey,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): AddressWithBump {
  return derived(WRAPPED_SOL_SEED, mint, deployment);
}

function derived(seed: Uint8Array, mint: PublicKey, deployment: Deployment): AddressWithBump {
  const { graduation } = requireDeployment(deployment);
  return deriveAddress([seed, keyBytes('mint', mint)], graduation.programId);
}
