// Builds the entries for @solana/kit from the same sources as the others: `src/kit/chain/` stands for `src/chain/`.
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

const KIT_CHAIN = fileURLToPath(new URL('src/kit/chain/', import.meta.url));

export const kitChain: Plugin = {
  name: 'kit-chain',
  setup(build) {
    build.onResolve({ filter: /\/chain\/\w+\.js$/ }, ({ path }) => ({
      path: join(KIT_CHAIN, `${basename(path, '.js')}.ts`),
    }));
  },
};
