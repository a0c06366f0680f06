import { PublicKey } from './chain.js';
import { InvalidArgumentError } from './errors.js';
import {
  FEE_RECEIVER as GRADUATION_FEE_RECEIVER,
  FEE_RECEIVER_BUMP,
  FEE_RECEIVER_SEED,
  POOL_CREATOR,
  POOL_CREATOR_BUMP,
  POOL_CREATOR_SEED,
  PROGRAM_ADDRESS as GRADUATION_PROGRAM_ADDRESS,
  TREASURY,
} from './generated/graduation/program.js';
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
} from './generated/program.js';
import { requireAccountKey } from './validation.js';

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

/** The values in which another build can differ. */
export interface DeploymentOverrides extends Partial<
  Pick<Deployment, 'programId' | 'admin' | 'feeReceiver' | 'dexOwner'>
> {
  readonly graduation?: Partial<Pick<GraduationDeployment, 'programId' | 'treasury'>>;
}

/**
 * Describes another build. It derives the global addresses, so call it once and pass the result to every call. A build
 * at another program id has its own authorities: with `programId` you must also pass `admin`, `feeReceiver` and
 * `dexOwner`, and with `graduation.programId` also `graduation.treasury`. Other values default to the default
 * deployment's.
 *
 * @throws InvalidArgumentError for an authority or program id that is not a key, and for a program id without its
 *   authorities
 */
export function createDeployment(overrides: DeploymentOverrides): Deployment {
  requireOwnAuthorities(overrides);
  const { programId, admin, feeReceiver, dexOwner } = { ...DEFAULT_DEPLOYMENT, ...overrides };
  const graduation = { ...DEFAULT_DEPLOYMENT.graduation, ...overrides.graduation };
  return Object.freeze({
    programId,
    admin: requireAccountKey('admin', admin),
    feeReceiver: requireAccountKey('feeReceiver', feeReceiver),
    dexOwner: requireAccountKey('dexOwner', dexOwner),
    properties: deriveAddress([SETTINGS_SEED], programId),
    logAuthority: deriveAddress([LOGGING_AUTHORITY_SEED], programId),
    graduation: Object.freeze({
      programId: graduation.programId,
      feeReceiver: deriveAddress([FEE_RECEIVER_SEED], graduation.programId),
      poolCreator: deriveAddress([POOL_CREATOR_SEED], graduation.programId),
      treasury: requireAccountKey('graduation.treasury', graduation.treasury),
    }),
  });
}

/** With the development keys, trades in another build would fail, or pay its fees to a key that everybody has. */
function requireOwnAuthorities({ graduation = {}, ...curve }: DeploymentOverrides): void {
  requireWith('', curve, ['admin', 'feeReceiver', 'dexOwner'], DEFAULT_DEPLOYMENT.programId);
  requireWith('graduation.', graduation, ['treasury'], DEFAULT_DEPLOYMENT.graduation.programId);
}

function requireWith<Name extends string>(
  path: string,
  given: { readonly programId?: PublicKey } & { readonly [Key in Name]?: PublicKey },
  authorities: readonly Name[],
  developmentId: PublicKey,
): void {
  const { programId = developmentId } = given;
  if (requireAccountKey(`${path}programId`, programId).equals(developmentId)) return;
  const missing = authorities.filter((name) => given[name] === undefined).map((name) => path + name);
  if (missing.length === 0) return;
  throw new InvalidArgumentError(
    `${path}programId`,
    `is ${programId.toBase58()}, not the development program, so its authorities are not the development keys; pass ${missing.join(', ')} as compiled into it`,
  );
}

/** Derives the canonical program-derived address of the seeds. */
export function deriveAddress(seeds: Uint8Array[], programId: PublicKey): AddressWithBump {
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, programId);
  return { address, bump };
}
