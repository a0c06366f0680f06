// Bundles programs that tests run as separate processes, once per run. Node starts a bundle with a fifth of the work that tsx needs,
// and the service's tests start more than a hundred processes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from '../../../app/build.mjs';
import { ROOT } from '#tests/process/run.js';

/** Inside the service's package, so that imports resolve to its packages. */
const CACHE = join(ROOT, 'app/node_modules/.cache');
let folder: string | undefined;
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program with its packages.
 *
 * @param entry path from the root of the repository
 * @returns the file to start with node; it is removed when this process exits
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
