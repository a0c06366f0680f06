// Loads a module as an application does: bundled, in a folder with access to this repository's packages.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type BuildOptions } from 'esbuild';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/**
 * @param entry returns the file to bundle; it may first write sources into the folder
 * @param options overrides for the bundler
 */
export async function importBundled(
  entry: (folder: string) => string | Promise<string>,
  options: BuildOptions = {},
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-bundle-'));
  try {
    await symlink(MODULES, join(folder, 'node_modules'));
    const outfile = join(folder, 'bundle.mjs');
    await build({
      entryPoints: [await entry(folder)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
      ...options,
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
