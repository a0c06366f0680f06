// Programs of this repository as processes of their own, bundled once a run: node starts a bundle with a fifth of the
// work that tsx takes, and the service's tests start, and kill, more than a hundred processes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Inside the service's package, so that packages are the ones that it finds. */
const CACHE = join(ROOT, 'app/node_modules/.cache');
/** Packages that bring files of their own, or that nobody installs. */
const LEFT_OUT = ['@electric-sql/pglite', '@solana/surfpool-*', 'bigint-buffer', 'pg-native'];
/** Packages that are not ES modules ask for node's by this. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

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
  await bundle({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    // What is imported on demand stays so.
    splitting: true,
    external: LEFT_OUT,
    banner: { js: REQUIRE },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outdir,
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
    plugins: [ownAddresses],
  });
  return join(outdir, basename(entry).replace(/\.ts$/, '.mjs'));
}

/** Files that look for others beside them go on looking where they were. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};

function folderOfRun(): string {
  if (folder !== undefined) return folder;
  mkdirSync(CACHE, { recursive: true });
  const made = (folder = mkdtempSync(join(CACHE, 'curvekit-tests-')));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
