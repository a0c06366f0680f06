// Installs what a fresh clone needs, and prints each step. Plain JavaScript, because it runs before any package is
// installed. With --packages it only installs packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage, withoutStack } from './build-page.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const CACHE = join(ROOT, '.cache');
const METAPLEX = join(CACHE, 'mpl_token_metadata.so');
/** Marks that no node had the AMM, so that a machine without a route to a node asks only once. See testing/src/amm.ts. */
const NO_AMM = join(CACHE, 'raydium_cp_swap.not-found');
/** The oldest major of Node.js that still gets security fixes. */
const OLDEST_MAINTAINED = 22;
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
const AGAIN = 'then run the command again';
/** What to do about an error of npm or of the file system, by its code. */
const REMEDIES = [
  [
    /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET\w*|E4\d\d|E5\d\d|\w*CERT\w*)$/,
    `check the network, the proxy, and the registry that \`npm config get registry\` prints, ${AGAIN}`,
  ],
  [/^(EACCES|EPERM|EROFS)$/, `make ${ROOT} and npm's cache writable for this user, ${AGAIN}`],
  [/^ENOSPC$/, `free some disk space, ${AGAIN}`],
  [/^EUSAGE$/, `run \`git checkout package.json package-lock.json\`, ${AGAIN}`],
];

requireNode();
try {
  if (!isInstalled()) installPackages();
  if (!process.argv.includes('--packages')) {
    if (!existsSync(METAPLEX) || !(hasAmm() || existsSync(NO_AMM))) fetchBinaries();
    const failure = buildPage();
    if (failure !== undefined) fail(failure.cause, failure.remedy);
    if (!hasDatabase()) prepareDatabase();
  }
} catch (error) {
  fail(error.message, remedyFor(error.code));
}

/** Checks the running version by the `engines` of package.json, such as `^20.19.0 || >=22.12.0`. */
function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const found = numbersOf(process.versions.node);
  const isAccepted = engines.node.split('||').some((range) => {
    const least = numbersOf(range);
    return isAtLeast(found, least) && (!range.includes('^') || found[0] === least[0]);
  });
  if (!isAccepted) {
    console.error(
      `setup: Node.js ${process.versions.node} does not work (needed: ${engines.node}): install Node.js 24, https://nodejs.org`,
    );
    process.exit(1);
  }
  if (found[0] < OLDEST_MAINTAINED) {
    console.error(`setup: Node.js ${found[0]} no longer gets security fixes; 22 or 24 is better`);
  }
}

function numbersOf(version) {
  return version.match(/\d+/g).map(Number);
}

function isAtLeast(version, least) {
  const index = least.findIndex((number, position) => number !== version[position]);
  return index === -1 || version[index] > least[index];
}

// npm writes its own copy of the lock file after a complete installation.
function isInstalled() {
  return (
    existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs
  );
}

function installPackages() {
  console.error('setup: installing packages (npm ci), usually 30 to 90 s');
  const { failure, lines } = run('npm', ['ci', '--no-audit', '--no-fund']);
  for (const line of lines.filter((text) => text.startsWith('npm warn'))) console.error(line);
  if (failure === undefined) return;
  const errors = lines.flatMap((line) => /^npm (?:error|ERR!) (.+)/.exec(line)?.[1] ?? []);
  const code = errors.flatMap((line) => /^code (\S+)/.exec(line)?.[1] ?? [])[0];
  const reason = errors.find((line) => !/^(code|syscall|errno|path|dest) /.test(line)) ?? failure;
  if (lines.length === 0 && failure.endsWith('ENOENT')) fail(failure, `install npm, ${AGAIN}`);
  fail(code === undefined ? `npm ci: ${reason}` : `npm ci: ${code}: ${reason}`, remedyFor(code));
}

/** Whether the environment variable is set, or the cache has a file of any version. */
function hasAmm() {
  if (process.env.CURVEKIT_CPMM_SO) return true;
  return existsSync(CACHE) && readdirSync(CACHE).some((name) => /^raydium_cp_swap.*\.so$/.test(name));
}

function fetchBinaries() {
  console.error('setup: fetching the Metaplex Token Metadata program and the AMM, usually 5 to 20 s');
  const script = ['--import=tsx', 'scripts/fetch-fixtures.ts', '--quick', '--json'];
  const { failure, lines } = run(process.execPath, script);
  // The rest says where each file was looked for, or is the result for programs.
  const messages = lines.filter((line) => !/^(metaplex|amm): |^\{/.test(line));
  if (failure === undefined) {
    for (const message of messages) console.error(`setup: ${message}`);
    return;
  }
  const remedy = messages.length > 1 ? messages.pop() : undefined;
  fail(messages.map((line) => line.replace(/^- /, '')).join(' ') || failure, remedy);
}

/** Whether the files of a new embedded database were made. Those of another version are replaced when they are needed. */
function hasDatabase() {
  return existsSync(CACHE) && readdirSync(CACHE).some((name) => name.startsWith('database-tables-'));
}

function prepareDatabase() {
  console.error('setup: preparing the embedded database, usually 4 to 8 s');
  const { failure, lines } = run(process.execPath, ['--import=tsx', 'scripts/prepare-database.ts']);
  if (failure !== undefined) fail(lines.find((line) => line.includes('Error')) ?? failure);
}

/** Runs the command to its end. @returns why it failed, and the lines that it printed, without stacks */
function run(command, args) {
  const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  const lines = withoutStack(`${stderr ?? ''}\n${stdout ?? ''}`);
  if (error !== undefined) return { failure: error.message, lines };
  if (status === 0) return { lines };
  return { failure: `${command} ended with ${signal ?? `code ${status}`}`, lines };
}

function remedyFor(code = '') {
  return REMEDIES.find(([codes]) => codes.test(code))?.[1];
}

/** Prints a line for the cause and one for the remedy. */
function fail(cause, remedy = `correct this, ${AGAIN}`) {
  console.error(`setup: failed: ${cause}`);
  console.error(`setup: to do: ${remedy}`);
  process.exit(1);
}
