// Builds the web page into web/dist when it is missing or outdated, and compresses its files. Plain JavaScript, because
// scripts/setup.mjs runs it. See docs/decisions/web-page.md.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DOCUMENTS, writeDocuments } from './llms.mjs';
import { ROOT, runStep } from './steps.mjs';

const BUILT = join(ROOT, 'web', 'dist');
/** In Vite's own folder, which is not served. */
const STAMP = join(BUILT, '.vite', 'sources.sha256');
const EARLIER = join(BUILT, '.vite', 'earlier.json');
const KEPT_MS = 24 * 60 * 60 * 1_000;
const SOURCES = [
  'web',
  'sdk/src',
  'sdk/package.json',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build-page.mjs',
  'scripts/llms.mjs',
  ...DOCUMENTS.map(([path]) => path),
];
const LEFT_OUT = /(^|\/)(dist|node_modules|\.[^/]+)(\/|$)/;
const WORTH_COMPRESSING = new Set([
  '.css',
  '.html',
  '.js',
  '.json',
  '.svg',
  '.txt',
  '.wasm',
  '.webmanifest',
  '.xml',
]);

/**
 * Builds the page when its sources have changed. The builder's output is shown only when it fails.
 *
 * @returns the cause of a failure and what to do; undefined when the page is up to date, or the clone has no page
 */
export async function buildPage() {
  if (!existsSync(join(ROOT, 'web', 'index.html'))) return undefined;
  const sources = hashOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return undefined;
  console.error('setup: building the web page (npm run build -w web), usually 5 to 15 s');
  const earlier = earlierFiles();
  const { failure, lines } = await runStep('building the web page', 'npm', [
    'run',
    'build',
    '-w',
    'web',
    '--silent',
  ]);
  if (failure !== undefined) {
    for (const line of lines) console.error(line);
    return {
      cause: failure.replace(/^npm /, 'npm run build -w web '),
      remedy: 'correct what the output above names, then run the command again',
    };
  }
  writeDocuments(BUILT, [
    '- [/openapi.json](/openapi.json): every route of this service',
    '- [/llms-full.txt](/llms-full.txt): all of these documents',
  ]);
  compress();
  keepEarlier(earlier);
  writeFileSync(STAMP, sources);
  return undefined;
}

/**
 * Files of earlier builds, with the time at which each was replaced. Open tabs load parts of the version that they began
 * with, so a build keeps them for a day.
 */
function earlierFiles() {
  if (!existsSync(join(BUILT, 'assets'))) return [];
  const replaced = existsSync(EARLIER) ? JSON.parse(readFileSync(EARLIER, 'utf8')) : {};
  const now = Date.now();
  return readdirSync(join(BUILT, 'assets'))
    .map((name) => ({ name, at: replaced[name] ?? now, bytes: readFileSync(join(BUILT, 'assets', name)) }))
    .filter(({ at }) => now - at < KEPT_MS);
}

function keepEarlier(files) {
  const gone = files.filter(({ name }) => !existsSync(join(BUILT, 'assets', name)));
  for (const { name, bytes } of gone) writeFileSync(join(BUILT, 'assets', name), bytes);
  writeFileSync(EARLIER, JSON.stringify(Object.fromEntries(gone.map(({ name, at }) => [name, at]))));
}

/** Hash of all files of the source folders. Tests and documents are included: an unneeded build does no harm. */
function hashOfSources() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesOf).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(join(ROOT, path))) return [];
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .split(sep)
        .join('/'),
    )
    .filter((name) => !LEFT_OUT.test(name));
}

/** Writes a `.br` and a `.gz` file next to each file, if smaller. */
function compress() {
  const files = readdirSync(BUILT, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if (!WORTH_COMPRESSING.has(extname(name)) || path.includes(`${sep}.vite${sep}`)) continue;
    const bytes = readFileSync(path);
    for (const [extension, packed] of [
      ['.br', brotliCompressSync(bytes)],
      ['.gz', gzipSync(bytes, { level: 9 })],
    ]) {
      if (packed.length < bytes.length) writeFileSync(path + extension, packed);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failure = await buildPage();
  if (failure !== undefined) {
    console.error(`setup: the web page is not built: ${failure.cause}\nsetup: to do: ${failure.remedy}`);
    process.exit(1);
  }
}
