// Each supported major of Node.js: trades with the packed SDK, and, where the repository supports it, the set-up's check, the
// start and the stop.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fetchNode } from '../../scripts/fetch-node.mjs';
import { endOf, FILES, givenText } from '#tests/frameworks/stories.js';
import { packed, ROOT, runScript, usePackages } from '#tests/package/consumer.js';
import { bundled } from '#tests/process/bundled.js';
import { firstDocument } from '#tests/process/first-document.js';

const MAJORS = [20, 22, 24];
/** The packages of dApps run on it. The repository and the service do not. */
const PACKAGES_ONLY = [20];
const run = promisify(execFile);

interface Launchpad {
  readonly url: string;
  readonly rpcUrl: string;
  readonly tokens: readonly { readonly mint: string }[];
  readonly walletFile: string;
}

describe('the supported versions of Node.js', function () {
  this.timeout(300_000);
  usePackages();

  for (const major of MAJORS) {
    describe(`Node.js ${major}`, () => {
      let node: string;
      let folder: string;
      let running: ChildProcess;
      let errors: Promise<string>;
      let launchpad: Launchpad;

      before('fetch it, unless this is it, and start', async () => {
        const isThis = process.versions.node.startsWith(`${major}.`);
        node = isThis ? process.execPath : join(fetchNode(major), 'node');
        folder = await mkdtemp(join(tmpdir(), 'curvekit-node-'));
        const service = PACKAGES_ONLY.includes(major) ? process.execPath : node;
        running = spawn(service, [await bundled('app/src/operator/main.ts'), 'start', '--local', '--json'], {
          cwd: folder,
          env: { ...process.env, PORT: '0' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        errors = text(running.stderr!);
        launchpad = await firstDocument<Launchpad>(running, errors);
      });
      after(async () => {
        running?.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true });
      });

      it(`${PACKAGES_ONLY.includes(major) ? 'is refused by' : 'passes'} the check of the set-up`, async () => {
        const check = run(node, ['scripts/setup.mjs', '--packages'], { cwd: ROOT });
        const said = await check.then(
          ({ stderr }) => stderr,
          ({ stderr }: { stderr: string }) => stderr,
        );
        const refused = /^setup: Node\.js 20\.\S+ is too old \(needed: >=22\.12\.0\): install Node\.js 24/;
        expect(said).to.match(PACKAGES_ONLY.includes(major) ? refused : /^$/);
      });

      it('trades on it with the packed SDK, as ES module and CommonJS, and refuses what is wrong', async () => {
        const { rpcUrl, tokens, walletFile, url } = launchpad;
        const secret = JSON.parse(await readFile(walletFile, 'utf8')) as number[];
        const wallet = { secretKey: Uint8Array.from(secret) };
        const { deployment } = (await (await fetch(`${url}/v1/launchpad`)).json()) as { deployment: object };
        const { mint } = tokens[0]!;
        await cp(FILES, packed().project, { recursive: true });
        const given = givenText({ rpcUrl, deployment, mint, wallet });
        const { stdout } = await run(node, ['run.mjs', given], { cwd: packed().project });
        const { story, kit } = endOf({ wallet });
        expect(JSON.parse(stdout)).to.deep.equal({ ...story, kit });

        const cjs = `const { readFileSync } = require('node:fs');
const { Connection, Keypair, PublicKey } = require('@solana/web3.js');
const { trade } = require('@curvekit/sdk/trade');
const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(${JSON.stringify(walletFile)}, 'utf8'))));
const mint = new PublicKey('${mint}');
trade(new Connection('${rpcUrl}', 'confirmed'), { wallet, mint, slippageBps: 1000, tokenToSpend: 'all' }).then(({ solAmount, tokenAmount }) => {
  console.log(JSON.stringify({ version: parseInt(process.versions.node), traded: solAmount > 0n && tokenAmount > 0n }));
  process.exit(0);
});`;
        const sold = await runScript(`sell-${major}.cjs`, cjs, node);
        expect(sold).to.deep.equal({ version: major, traded: true });
      });

      it('stops on SIGINT with exit code 0, and has printed no warning', async () => {
        const ended = once(running, 'exit');
        running.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
        expect(await errors).not.to.match(/warning|deprecat|failed to load/i);
      });
    });
  }
});
