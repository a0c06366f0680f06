// Parts of the SDK that the page does not need: TypeScript has checked the names of its options, and every browser that
// runs the page has an EventSource.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SDK = fileURLToPath(new URL('../sdk/src/', import.meta.url));
const REPLACED = {
  'checks/options.ts': 'export const requireKnown = () => {}, requireObject = requireKnown;',
  'http/market/stream-fetch.ts': 'export const readStream = undefined;',
};

/** Keys without web3.js, as in the SDK's entries for Kit. */
const WITHOUT_WEB3 = { 'chain/keys.ts': "export * from '../kit/chain/keys.js';" };

export function sdkInBrowsers({ withoutWeb3 = false } = {}): Plugin {
  const replaced: Readonly<Record<string, string>> = { ...REPLACED, ...(withoutWeb3 ? WITHOUT_WEB3 : {}) };
  return {
    name: 'curvekit:sdk-in-browsers',
    enforce: 'pre',
    load: (id) => (id.startsWith(SDK) ? replaced[id.slice(SDK.length)] : undefined),
  };
}
