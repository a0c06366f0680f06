// Installs what a fresh clone is missing, and says what it does. Plain JavaScript: it runs before anything is installed.
// With --packages it leaves out what only local clusters need.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const METAPLEX = join(ROOT, '.cache', 'mpl_token_metadata.so');

requireNode();
if (!isInstalled()) run('installing packages (npm ci)', 'npm', ['ci', '--no-audit', '--no-fund']);
if (!process.argv.includes('--packages') && !existsSync(METAPLEX)) {
  run('fetching the Metaplex Token Metadata program', process.execPath, [
    '--import=tsx',
    'scripts/fetch-fixtures.ts',
  ]);
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

// npm writes its own copy of the lock file when it has installed everything.
function isInstalled() {
  return (
    existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(join(ROOT, 'package-lock.json')).mtimeMs
  );
}

function run(what, command, args) {
  console.error(`setup: ${what}`);
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    console.error(`setup: failed: ${error?.message ?? `${command} ended with code ${status}`}`);
    process.exit(1);
  }
}
