// Parts of the SDK that the page does not need: TypeScript has checked the names of its options, and every browser that
// runs the page has an EventSource.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const SDK = fileURLToPath(new URL('../sdk/src/', import.meta.url));
const REPLACED: Readonly<Record<string, string>> = {
  'checks/options.ts': 'export const requireKnown = () => {}, requireObject = requireKnown;',
  'http/market/stream-fetch.ts': 'export const readStream = undefined;',
};

export function sdkInBrowsers(): Plugin {
  return {
    name: 'curvekit:sdk-in-browsers',
    enforce: 'pre',
    load: (id) => (id.startsWith(SDK) ? REPLACED[id.slice(SDK.length)] : undefined),
  };
}
