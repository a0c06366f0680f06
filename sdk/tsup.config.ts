import { defineConfig } from 'tsup';
import { buildTypes } from '../scripts/build-types.js';
import { kitBuild } from './kit-build.js';

const WEB3 = {
  index: 'src/index.ts',
  feed: 'src/feed/index.ts',
  idl: 'src/idl.ts',
  launch: 'src/launch.ts',
  launchpad: 'src/launchpad/index.ts',
  partner: 'src/http/partner.ts',
  rewards: 'src/http/rewards.ts',
  trade: 'src/trade/index.ts',
};
/** Their types name neither web3.js nor Kit. */
const PLAIN = { market: 'src/http/market.ts', quotes: 'src/quotes-entry.ts' };
const KIT = {
  kit: 'src/kit-entry.ts',
  'kit-feed': 'src/kit-feed-entry.ts',
  'kit-launch': 'src/kit-launch-entry.ts',
  'kit-launchpad': 'src/kit-launchpad-entry.ts',
  'kit-partner': 'src/kit-partner-entry.ts',
  'kit-rewards': 'src/kit-rewards-entry.ts',
  'kit-trade': 'src/kit-trade-entry.ts',
};

export default defineConfig({
  entry: { ...WEB3, ...PLAIN, ...KIT },
  outDir: 'dist',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  // Splitting keeps one copy of each class for all entries, so that `instanceof` holds between them.
  splitting: true,
  treeshake: true,
  esbuildPlugins: [kitBuild()],
  // Types in bundles apart: types shared by all would name web3.js, which users of Kit do not have.
  onSuccess: () => buildTypes('sdk', [WEB3, KIT, PLAIN]),
});
