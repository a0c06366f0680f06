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
  /** Receives the platform fees of a build of the bonding curve that graduates by itself. */
  readonly feeReceiver: AddressWithBump;
  /** Opens pools; holds nothing between two instructions. */
  readonly poolCreator: AddressWithBump;
  /** The only address that the fees can be swept to. */
  readonly treasury: PublicKey;
}

/** One deployed build of the program: its address, the three authorities compiled into it, its two global PDAs. */
export interface Deployment {
  readonly programId: PublicKey;
  /** The only key that may change the properties. */
  readonly admin: PublicKey;
  /** Receives the platform fee, and what a migrated curve held. */
  readonly feeReceiver: PublicKey;
  /** Owns the community storages. */
  readonly dexOwner: PublicKey;
  /** The settings account. */
  readonly properties: AddressWithBump;
  /** The PDA that signs log records. */
  readonly logAuthority: AddressWithBump;
  /** The graduation program. It has a part to play only where `feeReceiver` is its PDA: see `graduatesByItself`. */
  readonly graduation: GraduationDeployment;
}

/** The build this package was generated from. Its authorities are development keys unless you built your own. */
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

/** The same program in the build whose fee receiver is the graduation program's PDA. */
// A spread is no pure expression to a bundler; the result of a function that is called for it may be.
export const GRADUATING_DEPLOYMENT: Deployment = /* @__PURE__ */ (() =>
  Object.freeze({ ...DEFAULT_DEPLOYMENT, feeReceiver: GRADUATION_FEE_RECEIVER }))();

/** What another build differs in. */
export interface DeploymentOverrides extends Partial<
  Pick<Deployment, 'programId' | 'admin' | 'feeReceiver' | 'dexOwner'>
> {
  readonly graduation?: Partial<Pick<GraduationDeployment, 'programId' | 'treasury'>>;
}

/**
 * Describes another build. Make it once and pass it to every call: the global addresses are derived here.
 * A build at another program id has authorities of its own, so `admin`, `feeReceiver` and `dexOwner` must come with that id, and
 * `graduation.treasury` with another `graduation.programId`. What else is left out is as in the default deployment.
 *
 * @throws InvalidArgumentError for an authority or program id that is not a key, and for a program id without its authorities
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

/** Trades with the development keys in another build would fail, or pay its fees to a key that everybody has. */
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

/** The canonical program-derived address of some seeds. */
export function deriveAddress(seeds: Uint8Array[], programId: PublicKey): AddressWithBump {
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, programId);
  return { address, bump };
}
