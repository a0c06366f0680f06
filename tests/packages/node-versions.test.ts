// Each supported major of Node.js: trades with the packed SDK, and, where the repository supports it, the start and the stop.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { fetchNode } from '../../scripts/fetch-node.mjs';
import { endOf, FILES, givenText } from '#tests/frameworks/stories.js';
import { packed, ROOT, runScript, usePackages } from '#tests/package/consumer.js';
import { bundled } from '#tests/process/bundled.js';
import { firstDocument, type Launchpad } from '#tests/process/first-document.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { run } from '#tests/process/run.js';

/** The majors on which the service runs, and those that trade on it. The packages of dApps run on 20, and nothing else does. */
const MAJORS = [
  [22, [22]],
  [24, [24, 20]],
] as const;

describe('the supported versions of Node.js', function () {
  this.timeout(300_000);
  usePackages();

  const nodeOf = (major: number): string =>
    process.versions.node.startsWith(`${major}.`) ? process.execPath : join(fetchNode(major), 'node');

  it('Node.js 20 is refused by the check of the set-up', async () => {
    const check = run(nodeOf(20), ['scripts/setup.mjs', '--packages'], { cwd: ROOT });
    const { stderr } = await check.catch((error: unknown) => error as { stderr: string });
    expect(stderr).to.match(
      /^setup: Node\.js 20\.\S+ is too old \(needed: >=22\.12\.0\): install Node\.js 24/,
    );
  });

  for (const [major, traders] of MAJORS) {
    describe(`Node.js ${major}`, () => {
      const folder = temporaryFolder('node');
      let running: ChildProcess;
      let errors: Promise<string>;
      let launchpad: Launchpad;

      before('fetch it, unless this is it, and start', async () => {
        const command = [await bundled('app/src/operator/main.ts'), 'start', '--local', '--json'];
        running = spawn(nodeOf(major), command, {
          cwd: folder,
          env: { ...process.env, PORT: '0' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        errors = text(running.stderr!);
        launchpad = await firstDocument<Launchpad>(running, errors);
      });
      after(() => {
        running?.kill('SIGKILL');
      });

      for (const trader of traders)
        it(`Node.js ${trader} trades on it with the packed SDK, as ES module and CommonJS, and refuses what is wrong`, async () => {
          const { rpcUrl, tokens, walletFile, url } = launchpad;
          const secret = JSON.parse(await readFile(walletFile, 'utf8')) as number[];
          const wallet = { secretKey: Uint8Array.from(secret) };
          const { deployment } = (await (await fetch(`${url}/v1/launchpad`)).json()) as {
            deployment: object;
          };
          const { mint } = tokens[0]!;
          await cp(FILES, packed().project, { recursive: true });
          const given = givenText({ rpcUrl, deployment, mint, wallet });
          const { stdout } = await run(nodeOf(trader), ['run.mjs', given], { cwd: packed().project });
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
          const sold = await runScript(`sell-${trader}.cjs`, cjs, nodeOf(trader));
          expect(sold).to.deep.equal({ version: trader, traded: true });
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
