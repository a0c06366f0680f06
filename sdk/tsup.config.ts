import { cp } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';

// Splitting keeps one copy of each class for all entries, so that `instanceof` holds between them.
const shared: Options = {
  entry: {
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
  },
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  splitting: true,
  dts: true,
  treeshake: true,
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
]);
