// A browser finds a font only when it has read the styles. A preload link in the page starts it at once.
import type { HtmlTagDescriptor, Plugin } from 'vite';

/** @param name file name of the font without its hash */
export function preloadedFont(name: string): Plugin {
  return {
    name: 'curvekit:preloaded-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        const file = Object.keys(bundle ?? {}).find((path) => path.includes(name));
        if (file === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
