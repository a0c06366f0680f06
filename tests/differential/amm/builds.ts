// The AMM's binaries at hand: those of others, which are not in the repository, and the stand-in for them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';
import { buildStandIn } from '#tests/program/amm-stand-in.js';

export interface AmmBuild {
  readonly name: string;
  /** Whether it takes creator fees: builds before 2025-12 do not know them. */
  readonly creatorFees: boolean;
  /** Compiles it first, if it is the stand-in. */
  readonly binary: () => Uint8Array;
}

export const STAND_IN: AmmBuild = {
  name: 'the stand-in',
  creatorFees: true,
  binary: () => readFileSync(buildStandIn((line) => console.error(`      ${line}`))),
};

const WITHOUT_CREATOR_FEES: ReadonlySet<string> = new Set([
  '4ec452fc44ad608c638a08355b8f964c92109a646f63ab481f98ee5e90c00e7b',
]);
const CACHE = join(ROOT, '.cache');

/** Those in `.cache`, and the one that CURVEKIT_CPMM_SO names. */
export function foreignBuilds(): readonly AmmBuild[] {
  const cached = existsSync(CACHE)
    ? readdirSync(CACHE).filter((name) => /^raydium_cp_swap.*\.so$/.test(name))
    : [];
  const named = process.env['CURVEKIT_CPMM_SO'] ?? '';
  const paths = [...cached.map((name) => join(CACHE, name)), ...(named === '' ? [] : [named])];
  const builds = paths.map((path): [hash: string, build: AmmBuild] => {
    const binary = readFileSync(path);
    const hash = createHash('sha256').update(binary).digest('hex');
    const creatorFees = !WITHOUT_CREATOR_FEES.has(hash);
    return [hash, { name: path.split('/').at(-1)!, creatorFees, binary: () => binary }];
  });
  return [...new Map(builds).values()];
}
