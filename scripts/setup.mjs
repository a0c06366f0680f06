// Installs what a fresh clone needs, and prints each step. Plain JavaScript, because it runs before any package is
// installed. With --packages it only installs packages; with --start it leaves out those that `npm start` does not need.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage, needsBuilder } from './build-page.mjs';
import { ROOT, runStep } from './steps.mjs';

const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const LOCK = join(ROOT, 'package-lock.json');
const CACHE = join(ROOT, '.cache');
const METAPLEX = join(CACHE, 'mpl_token_metadata.so');
/** Marks that no node had the AMM, so that a machine without a route to a node asks only once. See testing/src/amm.ts. */
const NO_AMM = join(CACHE, 'raydium_cp_swap.not-found');
/** Without the packages of `deploy`, of the page and of the tools, and the compiler that only the tools' packages ask for. */
const FOR_START = '--omit=peer --include-workspace-root -w app -w sdk -w testing -w trade'.split(' ');
/** Its packages are installed together with all others. */
const TOOLS = 'scripts/tools';
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
  const hadTools = existsSync(INSTALLED) && packagesIn(INSTALLED).includes(TOOLS);
  const needsTools = hadTools || !process.argv.includes('--start') || needsBuilder();
  if (!isInstalled()) await installPackages('ci', needsTools ? [] : FOR_START);
  // Not `npm ci`, which would first delete the packages of a running `npm start`.
  else if (needsTools && !hadTools) await installPackages('install', ['--no-save']);
  if (!process.argv.includes('--packages')) {
    const needsBinaries = !existsSync(METAPLEX) || !(hasAmm() || existsSync(NO_AMM));
    // Each waits for disk or network now and then, and there are two cores.
    await Promise.all([buildPage(), hasDatabase() || prepareDatabase(), needsBinaries && fetchBinaries()]);
  }
} catch (error) {
  fail(error.message, error.remedy ?? remedyFor(error.code));
}

/** Checks the running version by the `engines` of package.json, such as `>=22.12.0`. */
function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (isAtLeast(numbersOf(process.versions.node), numbersOf(engines.node))) return;
  console.error(
    `setup: Node.js ${process.versions.node} is too old (needed: ${engines.node}): install Node.js 24, https://nodejs.org`,
  );
  process.exit(1);
}

function numbersOf(version) {
  return version.match(/\d+/g).map(Number);
}

function isAtLeast(version, least) {
  const index = least.findIndex((number, position) => number !== version[position]);
  return index === -1 || version[index] > least[index];
}

// npm writes its own copy of the lock file after a complete installation. A package can be lost afterwards.
function isInstalled() {
  if (!existsSync(INSTALLED) || statSync(INSTALLED).mtimeMs < statSync(LOCK).mtimeMs) return false;
  const missing = packagesIn(INSTALLED).filter((path) => !isThere(path));
  if (missing.length > 0) console.error(`setup: ${missing[0]} is missing`);
  return missing.length === 0;
}

/** Paths of the packages that a lock file lists. */
function packagesIn(lock) {
  return Object.keys(JSON.parse(readFileSync(lock, 'utf8')).packages).filter((path) => path !== '');
}

function isThere(path) {
  return existsSync(join(ROOT, path, 'package.json'));
}

async function installPackages(command, options) {
  const all = packagesIn(LOCK);
  console.error(`setup: installing packages (npm ${command}), usually 15 to 90 s`);
  // `npm pack -w sdk` would restrict it to that workspace.
  delete process.env['npm_config_workspace'];
  const args = [command, ...options, '--no-audit', '--no-fund'];
  const { failure, lines } = await runStep('installing packages', 'npm', args, () => {
    const unpacked = all.filter(isThere).length;
    return `${unpacked} of at most ${all.length} unpacked`;
  });
  for (const line of lines.filter((text) => text.startsWith('npm warn'))) console.error(line);
  if (failure === undefined) return;
  const errors = lines.flatMap((line) => /^npm (?:error|ERR!) (.+)/.exec(line)?.[1] ?? []);
  const code = errors.flatMap((line) => /^code (\S+)/.exec(line)?.[1] ?? [])[0];
  const reason = errors.find((line) => !/^(code|syscall|errno|path|dest) /.test(line)) ?? failure;
  if (lines.length === 0 && failure.endsWith('ENOENT')) fail(failure, `install npm, ${AGAIN}`);
  fail(`npm ${command}: ${code === undefined ? '' : `${code}: `}${reason}`, remedyFor(code));
}

/** Whether the environment variable is set, or the cache has a file of any version. */
function hasAmm() {
  if (process.env.CURVEKIT_CPMM_SO) return true;
  return existsSync(CACHE) && readdirSync(CACHE).some((name) => /^raydium_cp_swap.*\.so$/.test(name));
}

async function fetchBinaries() {
  console.error('setup: fetching the Metaplex Token Metadata program and the AMM, usually 5 to 20 s');
  const script = ['--import=tsx', 'scripts/fetch-fixtures.ts', '--quick', '--json'];
  const { failure, lines } = await runStep('fetching the programs', process.execPath, script);
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

async function prepareDatabase() {
  console.error('setup: building the service and its embedded database, usually 4 to 8 s');
  // Optimizing PGlite's WebAssembly would take a second of CPU time and 500 MB.
  const script = ['--liftoff-only', 'scripts/prepare-database.mjs'];
  const { failure, lines } = await runStep('building the embedded database', process.execPath, script);
  if (failure !== undefined) fail(lines.find((line) => line.includes('Error')) ?? failure);
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
