// Checks whether app/dist was built from the current sources.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const BUILT = join(ROOT, 'app', 'dist');
/** File in `BUILT`: lists the sources of the build, and their hash. */
export const SOURCES_FILE = 'sources.json';

/** `missing`, `old` (the sources have changed since), or `good`. */
export function stateOfBuild() {
  const list = join(BUILT, SOURCES_FILE);
  if (!existsSync(list)) return 'missing';
  const { sha256, files } = JSON.parse(readFileSync(list, 'utf8'));
  return hashOf(files) === sha256 ? 'good' : 'old';
}

/** @param {readonly string[]} files paths from the root; a missing file counts as empty */
export function hashOf(files) {
  const hash = createHash('sha256');
  for (const path of files) {
    const file = join(ROOT, path);
    hash.update(`${path}\0`).update(existsSync(file) ? readFileSync(file) : '');
  }
  return hash.digest('hex');
}
