// What outside clients need: one launchpad for all files of the suite, as `npm start` runs it, and their packages, kept in .cache.
import { type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstDocument, spawnLaunchpad, type Launchpad } from '#tests/process/first-document.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { ROOT, run as execute } from '#tests/process/run.js';
export { ROOT } from '#tests/process/run.js';

export const CACHE = join(ROOT, '.cache', 'outsiders');

/** Runs a program to its end. @throws an error with all that it printed */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  return execute(program, args, options).then(
    ({ stdout }) => stdout,
    ({ message, stdout }: { message: string; stdout: string }) => {
      throw new Error(`${message}\n${stdout}`);
    },
  );
}

let running: ChildProcess | undefined;
let starting: Promise<Launchpad> | undefined;

/** The suite's launchpad. Its folder is temporary, so a running `npm start` keeps its own. */
export function launchpad(): Promise<Launchpad> {
  return (starting ??= start());
}

async function start(): Promise<Launchpad> {
  const folder = temporaryFolder('outsiders');
  running = await spawnLaunchpad(folder);
  return firstDocument<Launchpad>(running);
}

// At the top level of a module this hook applies to the whole run.
after('stop the launchpad', () => {
  running?.kill('SIGKILL');
});

/** Installs packages once into a folder of .cache that is named after them. @returns the folder */
async function installed(
  kind: string,
  packages: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const name = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16);
  const place = join(CACHE, `${kind}-${name}`);
  const mark = join(place, 'installed');
  if (existsSync(mark)) return place;
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await install(place);
  await writeFile(`${mark}.new`, packages.join('\n'));
  await rename(`${mark}.new`, mark);
  return place;
}

/** @returns a folder with these packages in its `node_modules` */
export function fromNpm(...packages: readonly string[]): Promise<string> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  return installed('npm', packages, async (cwd) => {
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await run('npm', ['install', ...quiet, ...packages], { cwd });
  });
}

/** @returns a virtual environment of Python with these packages */
export function fromPyPi(...packages: readonly string[]): Promise<string> {
  return installed('python', packages, async (place) => {
    await run('python3', ['-m', 'venv', place]);
    await run(join(place, 'bin', 'pip'), ['install', '--quiet', ...packages]);
  });
}
