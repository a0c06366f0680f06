// Size of the SDK's entries in a browser: bundled, minified, compressed. With --check it fails above the budget.
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { kitChain } from '../../sdk/kit-build.js';

import { grouped } from '#app/cli/table.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';

interface Case {
  readonly name: string;
  readonly about: string;
  /** The exports of the bundle, and their entry. The default is the main entry. */
  readonly exports: string;
  readonly from?: string;
  readonly external: readonly string[];
  /** Maximum bytes after gzip. */
  readonly gzipBudget: number;
}

interface Size {
  readonly name: string;
  readonly about: string;
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  readonly gzipBudget: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
// web3.js depends on `buffer`.
const WEB3 = ['@solana/web3.js', 'buffer'];
const KIT = ['@solana/kit'];

/**
 * The budgets were raised for the landing tracker (3 kB), graduation and pool trades (7 kB), remembered trades (0.5 kB),
 * previews (0.6 kB), and what slow and lying nodes need: typed errors, time limits, refused options (4 to 7 kB).
 */
const CASES: readonly Case[] = [
  {
    name: 'main entry',
    about: 'what it adds to a page that has web3.js',
    exports: '*',
    external: WEB3,
    gzipBudget: 34_500,
  },
  {
    name: 'main entry and web3.js',
    about: 'all of it, on a page without web3.js',
    exports: '*',
    external: [],
    gzipBudget: 120_500,
  },
  {
    name: 'quotes only',
    about: 'quoteBuy and quoteSell, the rest shaken off',
    exports: '{ quoteBuy, quoteSell }',
    external: WEB3,
    gzipBudget: 3_450,
  },
  {
    name: 'quotes entry, buy and sell',
    about: 'curves and pools, on a page without web3.js',
    exports: '{ quoteBuy, quoteSell }',
    from: 'quotes.ts',
    external: [],
    gzipBudget: 3_450,
  },
  {
    name: 'quotes entry',
    about: 'all of it: exact-out quotes, prices, text of amounts',
    exports: '*',
    from: 'quotes.ts',
    external: [],
    gzipBudget: 4_700,
  },
  {
    name: 'trade entry',
    about: 'trade and launch with what they use of the main entry, on a page that has web3.js',
    exports: '*',
    from: 'trade/index.ts',
    external: WEB3,
    gzipBudget: 34_200,
  },
  {
    name: 'kit entry',
    about: 'all of it, on a page that has Kit',
    exports: '*',
    from: 'kit/index.ts',
    external: KIT,
    gzipBudget: 25_700,
  },
  {
    name: 'kit trade entry',
    about: 'trade, launch and the landing tracker over Kit, on a page that has Kit',
    exports: '*',
    from: 'kit/trade/index.ts',
    external: KIT,
    gzipBudget: 37_000,
  },
  {
    name: 'kit feed entry',
    about: 'the feed and subscriptions over Kit, on a page that has Kit',
    exports: '*',
    from: 'kit/feed/index.ts',
    external: KIT,
    gzipBudget: 20_000,
  },
  {
    name: 'feed entry',
    about: 'the feed with what it uses of the main entry, on a page that has web3.js',
    exports: '*',
    from: 'feed/index.ts',
    external: WEB3,
    gzipBudget: 17_300,
  },
  {
    name: 'market entry',
    about: 'the client, on a page without web3.js',
    exports: '*',
    from: 'http/market.ts',
    external: [],
    gzipBudget: 7_400,
  },
];

scenario('bundle', {
  about: "Bundles the SDK's entries with esbuild for a browser and prints their sizes.",
  fails: 'a bundle is above its budget',
  isOfMachine: false,
  setup: () => CASES,
  load: async (cases) => {
    const sizes: Size[] = [];
    for (const item of cases) sizes.push(await measure(item));
    return sizes;
  },
  figures,
  problems: (sizes) =>
    sizes
      .filter(({ gzipBytes, gzipBudget }) => gzipBytes > gzipBudget)
      .map(
        ({ name, gzipBytes, gzipBudget }) =>
          `${name}: ${grouped(gzipBytes)} bytes after gzip, ${grouped(gzipBytes - gzipBudget)} above its budget`,
      ),
});

async function measure({
  name,
  about,
  exports,
  from = 'index.ts',
  external,
  gzipBudget,
}: Case): Promise<Size> {
  const result = await build({
    stdin: { contents: `export ${exports} from './sdk/src/${from}';`, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: [...external],
    plugins: external === KIT ? [kitChain] : [],
    logLevel: 'error',
  });
  const code = result.outputFiles[0]?.contents;
  if (code === undefined) throw new Error(`${name}: esbuild wrote nothing`);
  return {
    name,
    about,
    minifiedBytes: code.length,
    gzipBytes: gzipSync(code, { level: 9 }).length,
    gzipBudget,
  };
}

function figures(sizes: readonly Size[]): Figures {
  const bytes = ['minified', 'gzip', 'budget'].map((title) => [title, 'bytes'] as const);
  return {
    columns: [...numberColumns('bundle', ...bytes), { title: '' }],
    rows: sizes.map(({ name, about, minifiedBytes, gzipBytes, gzipBudget }) => ({
      cells: [name, grouped(minifiedBytes), grouped(gzipBytes), grouped(gzipBudget), about],
      style: gzipBytes > gzipBudget ? ('red' as const) : undefined,
    })),
  };
}
