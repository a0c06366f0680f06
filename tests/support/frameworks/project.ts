// A project outside the repository: npm installs the packed SDK and the frameworks into an empty folder.
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packed, run } from '#tests/package/consumer.js';
import { FILES } from './stories.js';

/** The newest versions of these majors. Vitest 5 and jsdom 31 do not run on Node.js 20. */
const FRAMEWORKS = [
  '@solana/web3.js@1',
  '@solana/kit@8',
  'bun@1',
  'deno@2',
  'jest@30',
  'jest-environment-jsdom@30',
  'jsdom@26',
  'next@16',
  'react@19',
  'react-dom@19',
  'vite@8',
  'vitest@4',
];
/** The programs of Bun and Deno come as they are: no package has to run a script. */
const QUIET = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
const START_TIMEOUT_MS = 60_000;
const ENVIRONMENT = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

/** @returns the folder, which is removed when the process ends */
export async function installFrameworks(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'curvekit-frameworks-'));
  process.once('exit', () => rmSync(project, { recursive: true, force: true }));
  await cp(FILES, project, { recursive: true });
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarball = (await readdir(packed().project)).find((name) => name.startsWith('curvekit-sdk-'))!;
  const packages = [join(packed().project, tarball), ...FRAMEWORKS];
  await run('npm', ['install', ...QUIET, ...packages], { cwd: project });
  // Jest runs CommonJS.
  const story = join(project, 'story');
  const common = { bundle: true, packages: 'external', format: 'cjs' } as const;
  await build({ ...common, entryPoints: [`${story}.mjs`], outfile: `${story}.cjs` });
  return project;
}

/** Runs a program of the project. @returns its exit code and what it printed */
export async function runIn(
  project: string,
  program: string,
  ...args: string[]
): Promise<{ exitCode: number; out: string; errors: string }> {
  const options = { cwd: project, env: ENVIRONMENT };
  return run(program, args, options).then(
    ({ stdout, stderr }) => ({ exitCode: 0, out: stdout, errors: stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      exitCode: code,
      out: stdout,
      errors: stderr,
    }),
  );
}

export function bun(project: string): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return join(project, 'node_modules', '@oven', `bun-${process.platform}-${arch}`, 'bin', 'bun');
}

/** Starts the built Next.js project on a free port. @returns the process and its address */
export async function startNext(project: string): Promise<{ server: ChildProcess; url: string }> {
  const command = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const server = spawn(process.execPath, command, { cwd: project, env: ENVIRONMENT, stdio: [...stdio] });
  let printed = '';
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!/Ready/.test(printed)) printed += String((await once(server.stdout, 'data', { signal }))[0]);
  return { server, url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0] };
}
