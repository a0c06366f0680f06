// The packed SDK in an empty project, as npm installs it there: Bun, Deno, Vite, Next.js, and jsdom in Vitest.
import { readdir, readFile, writeFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { endOf, FILES, givenText } from '#tests/frameworks/stories.js';
import { ROOT, usePackages, packed, run } from '#tests/package/consumer.js';
import { launch } from '#tests/program/tokens.js';
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

// A project outside the repository: npm installs the packed SDK and the frameworks into an empty folder.

/** The newest versions of these majors. Vitest 5 and jsdom 31 do not run on Node.js 20. */
const FRAMEWORKS = [
  '@solana/web3.js@1',
  '@solana/kit@8',
  'bun@1',
  'deno@2',
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
async function installFrameworks(): Promise<string> {
  const project = temporaryFolder('frameworks');
  await cp(FILES, project, { recursive: true });
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarball = (await readdir(packed().project)).find((name) => name.startsWith('curvekit-sdk-'))!;
  const packages = [join(packed().project, tarball), ...FRAMEWORKS];
  await run('npm', ['install', ...QUIET, ...packages], { cwd: project });
  return project;
}

/** Runs a program of the project. @returns its exit code and what it printed */
async function runIn(
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

function bun(project: string): string {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  return join(project, 'node_modules', '@oven', `bun-${process.platform}-${arch}`, 'bin', 'bun');
}

/** Starts the built Next.js project on a free port. @returns the process and its address */
async function startNext(project: string): Promise<{ server: ChildProcess; url: string }> {
  const command = ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const server = spawn(process.execPath, command, { cwd: project, env: ENVIRONMENT, stdio: [...stdio] });
  let printed = '';
  const signal = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!/Ready/.test(printed)) printed += String((await once(server.stdout, 'data', { signal }))[0]);
  return { server, url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)![0] };
}

describe('the published package in frameworks', function () {
  this.timeout(600_000);
  const cluster = useCluster();
  usePackages();
  let project: string;
  let given: string;
  let expected: object;

  before('install it and the frameworks', async () => (project = await installFrameworks()));
  before('a token, a wallet, and the ends of the stories', async () => {
    const { mint } = await launch(cluster());
    const wallet = await cluster().fundedWallet(SOL);
    const { rpcUrl, deployment } = cluster();
    const { programId, admin, feeReceiver, dexOwner } = deployment;
    given = givenText({ rpcUrl, deployment: { programId, admin, feeReceiver, dexOwner }, mint, wallet });
    const ends = endOf({ wallet });
    expected = { ...ends.story, kit: ends.kit };
    const file = { given: JSON.parse(given) as object, expected: ends };
    await writeFile(join(project, 'given.json'), JSON.stringify(file));
  });

  it('trades and refuses on Bun', async () => {
    const { out, errors } = await runIn(project, bun(project), 'run.mjs', given);
    expect(out, errors).to.equal(lineOf(expected));
  });

  it('trades and refuses on Deno with --allow-net and --allow-env, and the README says that it needs both', async () => {
    const deno = (...allowed: string[]) => {
      const options = ['--no-prompt', '--node-modules-dir=manual', ...allowed];
      return runIn(
        project,
        process.execPath,
        'node_modules/deno/bin.cjs',
        'run',
        ...options,
        'run.mjs',
        given,
      );
    };
    const { out, errors } = await deno('--allow-net', '--allow-env');
    expect(out, errors).to.equal(lineOf(expected));
    const without = await deno('--allow-net');
    expect(without.exitCode).to.equal(1);
    expect(without.errors).to.contain('run again with the --allow-env flag');
    expect(await readme()).to.match(/\*\*Deno\*\*: [^*]*`--allow-net --allow-env`/);
  });

  it('trades and refuses in a page that Vite builds, with no global of Node.js', async () => {
    const vite = await runIn(project, process.execPath, 'node_modules/vite/bin/vite.js', 'build');
    expect(vite.exitCode, vite.errors).to.equal(0);
    const assets = join(project, 'dist', 'assets');
    const [script, ...others] = await readdir(assets);
    expect(others).to.deep.equal([]);
    const page = createContext({
      // WebCrypto of Node.js accepts only bytes of its own realm.
      ...{
        ArrayBuffer,
        Uint8Array,
        TextEncoder,
        TextDecoder,
        crypto,
        URL,
        fetch,
        Headers,
        AbortController,
        AbortSignal,
        console,
      },
      ...{ setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, performance, btoa, atob },
      ...{ Event, EventTarget, isSecureContext: true, given },
    });
    runInContext(await readFile(join(assets, script!), 'utf8'), page);
    expect(await (runInContext('result', page) as Promise<string>)).to.equal(JSON.stringify(expected));
  });

  it('trades and refuses with Vitest in jsdom, with a setup file', async () => {
    const report = join(project, 'vitest.json');
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile', report];
    const { errors } = await runIn(project, process.execPath, ...vitest);
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: { status: string; assertionResults: { failureMessages: string[] }[] }[];
    };
    const failed = testResults.filter(({ status }) => status === 'failed');
    expect([testResults.length, failed.length], errors).to.deep.equal([2, 1]);
    // Without it web3.js derives no address: its hashes take Node's Buffer for something else.
    const [problem] = failed[0]!.assertionResults[0]!.failureMessages;
    expect(problem).to.match(/Unable to find a viable program address nonce[^]*at .*web3\.js/);
  });

  it('quotes in a client component of Next.js, and trades and refuses in a route handler', async () => {
    const built = await runIn(project, process.execPath, 'node_modules/next/dist/bin/next', 'build');
    expect(built.exitCode, built.out + built.errors).to.equal(0);
    const { server, url } = await startNext(project);
    try {
      const page = await (await fetch(url)).text();
      expect(page).to.match(/<button>34277831558567 units of [1-9A-Za-z]{32,44} <\/button>/);
      const answer = await fetch(`${url}/story`, { method: 'POST', body: given });
      expect(await answer.json()).to.deep.equal(expected);
    } finally {
      server.kill('SIGKILL');
    }
  });
});

const readme = () => readFile(join(ROOT, 'sdk', 'README.md'), 'utf8');
const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
