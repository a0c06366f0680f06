/** Where the proofs are. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const PROOFS = join(ROOT, 'proofs');
export const COQ = join(PROOFS, 'coq');
export const GENERATED = join(COQ, 'generated');
export const MANIFEST = join(PROOFS, 'Cargo.toml');
