import { defineConfig, type Options } from 'tsup';
import { kitBuild } from './kit-build.js';

const ENTRIES = {
  index: 'src/index.ts',
  feed: 'src/feed/index.ts',
  idl: 'src/idl.ts',
  launch: 'src/launch.ts',
  launchpad: 'src/launchpad/index.ts',
  market: 'src/http/market.ts',
  partner: 'src/http/partner.ts',
  quotes: 'src/quotes-entry.ts',
  rewards: 'src/http/rewards.ts',
  trade: 'src/trade/index.ts',
};
const KIT = {
  kit: 'src/kit-entry.ts',
  'kit-feed': 'src/kit-feed-entry.ts',
  'kit-launchpad': 'src/kit-launchpad-entry.ts',
  'kit-trade': 'src/kit-trade-entry.ts',
};

// Splitting keeps one copy of each class for all entries, so that `instanceof` holds between them.
const shared: Options = {
  entry: { ...ENTRIES, ...KIT },
  outDir: 'dist',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  splitting: true,
  dts: { entry: ENTRIES },
  treeshake: true,
  esbuildPlugins: [kitBuild()],
};

export default defineConfig([
  shared,
  // Apart: types shared with other entries would name web3.js, which users of Kit do not have.
  { ...shared, entry: KIT, dts: { only: true } },
]);
