// Mutants of the program: one has a wrong constant, another compares too few bytes. The comparison with the oracle must
// find each of them.
import {
  BASIS_POINTS,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  PROGRAM_ERRORS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import { assumingEqual, replacing, shortenedHashComparisons } from './machine-code.js';

/** The constants to change. */
const CONSTANTS: readonly (readonly [what: string, constant: bigint])[] = [
  ...[102, 2000, 2012, 2014, 2015, 2040, 3001, 3002, 3005, 3007, 3008, 3010, 3012, 4100].map(
    (code) => [`Anchor's error ${code}`, BigInt(code)] as const,
  ),
  ...Object.keys(PROGRAM_ERRORS).map((code) => [`its error ${code}`, BigInt(code)] as const),
  ['the basis points of a whole', BigInt(BASIS_POINTS)],
  ['the graduation reserve', GRADUATION_VIRTUAL_TOKEN],
];

export interface Mutant {
  readonly what: string;
  readonly binary: Uint8Array;
}

const { feeReceiver, logAuthority, programId, properties } = DEFAULT_DEPLOYMENT;

/** Addresses that the program compares with constants. */
const ADDRESSES: readonly (readonly [what: string, address: PublicKey])[] = [
  ['the fee receiver', feeReceiver],
  ['the settings', properties.address],
  ['the log authority', logAuthority.address],
  ['the token program', TOKEN_PROGRAM_ADDRESS],
  ['this program', programId],
];

/** Bits of the two rent thresholds in the program, which are floats. */
const ONE = 0x3ff0_0000_0000_0000n;
const TWO = 0x4000_0000_0000_0000n;

/** The mutants for which the compiled code contains something to change. */
export function mutantsOf(binary: Uint8Array): readonly Mutant[] {
  const mutants: (readonly [what: string, mutant: Uint8Array | undefined])[] = [
    ...CONSTANTS.map(
      ([what, constant]) =>
        [`${what}, which is one more`, replacing(binary, constant, constant + 1n)] as const,
    ),
    ...ADDRESSES.map(
      ([what, address]) =>
        [
          `the address of ${what}, of which it looks at 8 bytes`,
          assumingEqual(binary, wordsOf(address).slice(1)),
        ] as const,
    ),
    [
      'the address of the settings, at which it does not look',
      assumingEqual(binary, wordsOf(properties.address)),
    ],
    ...shortenedHashComparisons(binary).map(
      (mutant, index) =>
        [`the curve's or vault's address ${index}, of which it looks at 8 bytes`, mutant] as const,
    ),
    ["the rent's factor of 2, which it takes for 1", replacing(binary, ONE, TWO)],
    [
      'the invariant of a migrated curve, which always holds',
      assumingEqual(binary, [GRADUATION_VIRTUAL_TOKEN]),
    ],
  ];
  return mutants.flatMap(([what, mutant]) => (mutant === undefined ? [] : [{ what, binary: mutant }]));
}

function wordsOf(address: PublicKey): bigint[] {
  const bytes = address.toBuffer();
  return [0, 8, 16, 24].map((at) => bytes.readBigUInt64LE(at));
}
