// `npm run build`: bundles the service and its packages as compiled JavaScript in app/dist, so that commands start fast.
// Plain JavaScript, because `curvekit` also runs this file when app/dist is missing or old.
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
import { BUILT, hashOf, ROOT, SOURCES_FILE, stateOfBuild } from './src/operator/built.mjs';

/**
 * Packages that must stay outside the bundle: they load their own files, few installations need them, or nobody installs
 * them.
 */
const LEFT_OUT = [
  '@aws-sdk/*',
  '@electric-sql/pglite',
  '@grpc/grpc-js',
  '@opentelemetry/core',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  '@solana/surfpool-*',
  '@triton-one/yellowstone-grpc',
  'bigint-buffer',
  'google-auth-library',
  'pg-native',
  'protobufjs',
  'sharp',
];
/** Bundled CommonJS packages load node's modules with this `require`. */
const REQUIRE = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;
/** esbuild options for a program of this repository. The output goes to `outdir`, without subfolders. */
export function bundleOptions(entry, outdir) {
  return {
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    // Keeps imports on demand as separate chunks.
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
    // V8 holds the text of each file. Without comments it is a quarter shorter, and a byte for each character.
    minifyWhitespace: true,
    logLevel: 'warning',
    plugins: [ownAddresses(outdir)],
  };
}

/** Keeps `import.meta.url` of each source file, so that files that load their neighbours still find them. */
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

/** Rebuilds app/dist. Restart processes that run the previous build. */
export async function buildService() {
  const { build, stop } = await import('esbuild');
  const folder = mkdtempSync(`${BUILT}-`);
  try {
    const { metafile } = await build({
      ...bundleOptions('app/src/operator/main.ts', folder),
      entryPoints: ['app/src/operator/main.ts', 'app/src/db/database.ts'],
      entryNames: '[name]',
      metafile: true,
    });
    const files = [...Object.keys(metafile.inputs), 'package-lock.json']
      .filter((path) => !path.includes('node_modules/') && !path.includes(':'))
      .sort();
    writeFileSync(
      join(folder, SOURCES_FILE),
      `${JSON.stringify({ sha256: hashOf(files), files }, null, 1)}\n`,
    );
    // The user that runs the build can differ from the user that made it.
    chmodSync(folder, 0o755);
    replaceBuilt(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    // Else the compiler stays, with its memory, as long as the process that needed the build.
    await stop();
  }
}

function replaceBuilt(folder) {
  try {
    rmSync(BUILT, { recursive: true, force: true });
    renameSync(folder, BUILT);
  } catch (error) {
    // Another process made the same build at the same time.
    if (stateOfBuild() !== 'good') throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildService();
  const bytes = readdirSync(BUILT).reduce((sum, name) => sum + statSync(join(BUILT, name)).size, 0);
  console.log(`${relative(dirname(BUILT), BUILT)}: ${(bytes / 1e6).toFixed(1)} MB`);
}
