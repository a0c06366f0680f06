import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';

/** Copies the programs that a local cluster deploys, and the development keys. */
async function copyFiles(): Promise<void> {
  const programs = ['bonding_curve', 'bonding_curve_key_held', 'graduation', 'amm_stand_in'];
  for (const path of [...programs.map((name) => `artifacts/${name}.so`), 'keys/localnet']) {
    await cp(`../${path}`, `dist/${path}`, { recursive: true });
  }
}

export default defineConfig({
  entry: { index: 'src/index.ts' },
  outDir: 'dist',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'node',
  tsconfig: '../tsconfig.json',
  dts: true,
  treeshake: true,
  // The package finds its files with import.meta.url, which CommonJS lacks without shims.
  shims: true,
  onSuccess: copyFiles,
});
