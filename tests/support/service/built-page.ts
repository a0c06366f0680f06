// A page like one that Vite builds, in a folder of its own.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

export const SCRIPT = `console.log(${JSON.stringify('a page '.repeat(200))});\n`;

const INDEX = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>As built</title><meta name="description" content="as built">
<script type="module" src="/assets/main-1a2b3c4d.js"></script></head><body><div id="root"></div></body></html>`;

const MANIFEST = {
  'index.html': { file: 'assets/main-1a2b3c4d.js', dynamicImports: ['src/pages/token.tsx'] },
  'src/pages/token.tsx': { file: 'assets/token-5e6f7a8b.js', imports: ['_curve.js', 'index.html'] },
  '_curve.js': { file: 'assets/curve-9c0d1e2f.js' },
};

/** @returns the page's folder */
export async function buildTestPage(): Promise<string> {
  const folder = temporaryFolder('page');
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await mkdir(join(folder, 'zh'));
  const script = Buffer.from(SCRIPT);
  const files: Record<string, string | Buffer> = {
    'index.html': INDEX,
    'zh/index.html': INDEX.replace('lang="en"', 'lang="zh"'),
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.vite/manifest.json': JSON.stringify(MANIFEST),
    'assets/main-1a2b3c4d.js': script,
    'assets/main-1a2b3c4d.js.br': brotliCompressSync(script),
    'assets/main-1a2b3c4d.js.gz': gzipSync(script),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}
