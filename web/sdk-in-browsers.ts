// The SDK's sources as its entries for Kit are built, and without parts that the page does not need: TypeScript has checked the
// names of its options, and every browser that runs the page has an EventSource.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SDK = fileURLToPath(new URL('../sdk/src/', import.meta.url));
const REPLACED: Readonly<Record<string, string>> = {
  'checks/options.ts': 'export const requireKnown = () => {}, requireObject = requireKnown;',
  'http/market/stream-fetch.ts': 'export const readStream = undefined;',
  'chain/keys.ts': "export * from '../kit/chain/keys.js';",
  'chain/transactions.ts': "export * from '../kit/chain/transactions.js';",
};

export function sdkInBrowsers(): Plugin {
  return {
    name: 'curvekit:sdk-in-browsers',
    enforce: 'pre',
    load: (id) => (id.startsWith(SDK) ? REPLACED[id.slice(SDK.length)] : undefined),
  };
}
