import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { preloadedFont } from './preload-font.js';
import { oneKit } from './one-kit.js';
import { sdkInBrowsers } from './sdk-in-browsers.js';
import { ofLanguage, wordsIn } from './languages.js';
import { smallPreload } from './small-preload.js';

const sdk = (path: string) => fileURLToPath(new URL(`../sdk/src/${path}`, import.meta.url));
/** The service that `vite dev` shows: a running `npm start`. */
const SERVICE = process.env['CURVEKIT_URL'] ?? 'http://127.0.0.1:3000';

/** Parts that the board and the token page need: Preact, the shell, what both share, and the quotes. */
const BOTH_PAGES =
  /node_modules\/preact\/|web\/src\/(app|boundary|config|dollars|listeners|form-store|media|offline|languages?\.ts|load|now|translated|watch|pages(\.tsx|\/table)|part\.tsx|storage|shell\/(?!toast|results|keys)|theme|market|parts\/(?!nowhere|dialog|untraded)|curve|router|format|words\/(zh\/)?(words|times|pages|offline)|wallet\/(balances|store)|token\/(use-holders|shares)|trade\/(amount-text|even\.ts|reserve)|launch\/(just-launched|costs))|sdk\/src\/(http\/(market(?!\/(upload|fee-share))|transport|readers|errors|envelope)|(errors\/index|quotes|curve\/(curve|maths|price|slippage|status)|venue\/(market|quotes|quoting))\.ts|amm\/(maths|trade|raydium-cpmm\/maths)|generated\/(errors|constants|api\/market))/;

/** Files that every page begins with. */
const LOADED_FIRST = /\/(page|index|rolldown-runtime)-[^/]+\.js$/;

export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    sdkInBrowsers(),
    oneKit(),
    smallPreload(),
    preloadedFont('inter-latin-wght-normal'),
    wordsIn(mode),
  ],
  resolve: {
    alias: [
      // Preact in React's place, also for the wallets' hooks: a fourteenth of its size. See docs/decisions/web-page.md.
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      // The SDK's sources, so that the page needs no build of it first.
      { find: /^@curvekit\/sdk\/kit$/, replacement: sdk('kit/index.ts') },
      { find: /^@curvekit\/sdk\/quotes$/, replacement: sdk('quotes.ts') },
      { find: /^@curvekit\/sdk\/market$/, replacement: sdk('http/market.ts') },
      { find: /^@curvekit\/sdk\/kit\/trade$/, replacement: sdk('kit/trade/index.ts') },
      { find: /^@curvekit\/sdk\/rewards$/, replacement: sdk('http/rewards.ts') },
    ],
  },
  worker: { plugins: () => [sdkInBrowsers(), oneKit()] },
  build: {
    ...ofLanguage(mode),
    outDir: process.env['PAGE_FOLDER'] ?? 'dist',
    target: 'es2022',
    modulePreload: {
      // Browsers that run ES2022 preload modules themselves.
      polyfill: false,
      // The others are loaded before anything is loaded on demand.
      resolveDependencies: (_file, needed) => needed.filter((name) => !LOADED_FIRST.test(name)),
    },
    // An inlined asset is a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Every part names the others, and hashes do not compress. More than 64 parts need seven characters.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // In one file: small ones compress badly.
        codeSplitting: {
          groups: [
            { name: 'page', test: BOTH_PAGES },
            {
              name: 'table',
              test: /web\/src\/(board\/(table|skeletons|spark|use-prices|launch-cost)|words\/(board|intro)\.ts)/,
            },
            {
              name: 'details',
              test: /web\/src\/(token\/(holders|about|checked|community)|words\/token-details)/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': SERVICE, '/rpc': SERVICE, '/rewards/': SERVICE } },
}));
