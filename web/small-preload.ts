// Vite's helper loads what a lazy part needs, in parallel with the part. Half of its code is for styles of lazy parts, for
// nonces and for other base paths, which this page does not have.
import type { Plugin } from 'vite';

const HELPER = `
const seen = new Set();
export const __vitePreload = (load, needed = []) => {
  for (const path of needed) {
    const href = '/' + path;
    if (seen.has(href) || document.querySelector('link[href="' + href + '"]')) continue;
    seen.add(href);
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  return load();
};`;

export function smallPreload(): Plugin {
  return {
    name: 'curvekit:small-preload',
    enforce: 'pre',
    load: (id) => (id === '\0vite/preload-helper.js' ? HELPER : undefined),
  };
}
