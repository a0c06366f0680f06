// The packed SDK in projects of others: in runtimes that are no Node.js, beside other versions, behind a proxy. Each buys a token.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect } from 'chai';
import { findFreePorts } from '#testing/ports.js';
import { startHttpProxy } from '#tests/network/http-proxy.js';
import { fromNpm, launchpad, ROOT, run } from '#tests/outsiders/launchpad.js';
import type { Launchpad } from '#tests/process/first-document.js';
import { packed, usePackages } from '#tests/package/consumer.js';

const SCRIPTS = fileURLToPath(new URL('runtimes', import.meta.url));
const WEB3 = '@solana/web3.js@1.99.0';
/** What the SDK depends on itself. */
const OF_SDK = 'buffer@6.0.3';
const BOUGHT = { spent: '1000000' };
const TIMEOUT_MS = 30_000;

describe('the published SDK in projects of others', function () {
  this.timeout(300_000);
  usePackages();
  let given: {
    readonly url: string;
    readonly rpcUrl: string;
    readonly mint: string;
    readonly secretKey: number[];
  };
  const projects: string[] = [];

  before(async () => {
    const { url, rpcUrl, tokens, walletFile }: Launchpad = await launchpad();
    const secretKey = JSON.parse(await readFile(walletFile, 'utf8')) as number[];
    given = { url, rpcUrl, mint: tokens[0]!.mint, secretKey };
  });
  after(() => Promise.all(projects.map((folder) => rm(folder, { recursive: true, force: true }))));

  /** @returns a project with the packed SDK beside these packages */
  async function projectWith(...packages: string[]): Promise<string> {
    const folder = await mkdtemp(join(await fromNpm(OF_SDK, ...packages), 'project-'));
    projects.push(folder);
    await cp(SCRIPTS, folder, { recursive: true });
    const sdk = join(folder, 'node_modules', '@curvekit', 'sdk');
    await mkdir(dirname(sdk), { recursive: true });
    await cp(packed().installed, sdk, { recursive: true, dereference: true });
    return folder;
  }
  const inNode = async (cwd: string, script: string, input: object, env: NodeJS.ProcessEnv = {}) =>
    JSON.parse(
      await run(process.execPath, [script, JSON.stringify(input)], { cwd, env: { ...process.env, ...env } }),
    ) as unknown;

  it('buys in workerd, as a Cloudflare Worker', async () => {
    const project = await projectWith(WEB3, 'workerd@1.20261117.1');
    await build({
      absWorkingDir: project,
      entryPoints: ['worker.mjs'],
      outfile: join(project, 'worker.js'),
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'silent',
    });
    const port = await findFreePorts(1);
    await writeFile(join(project, 'config.capnp'), workerConfig(port));
    const worker = spawn(join(project, '..', 'node_modules/workerd/bin/workerd'), ['serve', 'config.capnp'], {
      cwd: project,
      stdio: ['ignore', 'ignore', 'inherit'],
      // The program of the package starts another one.
      detached: true,
    });
    try {
      const answer = await answerOf(worker, `http://127.0.0.1:${port}`, JSON.stringify(given));
      expect(await answer.json()).to.include(BOUGHT);
    } finally {
      process.kill(-worker.pid!, 'SIGKILL');
    }
  });

  for (const kit of ['6.0.0', '7.0.0', '8.4.0']) {
    it(`installs beside Kit ${kit} and web3.js, and buys with both`, async () => {
      const project = await projectWith(WEB3, `@solana/kit@${kit}`);
      expect(await inNode(project, 'buy-with-kit.mjs', given)).to.include(BOUGHT);
      expect(await inNode(project, 'node.mjs', given)).to.include(BOUGHT);
      // npm refuses the versions of peer dependencies that the package does not name.
      const empty = join(project, 'empty');
      await mkdir(empty);
      await writeFile(join(empty, 'package.json'), JSON.stringify({ private: true }));
      await writeFile(join(empty, 'sdk.tgz'), packed().tarball);
      const resolve = ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'];
      await run('npm', [...resolve, './sdk.tgz', WEB3, `@solana/kit@${kit}`], { cwd: empty });
    });
  }

  for (const jest of ['29.7.0', '30.5.1']) {
    it(`buys in Jest ${jest} with jsdom, set up as the README shows`, async () => {
      const project = await projectWith(WEB3, `jest@${jest}`, `jest-environment-jsdom@${jest}`);
      const readme = await readFile(join(ROOT, 'sdk', 'README.md'), 'utf8');
      const [setup, config] = ['js', 'json'].map(
        (language) =>
          new RegExp(`Jest and Vitest with jsdom[^]*?\`\`\`${language}\n([^]*?)\`\`\``).exec(readme)![1]!,
      );
      await writeFile(join(project, 'jsdom-setup.cjs'), setup!);
      await writeFile(join(project, 'jest.config.json'), config!);
      await writeFile(join(project, 'given.json'), JSON.stringify(given));
      const program = join(project, '..', 'node_modules/jest/bin/jest.js');
      const { stderr } = await promisify(execFile)(
        process.execPath,
        [program, '--rootDir', project, '--testMatch', '**/buy.jest.cjs'],
        { cwd: project },
      );
      expect(stderr).to.contain('1 passed, 1 total');
    });
  }

  it('buys through the proxy of HTTP_PROXY, and says without it what the name server answers', async () => {
    const project = await projectWith(WEB3);
    const proxy = await startHttpProxy({ 'launchpad.invalid': given.url });
    const far = { ...given, url: 'http://launchpad.invalid' };
    try {
      const direct = await inNode(project, 'node.mjs', far).catch((error: Error) => error);
      expect(String(direct)).to.match(
        /cannot be reached at http:\/\/launchpad\.invalid\/v1\/launchpad: getaddrinfo/,
      );
      const behind = { HTTP_PROXY: proxy.url, NODE_USE_ENV_PROXY: '1' };
      expect(await inNode(project, 'node.mjs', far, behind)).to.include(BOUGHT);
      expect([...proxy.asked]).to.deep.equal(['launchpad.invalid', '127.0.0.1']);
    } finally {
      await proxy.stop();
    }
  });
});

const workerConfig = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-11-01",
      globalOutbound = "everywhere",
    )),
    (name = "everywhere", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "worker")],
);`;

/** The answer of a server that starts. @throws when the server ends or does not answer in time */
async function answerOf(server: ChildProcess, url: string, body: string): Promise<Response> {
  for (const deadline = Date.now() + TIMEOUT_MS; ; await sleep(100)) {
    try {
      return await fetch(url, { method: 'POST', body });
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
    }
  }
}
