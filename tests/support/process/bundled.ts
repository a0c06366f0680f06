// Programs of this repository as processes of their own, bundled once a run: node starts a bundle with a fifth of the
// work that tsx takes, and the service's tests start, and kill, more than a hundred processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '../../../app/build.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Inside the service's package, so that packages are the ones that it finds. */
const CACHE = join(ROOT, 'app/node_modules/.cache');
let folder: string | undefined;
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program with its packages.
 *
 * @param entry its path from the root of the repository
 * @returns the file to start node with; it goes with this process
 */
export function bundled(entry: string): Promise<string> {
  let made = bundles.get(entry);
  if (made === undefined) bundles.set(entry, (made = makeBundle(entry)));
  return made;
}

async function makeBundle(entry: string): Promise<string> {
  const outdir = join(folderOfRun(), String(bundles.size));
  await build({ ...bundleOptions(entry, outdir), sourcemap: false });
  return join(outdir, basename(entry).replace(/\.ts$/, '.mjs'));
}

function folderOfRun(): string {
  if (folder !== undefined) return folder;
  mkdirSync(CACHE, { recursive: true });
  const made = (folder = mkdtempSync(join(CACHE, 'curvekit-tests-')));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
