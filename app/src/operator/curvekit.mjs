#!/usr/bin/env node
// The program `curvekit`, for use in any folder: it runs the build in app/dist. A clone with the development packages
// rebuilds an old build. A production installation has no compiler, so it refuses to start on old files.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILT, ROOT, stateOfBuild } from './built.mjs';

const state = stateOfBuild();
if (state !== 'good') await rebuild();
// Stack traces then name lines of the sources. Reading the maps takes a fifth of a command's CPU time: skip it for help
// texts.
if (!process.argv.some((arg) => /^(--help|-h|--version|-V)$/.test(arg))) process.setSourceMapsEnabled(true);
await import(pathToFileURL(join(BUILT, 'main.mjs')).href);

async function rebuild() {
  const why = state === 'missing' ? 'app/dist is missing' : 'app/dist was built from other sources';
  if (!hasCompiler()) {
    console.error(
      `curvekit: ${why}: run \`npm ci && npm run build\` in ${ROOT}, then \`npm prune --omit=dev\``,
    );
    process.exit(1);
  }
  console.error(`curvekit: ${why}: building it`);
  const { buildService } = await import('../../build.mjs');
  await buildService();
}

function hasCompiler() {
  try {
    createRequire(import.meta.url).resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}
