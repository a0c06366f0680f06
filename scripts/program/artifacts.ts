/** The files in programs/artifacts/ and their sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { CURVE_ACCOUNTS, GRADUATION_ACCOUNTS, type KnownAccounts } from './idl/seeds.js';
import { PROGRAM_IDL, PROGRAM_SO, ROOT } from './paths.js';

const CURVE = join('programs', 'bonding-curve');
const GRADUATION = join('programs', 'graduation');
const AMM_STAND_IN = join('programs', 'amm-stand-in');

export interface ProgramArtifact {
  readonly file: string;
  /** Folder of the crate. */
  readonly crate: string;
  /** File name that the compiler writes. */
  readonly built: string;
  /** Addresses other than the development keys, by environment variable. */
  readonly env?: Readonly<Record<string, string>>;
  /** Maximum size, because the rent of a deployed program depends on it. */
  readonly mostBytes: number;
}

/** The bonding curve, the same with a key as fee receiver, the graduation program, and the stand-in for the AMM. */
export const PROGRAMS: readonly ProgramArtifact[] = [
  { file: PROGRAM_SO, crate: CURVE, built: 'bonding_curve.so', mostBytes: 275_000 },
  {
    file: 'bonding_curve_key_held.so',
    crate: CURVE,
    built: 'bonding_curve.so',
    env: { CURVE_FEE_RECEIVER: feeReceiverKey().toBase58() },
    mostBytes: 275_000,
  },
  { file: 'graduation.so', crate: GRADUATION, built: 'graduation.so', mostBytes: 150_000 },
  // Never deployed for real, so its size is free.
  { file: 'amm_stand_in.so', crate: AMM_STAND_IN, built: 'amm_stand_in.so', mostBytes: 800_000 },
];

export interface IdlArtifact {
  readonly file: string;
  readonly crate: string;
  /** The development program's keypair, and the file name that Anchor's command line needs. */
  readonly key: string;
  readonly deployedKey: string;
  readonly accounts: KnownAccounts;
  /** Earlier IDLs in the list, whose constants are seeds of its accounts. */
  readonly seedsFrom: readonly string[];
}

export const IDLS: readonly IdlArtifact[] = [
  {
    file: PROGRAM_IDL,
    crate: CURVE,
    key: localKey('program'),
    deployedKey: 'bonding_curve-keypair.json',
    accounts: CURVE_ACCOUNTS,
    seedsFrom: [],
  },
  {
    file: 'graduation.json',
    crate: GRADUATION,
    key: localKey('graduation'),
    deployedKey: 'graduation-keypair.json',
    accounts: GRADUATION_ACCOUNTS,
    seedsFrom: [PROGRAM_IDL],
  },
];

export const ARTIFACT_FILES: readonly string[] = [...PROGRAMS, ...IDLS].map(({ file }) => file);

/** The fee receiver of the key-held build. */
function feeReceiverKey(): PublicKey {
  const secret = JSON.parse(readFileSync(localKey('fee-receiver'), 'utf8')) as number[];
  return Keypair.fromSecretKey(Uint8Array.from(secret)).publicKey;
}

function localKey(name: string): string {
  return join(ROOT, 'programs', 'keys', 'localnet', `${name}.json`);
}
