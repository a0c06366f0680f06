// Installs what a fresh clone needs, and prints each step. Plain JavaScript, because it runs before any package is
// installed. With --packages it skips the binaries for local clusters and the web page.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPage } from './build-page.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const CACHE = join(ROOT, '.cache');
const METAPLEX = join(CACHE, 'mpl_token_metadata.so');
/** Marks that no node had the AMM, so that a machine without a route to a node asks only once. See testing/src/amm.ts. */
const NO_AMM = join(CACHE, 'raydium_cp_swap.not-found');

requireNode();
if (!isInstalled()) run('installing packages (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund']);
if (!process.argv.includes('--packages') && !(existsSync(METAPLEX) && (hasAmm() || existsSync(NO_AMM)))) {
  run('fetching the Metaplex Token Metadata program and the AMM', process.execPath, [
    '--import=tsx',
    'scripts/fetch-fixtures.ts',
    '--quick',
  ]);
}
if (!process.argv.includes('--packages')) {
  const failure = buildPage();
  if (failure !== undefined) fail(failure);
}

function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const wanted = engines.node.match(/\d+/g).map(Number);
  const found = process.versions.node.split('.').map(Number);
  const index = wanted.findIndex((number, position) => number !== found[position]);
  if (index !== -1 && found[index] < wanted[index]) {
    console.error(
      `setup: Node.js ${engines.node} is needed, this is ${process.versions.node}: install a newer one`,
    );
    process.exit(1);
  }
}

// npm writes its own copy of the lock file after a complete installation.
function isInstalled() {
  return (
    existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs
  );
}

/** Whether the environment variable is set, or the cache has a file of any version. */
function hasAmm() {
  if (process.env.CURVEKIT_CPMM_SO) return true;
  return existsSync(CACHE) && readdirSync(CACHE).some((name) => /^raydium_cp_swap.*\.so$/.test(name));
}

function run(what, command, args) {
  console.error(`setup: ${what}`);
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(error?.message ?? `${command} ended with code ${status}`);
}

function fail(reason) {
  console.error(`setup: failed: ${reason}`);
  process.exit(1);
}
