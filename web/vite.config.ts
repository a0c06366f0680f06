import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { preloadedFont } from './preload-font.js';

const sdk = (path: string) => fileURLToPath(new URL(`../sdk/src/${path}`, import.meta.url));
/** The service that `vite dev` shows: a running `npm start`. */
const SERVICE = process.env['CURVEKIT_URL'] ?? 'http://127.0.0.1:3000';

/** Parts that the board and the token page need: React, what both share, and the quotes. */
const BOTH_PAGES =
  /node_modules\/(react|react-dom|scheduler)\/|web\/src\/(market|parts|curve|router|format|errors|words\/words|wallet\/(balances|store)|trade\/amount-text)|sdk\/src\/(http\/(market(?!\/upload)|transport|json|readers|errors|envelope)|(errors|refused|quotes|quotes-entry|curve|price|slippage|status)\.ts|market\/(market|pool-quotes)|amm\/(maths|trade|raydium-cpmm\/maths)|generated\/(errors|constants|api\/market))/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), preloadedFont('inter-latin-wght-normal')],
  resolve: {
    // The SDK's sources, so that the page needs no build of it first.
    alias: [
      { find: /^@curvekit\/sdk$/, replacement: sdk('index.ts') },
      { find: /^@curvekit\/sdk\/quotes$/, replacement: sdk('quotes-entry.ts') },
      { find: /^@curvekit\/sdk\/market$/, replacement: sdk('http/market.ts') },
      { find: /^@curvekit\/sdk\/trade$/, replacement: sdk('trade/index.ts') },
      { find: /^@curvekit\/sdk\/rewards$/, replacement: sdk('http/rewards.ts') },
    ],
  },
  build: {
    target: 'es2022',
    // Browsers that run ES2022 preload modules themselves.
    modulePreload: { polyfill: false },
    // An inlined asset is a data: URL, which the content security policy refuses.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // In one file: small ones compress badly.
        codeSplitting: {
          groups: [
            {
              name: 'page',
              test: BOTH_PAGES,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': SERVICE, '/rpc': SERVICE, '/rewards/': SERVICE } },
});
