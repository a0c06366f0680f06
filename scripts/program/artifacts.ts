/** The files in artifacts/ and their sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import { CURVE_ACCOUNTS, GRADUATION_ACCOUNTS, type KnownAccounts } from './idl/seeds.js';
import { PROGRAM_IDL, PROGRAM_SO, ROOT } from './paths.js';

const CURVE = join('programs', 'bonding-curve');
const GRADUATION = join('programs', 'graduation');

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

/** The bonding curve, the same with the graduation program's PDA as fee receiver, and the graduation program. */
export const PROGRAMS: readonly ProgramArtifact[] = [
  { file: PROGRAM_SO, crate: CURVE, built: 'bonding_curve.so', mostBytes: 275_000 },
  {
    file: 'bonding_curve_graduating.so',
    crate: CURVE,
    built: 'bonding_curve.so',
    env: { CURVE_FEE_RECEIVER: graduationFeeReceiver().toBase58() },
    mostBytes: 275_000,
  },
  { file: 'graduation.so', crate: GRADUATION, built: 'graduation.so', mostBytes: 150_000 },
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

/** The fee receiver for the graduating build: a PDA of the graduation program. */
function graduationFeeReceiver(): PublicKey {
  const secret = JSON.parse(readFileSync(localKey('graduation'), 'utf8')) as number[];
  const { publicKey } = Keypair.fromSecretKey(Uint8Array.from(secret));
  return PublicKey.findProgramAddressSync([Buffer.from('fee_receiver')], publicKey)[0];
}

function localKey(name: string): string {
  return join(ROOT, 'keys', 'localnet', `${name}.json`);
}
