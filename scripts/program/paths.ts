import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export const ARTIFACTS = join(ROOT, 'programs', 'artifacts');
export const PROGRAM_SO = 'bonding_curve.so';
export const PROGRAM_IDL = 'bonding_curve.json';

/** Build folder for the other programs of the differential test, apart from target/deploy. */
export const DIFFERENTIAL = join(ROOT, 'target', 'differential');
export const ORACLE = join(DIFFERENTIAL, 'oracle.so');

/** Build folder for the programs that cheat in `npm run fuzz`. */
export const CHEATING = join(ROOT, 'target', 'cheating');
export const CHEATING_AMM = join(CHEATING, 'cheating_amm.so');
export const CHEATING_CURVE = join(CHEATING, 'cheating_curve.so');
export const CHEATING_TOKEN = join(CHEATING, 'cheating_token.so');

/** The files that a copy of the Rust workspace needs: all members, including those of tests. */
export const RUST_WORKSPACE = [
  'Cargo.toml',
  'Cargo.lock',
  'programs',
  join('tests', 'differential', 'caller'),
  join('tests', 'differential', 'oracle'),
] as const;

/** Folder in which Anchor's command line runs, with its own target folder and keypairs. */
export const ANCHOR_WORKSPACE = join(ROOT, 'target', 'curvekit', 'anchor');
