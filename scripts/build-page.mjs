// Puts the web page into web/dist when it is missing or outdated: the committed build, or a new one if its sources have changed.
// Plain JavaScript, because scripts/setup.mjs runs it. See docs/decisions/web-page.md.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DOCUMENTS, writeDocuments } from './llms.mjs';
import { ROOT, runStep } from './steps.mjs';

const BUILT = join(ROOT, 'web', 'dist');
/** The build as it is committed, so that a first start needs neither the builder nor the page's packages. */
const COMMITTED = join(ROOT, 'web', 'generated', 'page.json');
/** In Vite's own folder, which is not served. */
const STAMP = join(BUILT, '.vite', 'sources.sha256');
const EARLIER = join(BUILT, '.vite', 'earlier.json');
const KEPT_MS = 24 * 60 * 60 * 1_000;
const SOURCES = ['web', 'sdk/src', 'sdk/package.json', 'package-lock.json', 'tsconfig.json'];
const ALL_SOURCES = [
  ...SOURCES,
  'scripts/build-page.mjs',
  'scripts/llms.mjs',
  ...DOCUMENTS.map(([path]) => path),
];
const LEFT_OUT = /(^|\/)(dist(-\w+)?|node_modules|\.[^/]+)(\/|$)|^web\/generated\//;
const TEXT = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
const WORTH_COMPRESSING = new RegExp(`${TEXT.source}|\\.wasm$`);

/** Whether the page has to be built: web/dist is missing or outdated, and the committed build too. */
export function needsBuilder() {
  return hasPage() && !isCurrent() && committedFiles() === undefined;
}

/**
 * Makes web/dist if it is missing or older than its sources.
 *
 * @throws when it cannot be built, after the builder's output was shown; `remedy` says what to do
 */
export async function buildPage() {
  if (!hasPage() || isCurrent()) return;
  const sources = hashOf(ALL_SOURCES);
  const files = committedFiles() ?? (await build());
  const earlier = earlierFiles();
  rmSync(BUILT, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(BUILT, path)), { recursive: true });
    writeFileSync(join(BUILT, path), content, encodingOf(path));
  }
  writeDocuments(BUILT, [
    '- [/openapi.json](/openapi.json): every route of this service',
    '- [/llms-full.txt](/llms-full.txt): all of these documents',
  ]);
  compress();
  keepEarlier(earlier);
  writeFileSync(STAMP, sources);
}

function hasPage() {
  return existsSync(join(ROOT, 'web', 'index.html'));
}

function isCurrent() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashOf(ALL_SOURCES);
}

/** The files of the committed build; undefined when it is missing or outdated. */
function committedFiles() {
  if (!existsSync(COMMITTED)) return undefined;
  const { sources, files } = JSON.parse(readFileSync(COMMITTED, 'utf8'));
  return sources === hashOf(SOURCES) ? files : undefined;
}

/** What web/generated/page.json has to contain. A line for each file, uncompressed: git stores the differences. */
async function toCommit() {
  return `${JSON.stringify({ sources: hashOf(SOURCES), files: await build() }, null, 1)}\n`;
}

/** Runs the builder in a folder of its own, and reads its files: a service may be reading those of the build before. */
async function build() {
  console.error('setup: building the web page (npm run build -w web), usually 5 to 15 s');
  const folder = (process.env['PAGE_FOLDER'] = mkdtempSync(`${BUILT}-`));
  try {
    const args = ['run', 'build', '-w', 'web', '--silent'];
    const { failure, lines } = await runStep('building the web page', 'npm', args);
    if (failure === undefined) {
      const read = (path) => [path, readFileSync(join(folder, path), encodingOf(path))];
      return Object.fromEntries(filesIn(folder).sort().map(read));
    }
    for (const line of lines) console.error(line);
    throw Object.assign(new Error(failure.replace(/^npm /, 'npm run build -w web ')), {
      remedy: 'correct what the output above names, then run the command again',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function encodingOf(path) {
  return TEXT.test(path) ? 'utf8' : 'base64';
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
function hashOf(sources) {
  const hash = createHash('sha256');
  const paths = sources.flatMap((path) =>
    statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory()
      ? filesIn(join(ROOT, path)).map((file) => `${path}/${file}`)
      : [path],
  );
  for (const path of paths.filter((name) => !LEFT_OUT.test(name) && existsSync(join(ROOT, name))).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Paths in a folder and its folders, with `/`. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Writes a `.br` and a `.gz` file next to each file, if smaller. */
function compress() {
  for (const name of filesIn(BUILT)) {
    if (!WORTH_COMPRESSING.test(name) || name.includes('.vite/')) continue;
    const path = join(BUILT, name);
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
  try {
    if (process.argv[2] === '--check') {
      if (hasPage() && (await toCommit()) !== readFileSync(COMMITTED, 'utf8'))
        throw Object.assign(new Error('web/generated/page.json is not what the sources build'), {
          remedy: 'run `npm run build:page`, and commit what it writes',
        });
    } else {
      if (process.argv[2] === '--commit') {
        mkdirSync(dirname(COMMITTED), { recursive: true });
        writeFileSync(COMMITTED, await toCommit());
      }
      await buildPage();
    }
  } catch (error) {
    console.error(
      `setup: the web page is not built: ${error.message}\nsetup: to do: ${error.remedy ?? error.code}`,
    );
    process.exitCode = 1;
  }
}
