import { defineConfig, type Options } from 'tsup';
import { buildTypes } from '../scripts/build-types.js';
import { kitChain } from './kit-build.js';

const WEB3 = {
  index: 'src/index.ts',
  feed: 'src/feed/index.ts',
  idl: 'src/idl.ts',
  launch: 'src/launch/index.ts',
  trade: 'src/trade/index.ts',
};
/** Their types name neither web3.js nor Kit. */
const PLAIN = {
  market: 'src/http/market.ts',
  partner: 'src/http/partner.ts',
  rewards: 'src/http/rewards.ts',
};
const QUOTES = { quotes: 'src/quotes.ts' };
/** Apart, so that their types name the classes of the plain entries. */
const LAUNCHPAD = { launchpad: 'src/launchpad/index.ts' };
const KIT_LAUNCHPAD = { 'kit-launchpad': 'src/kit/launchpad/index.ts' };
const KIT = {
  kit: 'src/kit/index.ts',
  'kit-feed': 'src/kit/feed/index.ts',
  'kit-launch': 'src/kit/launch/index.ts',
  'kit-trade': 'src/kit/trade/index.ts',
};

const SHARED: Options = {
  outDir: 'dist',
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  // Splitting keeps one copy of each class for the entries of a library. Errors have names, so that `instanceof` holds between
  // those of different ones too.
  splitting: true,
  treeshake: true,
};

export default defineConfig([
  {
    ...SHARED,
    entry: { ...WEB3, ...PLAIN, ...QUOTES, ...LAUNCHPAD },
    // Types in bundles apart: types shared by all would name web3.js, which users of Kit do not have.
    onSuccess: () => buildTypes('sdk', [WEB3, KIT, QUOTES, { ...PLAIN, ...LAUNCHPAD, ...KIT_LAUNCHPAD }]),
  },
  { ...SHARED, entry: { ...KIT, ...KIT_LAUNCHPAD }, esbuildPlugins: [kitChain] },
]);
