// Writes the declarations of a published package into its dist: the native compiler makes one file per source, and Rollup bundles
// them. tsup would check the types with the slow compiler, once for each bundle.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const COMPILER = join(ROOT, 'node_modules/typescript-native/bin/tsc');

/** The source of each entry by the entry's name. */
export type Entries = Readonly<Record<string, string>>;

/**
 * Each bundle has one declaration of a type for all its entries. Types of other packages stay imports.
 * @param name the package's folder
 */
export async function buildTypes(name: string, bundles: readonly Entries[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'curvekit-types-'));
  try {
    declare(name, folder);
    for (const entries of bundles) await bundle(name, folder, entries);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles the package's sources. An error in their types ends the build. */
function declare(name: string, folder: string): void {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: folder,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  const project = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions,
    include: [join(ROOT, name, 'src')],
    exclude: [],
  };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(project));
  execFileSync(process.execPath, [COMPILER, '-p', file], { stdio: 'inherit' });
}

async function bundle(name: string, folder: string, entries: Entries): Promise<void> {
  const input = Object.entries(entries).map(([entry, source]) => [
    entry,
    join(folder, name, source.replace(/\.ts$/, '.d.ts')),
  ]);
  const bundled = await rollup({
    input: Object.fromEntries(input) as Entries,
    external: /^[^./]/,
    plugins: [dts()],
  });
  for (const extension of ['d.ts', 'd.cts']) {
    await bundled.write({
      dir: join(ROOT, name, 'dist'),
      entryFileNames: `[name].${extension}`,
      chunkFileNames: (chunk) => `${chunk.name.replace(/\.d$/, '')}-[hash].${extension}`,
    });
  }
  await bundled.close();
}
