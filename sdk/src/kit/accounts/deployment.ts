import type { Address } from '@solana/kit';
import {
  createDeployment as createCoreDeployment,
  requireDeployment,
  DEFAULT_DEPLOYMENT as CORE_DEFAULT,
  KEY_HELD_DEPLOYMENT as CORE_KEY_HELD,
  type Deployment as CoreDeployment,
} from '../../accounts/deployment.js';
import { promised, withAddresses, withKeys } from '../convert.js';

/** A program-derived address and its canonical bump. */
export interface AddressWithBump {
  readonly address: Address;
  readonly bump: number;
}

/** One deployed build of the graduation program. */
export interface GraduationDeployment {
  readonly programId: Address;
  /** Receives the platform fees when the bonding curve graduates by itself. */
  readonly feeReceiver: AddressWithBump;
  /** The PDA that opens pools. It holds nothing outside an instruction. */
  readonly poolCreator: AddressWithBump;
  /** The only address to which the fees can be swept. */
  readonly treasury: Address;
}

/** One deployed build of the program: its address, its three compiled-in authorities and its two global PDAs. */
export interface Deployment {
  readonly programId: Address;
  /** The only key that may change the properties. */
  readonly admin: Address;
  /** Receives the platform fees, and the assets of a migrated curve. */
  readonly feeReceiver: Address;
  /** Owns the community storages. */
  readonly dexOwner: Address;
  /** The settings account. */
  readonly properties: AddressWithBump;
  /** The PDA that signs log records. */
  readonly logAuthority: AddressWithBump;
  readonly graduation: GraduationDeployment;
}

/** The values in which another build can differ: addresses, also as the plain text that a service publishes. */
export interface DeploymentOverrides extends Texts<
  Pick<Deployment, 'programId' | 'admin' | 'feeReceiver' | 'dexOwner'>
> {
  readonly graduation?: Texts<Pick<GraduationDeployment, 'programId' | 'treasury'>>;
}

type Texts<T> = { readonly [Name in keyof T]?: string };

/**
 * The build that this package was generated from. Its fee receiver is a PDA of the graduation program, so sold-out
 * curves graduate into pools by themselves. Its other authorities are development keys unless you built your own.
 */
export const DEFAULT_DEPLOYMENT = /* @__PURE__ */ withAddresses(CORE_DEFAULT) as Deployment;

/** The same program in the build whose fee receiver is a development key. The key's holder migrates sold-out curves. */
export const KEY_HELD_DEPLOYMENT = /* @__PURE__ */ withAddresses(CORE_KEY_HELD) as Deployment;

/**
 * Describes another build. It derives the global addresses, so call it once and pass the result to every call.
 *
 * @throws InvalidArgumentError for an authority or program id that is not an address, and for a program id without its
 *   authorities
 */
export function createDeployment(overrides: DeploymentOverrides): Promise<Deployment> {
  return promised(() => {
    const keys = withKeys(overrides) as Parameters<typeof createCoreDeployment>[0];
    return withAddresses(createCoreDeployment(keys)) as Deployment;
  });
}

/** @throws InvalidArgumentError for a value that is not a deployment */
export function requireKitDeployment(deployment: Deployment): Deployment {
  requireDeployment(deployment as unknown as CoreDeployment);
  return deployment;
}

/**
 * Converts an optional deployment for the core.
 *
 * @throws InvalidArgumentError for a value that is not a deployment, such as the promise of one
 */
export function coreDeployment(deployment: Deployment | undefined): CoreDeployment | undefined {
  return deployment && (withKeys(requireKitDeployment(deployment)) as CoreDeployment);
}
