// Planted bugs: builds of the programs with a wrong constant, or without a comparison, made in their machine code. The fuzzer must
// find each of them, and the comparison with the reference each of the curve's. `npm run mutants` alters the sources in every place.
import { AMM, BASIS_POINTS, DEFAULT_DEPLOYMENT, GRADUATION_VIRTUAL_TOKEN, TOKEN_SUPPLY } from '@curvekit/sdk';
import { readFileSync } from 'node:fs';
import type { PublicKey } from '@solana/web3.js';
import type { Files } from '../fuzz/batch.js';
import { assumingEqual, replacing } from './machine-code.js';

const { admin, feeReceiver, programId } = DEFAULT_DEPLOYMENT;

export interface Seeded {
  readonly what: string;
  readonly of: 'curve' | 'graduation';
  readonly binary: Uint8Array;
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
