// Planted bugs: builds of the programs with a wrong constant, or that compare too few bytes, made in their machine code. The
// comparison with the reference must find each of the mutants, and the fuzzer each of the seeded bugs.
import {
  AMM,
  BASIS_POINTS,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  PROGRAM_ERRORS,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { readFileSync } from 'node:fs';
import type { PublicKey } from '@solana/web3.js';
import type { Files } from '../fuzz/batch.js';
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

const { admin, feeReceiver, logAuthority, programId, properties } = DEFAULT_DEPLOYMENT;

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

export interface Seeded extends Mutant {
  readonly of: 'curve' | 'graduation';
}

/** @throws Error when the code no longer has what a bug changes */
export function seededBugs({ curve, graduation }: Files): readonly Seeded[] {
  const binaries = { curve: readFileSync(curve), graduation: readFileSync(graduation) };
  const made = (
    what: string,
    of: Seeded['of'],
    change: (binary: Uint8Array) => Uint8Array | undefined,
  ): Seeded => {
    const binary = change(binaries[of]);
    if (binary === undefined) throw new Error(`${what}: the ${of} program has no such code`);
    return { what, of, binary };
  };
  const whole = BigInt(BASIS_POINTS);
  const { config } = AMM.addresses(AMM.programId, programId);
  const ofAdmin = wordsOf(admin)[0]!;
  return [
    made('a fee of the wrong whole', 'curve', (code) => replacing(code, whole, whole + 1n)),
    made('another graduation reserve', 'curve', (code) =>
      replacing(code, GRADUATION_VIRTUAL_TOKEN, GRADUATION_VIRTUAL_TOKEN + 1n),
    ),
    made('the wrong fee receiver accepted', 'curve', (code) => assumingEqual(code, wordsOf(feeReceiver))),
    made('another supply', 'curve', (code) => replacing(code, TOKEN_SUPPLY, TOKEN_SUPPLY + 1n)),
    made('settings of another admin', 'curve', (code) => replacing(code, ofAdmin, ofAdmin + 1n)),
    made('any configuration of the AMM accepted', 'graduation', (code) =>
      assumingEqual(code, wordsOf(config)),
    ),
    made('a share of the wrong whole', 'graduation', (code) => replacing(code, whole, whole + 1n)),
    made('anybody sweeps', 'graduation', (code) => assumingEqual(code, wordsOf(admin))),
  ];
}

function wordsOf(address: PublicKey): bigint[] {
  const bytes = address.toBuffer();
  return [0, 8, 16, 24].map((at) => bytes.readBigUInt64LE(at));
}
