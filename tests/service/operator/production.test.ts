// A production installation: compiled JavaScript without the development packages.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import type { CliRun } from '#tests/service/cli.js';
import { simulatedCluster } from '#tests/service/service.js';
import { ROOT } from '#tests/process/run.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** The parts of a clone that the service needs. */
const TREE = [
  'app',
  'package.json',
  'package-lock.json',
  'programs/artifacts',
  'programs/keys',
  'scripts',
  'sdk',
  'testing',
  'tsconfig.json',
  'web/src',
];
const PAGE = '<!doctype html><html><head><title>Built</title></head><body>the page</body></html>';
/** Several times what the commands need, so that a busy machine passes too. */
const MOST_CPU_SECONDS = 0.5;
/** Prints the CPU time of a process when it exits. */
const REPORT_CPU = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.error('CPU',user+system)})`;

/** Makes readConfig fail with an unexpected error. */
const FAULT = `data:text/javascript,const{fromEntries}=Object;Object.fromEntries=(entries)=>{if(new Error().stack.includes('read'+'Config'))throw new TypeError('unforeseen');return fromEntries(entries)}`;

describe('a production installation', function () {
  this.timeout(180_000);
  const cluster = useCluster();
  const [tree, elsewhere] = [temporaryFolder('production'), temporaryFolder('elsewhere')];
  let version: string;

  before('a clone with all packages', async () => {
    for (const name of TREE)
      await cp(join(ROOT, name), join(tree, name), {
        recursive: true,
        filter: (path) => !/node_modules|\/dist(-\w+)?$/.test(path.slice(ROOT.length)),
      });
    for (const packages of ['node_modules', 'app/node_modules'].filter((path) =>
      existsSync(join(ROOT, path)),
    ))
      await symlink(join(ROOT, packages), join(tree, packages));
    await mkdir(join(tree, 'web/dist'), { recursive: true });
    await writeFile(join(tree, 'web/dist/index.html'), PAGE);
    ({ version } = JSON.parse(await readFile(join(ROOT, 'app/package.json'), 'utf8')) as { version: string });
  });

  const program = () => join(tree, 'app/src/operator/curvekit.mjs');
  const environment = () => ({ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent' });

  function curvekit(args: readonly string[], ...nodeArgs: string[]): Promise<CliRun> {
    return new Promise((resolve) => {
      const command = [...nodeArgs, program(), ...args];
      execFile(process.execPath, command, { cwd: elsewhere, env: environment() }, (error, out, err) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  /** Does the same as `npm prune --omit=dev`: links only the packages that it would keep. */
  async function prune(): Promise<void> {
    const { packages } = JSON.parse(await readFile(join(tree, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
    };
    await rm(join(tree, 'node_modules'));
    for (const [path, { dev, link }] of Object.entries(packages)) {
      const isLeft = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && link !== true;
      if (!isLeft) continue;
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await symlink(join(ROOT, path), join(tree, path));
    }
  }

  it('in a clone with development packages, the first command builds it, and rebuilds it when the sources change', async () => {
    const first = await curvekit(['--version']);
    expect(first, first.err).to.include({ exitCode: 0, out: `${version}\n` });
    expect(first.err).to.contain('app/dist is missing: building it');
    expect(await curvekit(['-V'])).to.deep.equal({ exitCode: 0, out: `${version}\n`, err: '' });
    await writeFile(join(tree, 'app/src/operator/main.ts'), '\n// A change.\n', { flag: 'a' });
    expect((await curvekit(['--version'])).err).to.contain('was built from other sources: building it');
    expect((await curvekit(['--version'])).err).to.equal('');
  });

  describe('without the development packages', () => {
    before(prune);

    for (const args of ['--version', '--help'])
      it(`runs \`curvekit ${args}\` in at most ${MOST_CPU_SECONDS} s of CPU time`, async () => {
        // Other load on the machine can only add to a time, so the least is the best measurement.
        const seconds: number[] = [];
        for (let count = 0; count < 4; count += 1) {
          const ran = await curvekit([args], `--import=${REPORT_CPU}`);
          expect(ran.exitCode, ran.err).to.equal(0);
          seconds.push(Number(/CPU (\d+)/.exec(ran.err)?.[1]) / 1e6);
        }
        expect(Math.min(...seconds)).to.be.lessThan(MOST_CPU_SECONDS);
      });

    it('migrates, starts, serves the documents and the page, verifies signatures in its worker threads, and stops', async () => {
      const started = spawn(process.execPath, [program(), 'start', '--json'], {
        cwd: elsewhere,
        env: {
          ...environment(),
          PORT: '0',
          RPC_URL: cluster().rpcUrl,
          SIMULATED_CLUSTER: simulatedCluster(cluster()),
          WS_URL: cluster().wsUrl,
          DATABASE_FOLDER: 'database',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(started, 'exit');
      atEnd(() => started.kill('SIGKILL'));
      const said = once(createInterface(started.stdout), 'line', { signal: AbortSignal.timeout(120_000) });
      const [line] = (await Promise.race([said, ended])) as [string | number];
      const { url, docs } = JSON.parse(String(line)) as { url: string; docs: string };
      for (const address of [docs, `${docs}/swagger-ui.css`, `${url}/openapi.json`])
        expect((await fetch(address)).status, address).to.equal(200);
      expect(await (await fetch(url)).text()).to.contain('<body>the page</body>');
      const rewards = await new RewardsClient({ baseUrl: url }).rewards(keypairWallet(Keypair.generate()));
      expect(rewards).to.deep.equal([]);
      started.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
    });

    it('reports the line of the source that an error comes from', async () => {
      const { exitCode, err } = await curvekit(['key', 'list'], `--import=${FAULT}`);
      expect(exitCode, err).to.equal(1);
      expect(err)
        .to.match(/unforeseen/)
        .and.to.match(/app\/src\/config\/config\.ts:\d+/);
    });

    it('refuses to start if it was built from other sources', async () => {
      await writeFile(join(tree, 'app/src/operator/main.ts'), '\n// Another change.\n', { flag: 'a' });
      const { exitCode, err } = await curvekit(['--version']);
      expect(exitCode).to.equal(1);
      expect(err).to.contain('was built from other sources: run `npm ci && npm run build`');
    });
  });
});
