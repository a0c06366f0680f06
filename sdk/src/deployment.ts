import { PublicKey } from '@solana/web3.js';
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
}

/** The build this package was generated from. Its authorities are development keys unless you built your own. */
export const DEFAULT_DEPLOYMENT: Deployment = /* @__PURE__ */ Object.freeze({
  programId: PROGRAM_ADDRESS,
  admin: ADMIN,
  feeReceiver: FEE_RECEIVER,
  dexOwner: DEX_OWNER,
  properties: { address: PROPERTIES_ADDRESS, bump: PROPERTIES_BUMP },
  logAuthority: { address: LOGGING_AUTHORITY_ADDRESS, bump: LOGGING_AUTHORITY_BUMP },
});

/**
 * Describes another build. Make it once and pass it to every call: the two global addresses are derived here.
 * What is left out is as in the default deployment.
 *
 * @throws InvalidArgumentError for an authority or program id that is not a key
 */
export function createDeployment(
  overrides: Partial<Pick<Deployment, 'programId' | 'admin' | 'feeReceiver' | 'dexOwner'>>,
): Deployment {
  const { programId, admin, feeReceiver, dexOwner } = { ...DEFAULT_DEPLOYMENT, ...overrides };
  requireAccountKey('programId', programId);
  return Object.freeze({
    programId,
    admin: requireAccountKey('admin', admin),
    feeReceiver: requireAccountKey('feeReceiver', feeReceiver),
    dexOwner: requireAccountKey('dexOwner', dexOwner),
    properties: deriveAddress([SETTINGS_SEED], programId),
    logAuthority: deriveAddress([LOGGING_AUTHORITY_SEED], programId),
  });
}

/** The canonical program-derived address of some seeds. */
export function deriveAddress(seeds: Uint8Array[], programId: PublicKey): AddressWithBump {
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, programId);
  return { address, bump };
}
