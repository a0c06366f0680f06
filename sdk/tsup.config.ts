import { cp } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import { kitBuild } from './kit-build.js';

const ENTRIES = {
  index: 'src/index.ts',
  feed: 'src/feed/index.ts',
  idl: 'src/idl.ts',
  launch: 'src/launch.ts',
  market: 'src/http/market.ts',
  partner: 'src/http/partner.ts',
  quotes: 'src/quotes-entry.ts',
  rewards: 'src/http/rewards.ts',
  trade: 'src/trade/index.ts',
  'testing/index': 'src/testing/index.ts',
};
const KIT = { kit: 'src/kit-entry.ts' };

// Splitting keeps one copy of each class for all entries, so that `instanceof` holds between them.
const shared: Options = {
  entry: { ...ENTRIES, ...KIT },
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  splitting: true,
  dts: { entry: ENTRIES },
  treeshake: true,
  esbuildPlugins: [kitBuild()],
};

/** What the local cluster deploys, and the authorities that this program obeys. */
async function copyTestingFiles(): Promise<void> {
  const programs = ['bonding_curve', 'bonding_curve_graduating', 'graduation'];
  for (const path of [...programs.map((name) => `artifacts/${name}.so`), 'keys/localnet']) {
    await cp(`../${path}`, `dist/testing/${path}`, { recursive: true });
  }
}

export default defineConfig([
  { ...shared, format: 'esm', onSuccess: copyTestingFiles },
  // CommonJS has no import.meta.url, by which the testing entry finds its files.
  { ...shared, format: 'cjs', shims: true },
  // Apart: types shared with other entries would name web3.js, which users of Kit do not have.
  { ...shared, entry: KIT, format: ['esm', 'cjs'], dts: { only: true } },
]);
