import { PublicKey } from '../chain/keys.js';
import { keyFrom, requireAccountKey } from '../checks/keys.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import {
  FEE_RECEIVER as GRADUATION_FEE_RECEIVER,
  FEE_RECEIVER_BUMP,
  FEE_RECEIVER_SEED,
  POOL_CREATOR,
  POOL_CREATOR_BUMP,
  POOL_CREATOR_SEED,
  PROGRAM_ADDRESS as GRADUATION_PROGRAM_ADDRESS,
  TREASURY,
} from '../generated/graduation/program.js';
import {
  ADMIN,
  DEX_OWNER,
  FEE_RECEIVER,
  LOGGING_AUTHORITY_ADDRESS,
  LOGGING_AUTHORITY_BUMP,
  LOGGING_AUTHORITY_SEED,
  PROGRAM_ADDRESS,
  PROPERTIES_ADDRESS,
  PROPERTIES_BUMP,
  SETTINGS_SEED,
} from '../generated/program.js';

/** A program-derived address and its canonical bump. */
export interface AddressWithBump {
  readonly address: PublicKey;
  readonly bump: number;
}

/** One deployed build of the graduation program. */
export interface GraduationDeployment {
  readonly programId: PublicKey;
  /** Receives the platform fees when the bonding curve graduates by itself. */
  readonly feeReceiver: AddressWithBump;
  /** The PDA that opens pools. It holds nothing outside an instruction. */
  readonly poolCreator: AddressWithBump;
  /** The only address to which the fees can be swept. */
  readonly treasury: PublicKey;
}

/** One deployed build of the program: its address, its three compiled-in authorities and its two global PDAs. */
export interface Deployment {
  readonly programId: PublicKey;
  /** The only key that may change the properties. */
  readonly admin: PublicKey;
  /** Receives the platform fees, and the assets of a migrated curve. */
  readonly feeReceiver: PublicKey;
  /** Owns the community storages. */
  readonly dexOwner: PublicKey;
  /** The settings account. */
  readonly properties: AddressWithBump;
  /** The PDA that signs log records. */
  readonly logAuthority: AddressWithBump;
  /** The graduation program. It is used only when `feeReceiver` is its PDA: see `graduatesByItself`. */
  readonly graduation: GraduationDeployment;
}

/**
 * The build that this package was generated from. Its fee receiver is a PDA of the graduation program, so sold-out
 * curves graduate into pools by themselves. Its other authorities are development keys unless you built your own.
 */
export const DEFAULT_DEPLOYMENT: Deployment = /* @__PURE__ */ Object.freeze({
  programId: PROGRAM_ADDRESS,
  admin: ADMIN,
  feeReceiver: FEE_RECEIVER,
  dexOwner: DEX_OWNER,
  properties: { address: PROPERTIES_ADDRESS, bump: PROPERTIES_BUMP },
  logAuthority: { address: LOGGING_AUTHORITY_ADDRESS, bump: LOGGING_AUTHORITY_BUMP },
  graduation: /* @__PURE__ */ Object.freeze({
    programId: GRADUATION_PROGRAM_ADDRESS,
    feeReceiver: { address: GRADUATION_FEE_RECEIVER, bump: FEE_RECEIVER_BUMP },
    poolCreator: { address: POOL_CREATOR, bump: POOL_CREATOR_BUMP },
    treasury: TREASURY,
  }),
});

/** The same program in the build whose fee receiver is a development key. The key's holder migrates sold-out curves. */
// Bundlers do not treat a spread as pure. They can drop the call of a function that is marked pure.
export const KEY_HELD_DEPLOYMENT: Deployment = /* @__PURE__ */ (() =>
  Object.freeze({ ...DEFAULT_DEPLOYMENT, feeReceiver: TREASURY }))();

/** The values in which another build can differ: keys, or their text in base58 as a service publishes them. */
export interface DeploymentOverrides extends Texts<
  Pick<Deployment, 'programId' | 'admin' | 'feeReceiver' | 'dexOwner'>
> {
  readonly graduation?: Texts<Pick<GraduationDeployment, 'programId' | 'treasury'>>;
}

type Texts<T> = { readonly [Name in keyof T]?: T[Name] | string };

/** A whole deployment can be spread. Its derived addresses are derived again. */
const OVERRIDES = {
  programId: true,
  admin: true,
  feeReceiver: true,
  dexOwner: true,
  properties: true,
  logAuthority: true,
  graduation: true,
} as const satisfies OptionNames<Deployment>;
const GRADUATION_OVERRIDES = {
  programId: true,
  feeReceiver: true,
  poolCreator: true,
  treasury: true,
} as const satisfies OptionNames<GraduationDeployment>;

/**
 * Describes another build. It derives the global addresses, so call it once and pass the result to every call. It takes
 * the `deployment` of a service's `GET /v1/launchpad` as it is. A build at another program id has its own authorities: with `programId` you must also pass `admin`, `feeReceiver` and
 * `dexOwner`, and with `graduation.programId` also `graduation.treasury`. Other values default to the default
 * deployment's.
 *
 * @throws InvalidArgumentError for an authority or program id that is not a key, and for a program id without its
 *   authorities
 */
export function createDeployment(overrides: DeploymentOverrides): Deployment {
  requireKnown('overrides', overrides, OVERRIDES);
  if (overrides.graduation !== undefined)
    requireKnown('graduation', overrides.graduation, GRADUATION_OVERRIDES);
  const given = keysOf('', overrides, ['programId', 'admin', 'feeReceiver', 'dexOwner']);
  const pools = keysOf('graduation.', overrides.graduation ?? {}, ['programId', 'treasury']);
  requireWith('', given, ['admin', 'feeReceiver', 'dexOwner'], DEFAULT_DEPLOYMENT.programId);
  requireWith('graduation.', pools, ['treasury'], DEFAULT_DEPLOYMENT.graduation.programId);
  const { programId, admin, feeReceiver, dexOwner } = { ...DEFAULT_DEPLOYMENT, ...given };
  const graduation = { ...DEFAULT_DEPLOYMENT.graduation, ...pools };
  return Object.freeze({
    programId,
    admin,
    feeReceiver,
    dexOwner,
    properties: deriveAddress([SETTINGS_SEED], programId),
    logAuthority: deriveAddress([LOGGING_AUTHORITY_SEED], programId),
    graduation: Object.freeze({
      programId: graduation.programId,
      feeReceiver: deriveAddress([FEE_RECEIVER_SEED], graduation.programId),
      poolCreator: deriveAddress([POOL_CREATOR_SEED], graduation.programId),
      treasury: graduation.treasury,
    }),
  });
}

/** The given keys of these names. @throws InvalidArgumentError for a value that is not a key */
function keysOf<Name extends string>(
  path: string,
  given: { readonly [Key in Name]?: PublicKey | string },
  names: readonly Name[],
): { readonly [Key in Name]?: PublicKey } {
  const keys: { [Key in Name]?: PublicKey } = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) keys[name] = requireAccountKey(path + name, keyFrom(path + name, value));
  }
  return keys;
}

/** With the development keys, trades in another build would fail, or pay its fees to a key that everybody has. */
function requireWith<Name extends string>(
  path: string,
  given: { readonly programId?: PublicKey } & { readonly [Key in Name]?: PublicKey },
  authorities: readonly Name[],
  developmentId: PublicKey,
): void {
  const { programId = developmentId } = given;
  if (programId.equals(developmentId)) return;
  const missing = authorities.filter((name) => given[name] === undefined).map((name) => path + name);
  if (missing.length === 0) return;
  throw new InvalidArgumentError(
    `${path}programId`,
    `is ${programId.toBase58()}, not the development program, so its authorities are not the development keys; pass ${missing.join(', ')} as compiled into it`,
  );
}

/** @throws InvalidArgumentError for a value that is not a deployment */
export function requireDeployment(deployment: Deployment): Deployment {
  const { programId, properties, logAuthority, graduation } = Object(deployment) as Partial<Deployment>;
  if ([programId, properties, logAuthority, graduation].every((part) => part !== undefined))
    return deployment;
  throw new InvalidArgumentError('deployment', 'is not a deployment; pass what createDeployment returns');
}

/** Derives the canonical program-derived address of the seeds. */
export function deriveAddress(seeds: Uint8Array[], programId: PublicKey): AddressWithBump {
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, programId);
  return { address, bump };
}
