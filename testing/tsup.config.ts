import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { buildTypes } from '../scripts/build-types.js';

const ENTRIES = { index: 'src/index.ts' };

/** Copies the programs that a local cluster deploys, and the development keys. */
async function copyFiles(): Promise<void> {
  const programs = ['bonding_curve', 'bonding_curve_key_held', 'graduation', 'amm_stand_in'];
  for (const path of [...programs.map((name) => `artifacts/${name}.so`), 'keys/localnet']) {
    await cp(`../programs/${path}`, `dist/${path}`, { recursive: true });
  }
}

export default defineConfig({
  entry: ENTRIES,
  outDir: 'dist',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'node',
  tsconfig: '../tsconfig.json',
  treeshake: true,
  // The package finds its files with import.meta.url, which CommonJS lacks without shims.
  shims: true,
  onSuccess: async () => {
    await copyFiles();
    await buildTypes('testing', [ENTRIES]);
  },
});
