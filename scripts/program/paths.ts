import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export const ARTIFACTS = join(ROOT, 'artifacts');
export const PROGRAM_SO = 'bonding_curve.so';
export const PROGRAM_IDL = 'bonding_curve.json';

/** What the differential test runs beside the program, out of the way of what is deployed. */
export const DIFFERENTIAL = join(ROOT, 'target', 'differential');
export const ORACLE = join(DIFFERENTIAL, 'oracle.so');

/** What a copy of the Rust workspace needs: its members, those of tests among them. */
export const RUST_WORKSPACE = [
  'Cargo.toml',
  'Cargo.lock',
  'programs',
  join('tests', 'amm-stand-in'),
  join('tests', 'differential', 'caller'),
  join('tests', 'differential', 'oracle'),
] as const;

/** Where Anchor's command line works: with a target folder, and keys, of its own. */
export const ANCHOR_WORKSPACE = join(ROOT, 'target', 'curvekit', 'anchor');
