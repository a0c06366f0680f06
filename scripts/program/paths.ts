import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export const ARTIFACTS = join(ROOT, 'artifacts');
export const PROGRAM_SO = 'bonding_curve.so';
export const PROGRAM_IDL = 'bonding_curve.json';

/** Where the reference build lies, out of the way of the one that is deployed. */
export const REFERENCE = join(ROOT, 'target', 'reference');
export const REFERENCE_PROGRAM = join(REFERENCE, PROGRAM_SO);

/** Where Anchor's command line works: with a target folder, and keys, of its own. */
export const ANCHOR_WORKSPACE = join(ROOT, 'target', 'curvekit', 'anchor');
