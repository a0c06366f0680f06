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
  },
  outDir: 'dist',
  target: 'es2022',
  platform: 'neutral',
  tsconfig: '../tsconfig.json',
  splitting: true,
  dts: true,
  treeshake: true,
};

export default defineConfig([
  { ...shared, format: 'esm' },
  { ...shared, format: 'cjs' },
]);
