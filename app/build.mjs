// `npm run build`: the service as compiled JavaScript in app/dist, with its packages, so that a command starts at once.
// Plain JavaScript: `curvekit` runs it too, where what is built is missing or old.
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT, hashOf, ROOT, SOURCES_FILE, stateOfBuild } from './src/cli/built.mjs';

/** Packages that bring files of their own, that few need, or that nobody installs. */
const LEFT_OUT = [
  '@aws-sdk/*',
  '@electric-sql/pglite',
  '@solana/surfpool-*',
  'bigint-buffer',
  'pg-native',
  'sharp',
];
/** Packages that are not ES modules ask for node's by this. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;
/** Options of esbuild for a program of this repository. All that it writes lies in `outdir` itself. */
export function bundleOptions(entry, outdir) {
  return {
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
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [ownAddresses(outdir)],
  };
}

/** Files that look for others beside them go on looking where they were. */
function ownAddresses(outdir) {
  return {
    name: 'own addresses',
    setup: (build) => {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const address = JSON.stringify(relative(outdir, path).split(sep).join('/'));
        const contents = readFileSync(path, 'utf8').replaceAll(
          'import.meta.url',
          `new URL(${address}, import.meta.url).href`,
        );
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** Builds app/dist anew. A process that runs what was there before must be started again. */
export async function buildService() {
  const { build } = await import('esbuild');
  const folder = mkdtempSync(`${BUILT}-`);
  try {
    const { metafile } = await build({ ...bundleOptions('app/src/cli/main.ts', folder), metafile: true });
    const files = [...Object.keys(metafile.inputs), 'package-lock.json']
      .filter((path) => !path.includes('node_modules/') && !path.includes(':'))
      .sort();
    writeFileSync(
      join(folder, SOURCES_FILE),
      `${JSON.stringify({ sha256: hashOf(files), files }, null, 1)}\n`,
    );
    // The user that runs it may be another than the one that built it.
    chmodSync(folder, 0o755);
    replaceBuilt(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function replaceBuilt(folder) {
  try {
    rmSync(BUILT, { recursive: true, force: true });
    renameSync(folder, BUILT);
  } catch (error) {
    // Another process has built the same meanwhile.
    if (stateOfBuild() !== 'good') throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildService();
  const bytes = readdirSync(BUILT).reduce((sum, name) => sum + statSync(join(BUILT, name)).size, 0);
  console.log(`${relative(dirname(BUILT), BUILT)}: ${(bytes / 1e6).toFixed(1)} MB`);
}
