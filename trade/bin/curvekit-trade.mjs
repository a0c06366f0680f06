#!/usr/bin/env node
// The program `curvekit-trade`. The package has it built. In a clone of the repository it is bundled from the sources each
// time, which takes half as long as running them file by file.
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));
if (existsSync(source)) await import(await bundle(source));
else await import('../dist/main.js');

/** @returns the address of a file whose folder is removed when this process exits */
async function bundle(entry) {
  const { build, stop } = await import('esbuild');
  const output = new URL(`../dist/clone-${process.pid}/`, import.meta.url);
  const folder = fileURLToPath(output);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: { main: entry },
    outdir: folder,
    bundle: true,
    // What only `mcp` needs is loaded by it alone.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // `npm start` does not install them.
    external: ['@modelcontextprotocol/*'],
    // Bundled CommonJS packages load Node's modules with `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
  // Else the compiler stays, with its memory, as long as the command runs.
  await stop();
  return new URL('main.js', output).href;
}
