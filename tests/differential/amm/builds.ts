// The AMM's binaries at hand. They are other people's, and not in the repository.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';

export interface AmmBuild {
  readonly name: string;
  readonly binary: Uint8Array;
  /** Whether it takes creator fees: builds before 2025-12 do not know them. */
  readonly creatorFees: boolean;
}

const WITHOUT_CREATOR_FEES: ReadonlySet<string> = new Set([
  '4ec452fc44ad608c638a08355b8f964c92109a646f63ab481f98ee5e90c00e7b',
]);
const CACHE = join(ROOT, '.cache');

/** Those in `.cache`, and the one that CURVEKIT_CPMM_SO names. */
export function ammBuilds(): readonly AmmBuild[] {
  const cached = existsSync(CACHE)
    ? readdirSync(CACHE).filter((name) => /^raydium_cp_swap.*\.so$/.test(name))
    : [];
  const named = process.env['CURVEKIT_CPMM_SO'] ?? '';
  const paths = [...cached.map((name) => join(CACHE, name)), ...(named === '' ? [] : [named])];
  const builds = paths.map((path): [hash: string, build: AmmBuild] => {
    const binary = readFileSync(path);
    const hash = createHash('sha256').update(binary).digest('hex');
    return [hash, { name: path.split('/').at(-1)!, binary, creatorFees: !WITHOUT_CREATOR_FEES.has(hash) }];
  });
  return [...new Map(builds).values()];
}
