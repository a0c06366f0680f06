// The authorities compiled into the program: each as an address, or as a keypair if the service signs with it.
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import type { ConfigProblem } from './errors.js';
import type { Settings } from './settings.js';

/** Addresses from the environment. An undefined one is the SDK deployment's. */
export interface Authorities {
  readonly admin: PublicKey | undefined;
  /** Undefined with GRADUATION_PROGRAM_ID: then it is a PDA of that program. */
  readonly feeReceiver: PublicKey | undefined;
  readonly dexOwner: PublicKey | undefined;
}

const NAMES = ['ADMIN', 'FEE_RECEIVER', 'DEX_OWNER'] as const;

export function authoritiesOf(env: Settings): Authorities {
  const of = (name: (typeof NAMES)[number]) => env[`${name}_ADDRESS`] ?? env[`${name}_KEYPAIR`]?.publicKey;
  return { admin: of('ADMIN'), feeReceiver: of('FEE_RECEIVER'), dexOwner: of('DEX_OWNER') };
}

/** Contradictions between variables, and missing authorities of a custom program. */
export function authorityProblems(env: Settings): ConfigProblem[] {
  return [
    ...NAMES.flatMap((name) => contradiction(env, name)),
    ...missing(env),
    ...missingTreasury(env),
    ...missingProgram(env),
    ...sharedKey(env),
  ];
}

/** After a restore, the payments of the treasury are told from those of the DEX owner by their signer. */
function sharedKey(env: Settings): ConfigProblem[] {
  const { TREASURY_KEYPAIR: treasury } = env;
  const { dexOwner } = authoritiesOf(env);
  if (treasury === undefined || dexOwner === undefined || !treasury.publicKey.equals(dexOwner)) return [];
  const problem = `is the key of ${dexOwner.toBase58()}, which is the DEX owner; use another key for the treasury`;
  return [{ variable: 'TREASURY_KEYPAIR', problem }];
}

function contradiction(env: Settings, name: (typeof NAMES)[number]): ConfigProblem[] {
  const address = env[`${name}_ADDRESS`];
  const key = env[`${name}_KEYPAIR`]?.publicKey;
  if (address === undefined || key === undefined || address.equals(key)) return [];
  const problem = `is ${address.toBase58()}, but ${name}_KEYPAIR is the key of ${key.toBase58()}; remove the wrong one`;
  return [{ variable: `${name}_ADDRESS`, problem }];
}

function missing(env: Settings): ConfigProblem[] {
  const { PROGRAM_ID: programId, GRADUATION_PROGRAM_ID: graduationProgram } = env;
  if (programId === undefined || programId.equals(DEFAULT_DEPLOYMENT.programId)) return [];
  const { admin, feeReceiver, dexOwner } = authoritiesOf(env);
  const absent: Record<(typeof NAMES)[number], boolean> = {
    ADMIN: admin === undefined,
    FEE_RECEIVER: feeReceiver === undefined && graduationProgram === undefined,
    DEX_OWNER: dexOwner === undefined,
  };
  return NAMES.filter((name) => absent[name]).map((name) => {
    const others = [`${name}_KEYPAIR`, ...(name === 'FEE_RECEIVER' ? ['GRADUATION_PROGRAM_ID'] : [])];
    const problem = `is missing: PROGRAM_ID is ${programId.toBase58()}, not the development program; set it to the address compiled into that program, or set ${others.join(' or ')}`;
    return { variable: `${name}_ADDRESS`, problem };
  });
}

/** Nobody has the key of an address off the curve, so there a graduation program takes the fees. */
function missingProgram(env: Settings): ConfigProblem[] {
  const { FEE_RECEIVER_ADDRESS: address, GRADUATION_PROGRAM_ID: programId } = env;
  const isKnown = address?.equals(DEFAULT_DEPLOYMENT.graduation.feeReceiver.address) === true;
  if (address === undefined || programId !== undefined || isKnown) return [];
  if (PublicKey.isOnCurve(address.toBytes())) return [];
  const problem = `is missing: FEE_RECEIVER_ADDRESS is ${address.toBase58()}, an address of a program, which no key signs for; set it to that program`;
  return [{ variable: 'GRADUATION_PROGRAM_ID', problem }];
}

function missingTreasury(env: Settings): ConfigProblem[] {
  const { GRADUATION_PROGRAM_ID: programId, GRADUATION_TREASURY: treasury } = env;
  const development = DEFAULT_DEPLOYMENT.graduation.programId;
  if (programId === undefined || treasury !== undefined || programId.equals(development)) return [];
  const problem = `is missing: GRADUATION_PROGRAM_ID is ${programId.toBase58()}, not the development program; set it to the address compiled into that program`;
  return [{ variable: 'GRADUATION_TREASURY', problem }];
}
