// Size of the SDK's entries in a browser: bundled, minified, compressed. With --check it fails above the budget.
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { kitChain } from '../../../sdk/kit-build.js';

import { grouped } from '#app/operator/table.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';

interface Size {
  readonly name: string;
  readonly about: string;
  readonly minifiedBytes: number;
  readonly gzipBytes: number;
  readonly gzipBudget: number;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
// web3.js depends on `buffer`.
const WEB3 = ['@solana/web3.js', 'buffer'];
const KIT = ['@solana/kit'];
const QUOTES = '{ quoteBuy, quoteSell }';

type Case = readonly [
  name: string,
  /** Maximum bytes after gzip. */
  gzipBudget: number,
  exports: string,
  from: string,
  external: readonly string[],
  about: string,
];

/**
 * The budgets were raised for the landing tracker (3 kB), graduation and pool trades (7 kB), remembered trades (0.5 kB),
 * previews (0.6 kB), what slow and lying nodes need: typed errors, time limits, refused options (4 to 7 kB), and the comparison of
 * the simulated wallet with the order (1.5 kB).
 */
const CASES: readonly Case[] = [
  ['main entry', 34_800, '*', 'index.ts', WEB3, 'what it adds to a page that has web3.js'],
  ['main entry and web3.js', 120_500, '*', 'index.ts', [], 'all of it, on a page without web3.js'],
  ['quotes only', 3_450, QUOTES, 'index.ts', WEB3, 'quoteBuy and quoteSell, the rest shaken off'],
  [
    'quotes entry, buy and sell',
    3_450,
    QUOTES,
    'quotes.ts',
    [],
    'curves and pools, on a page without web3.js',
  ],
  ['quotes entry', 4_900, '*', 'quotes.ts', [], 'all of it: exact-out quotes, prices, text of amounts'],
  ['trade entry', 35_700, '*', 'trade/index.ts', WEB3, 'trade and launch, on a page that has web3.js'],
  ['kit entry', 26_000, '*', 'kit/index.ts', KIT, 'all of it, on a page that has Kit'],
  ['kit trade entry', 38_900, '*', 'kit/trade/index.ts', KIT, 'trade and launch, on a page that has Kit'],
  ['kit feed entry', 20_000, '*', 'kit/feed/index.ts', KIT, 'feed and subscriptions, on a page that has Kit'],
  ['feed entry', 17_300, '*', 'feed/index.ts', WEB3, 'the feed, on a page that has web3.js'],
  ['market entry', 7_800, '*', 'http/market.ts', [], 'the client, on a page without web3.js'],
];

scenario('bundle', {
  about: "Bundles the SDK's entries with esbuild for a browser and prints their sizes.",
  fails: 'a bundle is above its budget',
  run: async () => {
    const sizes: Size[] = [];
    for (const item of CASES) sizes.push(await measure(item));
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

async function measure([name, gzipBudget, exports, from, external, about]: Case): Promise<Size> {
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
