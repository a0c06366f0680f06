import type { Manifest } from './built-page.js';

/** All scripts that a page needs, imports included, so that the browser can load them in parallel. */
export function preloadsOf(manifest: Manifest, name: string): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  visit(`src/pages/${name}.tsx`);
  return [...files].map((file) => `/${file}`);
}
