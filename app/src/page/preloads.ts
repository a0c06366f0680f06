import type { Manifest } from './built-page.js';

/** Scripts that a page needs at once, of its own and those that they import: the browser need not find them out one by one. */
export function preloadsOf(manifest: Manifest, name: string): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  const source = new RegExp(`/(routes|pages)/${name}(-page|/index)?\\.tsx$`);
  Object.keys(manifest)
    .filter((key) => source.test(`/${key}`))
    .forEach(visit);
  return [...files].map((file) => `/${file}`);
}
