// The product on each supported major of Node.js: the set-up's check, the start, trades with the packed SDK, the stop.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { fetchNode } from '../scripts/fetch-node.mjs';
import { ROOT, runScript, usePackages } from '#tests/package/consumer.js';
import { firstDocument } from '#tests/process/first-document.js';
import { eventually } from '#tests/service/service.js';

const MAJORS = [20, 22, 24];
const UNMAINTAINED = [20];
const START_TIMEOUT_MS = 120_000;
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
      let running: ChildProcess;
      let errors: Promise<string>;
      let launchpad: Launchpad;

      before('fetch it, unless this is it, and start', async () => {
        const isThis = process.versions.node.startsWith(`${major}.`);
        node = isThis ? process.execPath : join(fetchNode(major), 'node');
        const command = ['--import=tsx', 'app/src/cli/main.ts', 'start', '--local', '--json'];
        running = spawn(node, command, {
          cwd: ROOT,
          env: { ...process.env, PORT: '0' },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        errors = text(running.stderr!);
        launchpad = await firstDocument<Launchpad>(running, errors);
      });
      after(() => running?.kill('SIGKILL'));

      it('passes the check of the set-up', async () => {
        const { stderr } = await run(node, ['scripts/setup.mjs', '--packages'], { cwd: ROOT });
        const advice = `setup: Node.js ${major} no longer gets security fixes; 22 or 24 is better\n`;
        expect(stderr).to.equal(UNMAINTAINED.includes(major) ? advice : '');
      });

      it('runs the launchpad until it is ready', async () => {
        const isReady = async () => (await fetch(`${launchpad.url}/ready`)).status === 200;
        await eventually(isReady, 'the service to be ready', START_TIMEOUT_MS);
      });

      it('trades on it with the packed SDK, as ES module and CommonJS', async () => {
        const esm = `import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { parseSol } from '@curvekit/sdk';
import { trade } from '@curvekit/sdk/trade';
${trades('{ solToSpend: parseSol("0.1") }')}`;
        const bought = await runScript(`buy-${major}.mjs`, esm, node);
        expect(bought).to.deep.equal({ version: major, traded: true });
        const cjs = `const { readFileSync } = require('node:fs');
const { Connection, Keypair, PublicKey } = require('@solana/web3.js');
const { trade } = require('@curvekit/sdk/trade');
${trades("{ tokenToSpend: 'all' }")}`;
        const sold = await runScript(`sell-${major}.cjs`, cjs, node);
        expect(sold).to.deep.equal({ version: major, traded: true });
      });

      it('stops on SIGINT with exit code 0, and has printed no warning', async () => {
        const ended = once(running, 'exit');
        running.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
        expect(await errors).not.to.match(/warning|deprecat|failed to load/i);
      });

      /** The end of a script that makes one trade of the launchpad's first token. */
      function trades(amount: string): string {
        const { rpcUrl, tokens, walletFile } = launchpad;
        return `const wallet = Keypair.fromSecretKey(Uint8Array.from(JSON.parse(readFileSync(${JSON.stringify(walletFile)}, 'utf8'))));
const mint = new PublicKey('${tokens[0]!.mint}');
trade(new Connection('${rpcUrl}', 'confirmed'), { wallet, mint, slippageBps: 1000, ...${amount} }).then(({ solAmount, tokenAmount }) => {
  console.log(JSON.stringify({ version: parseInt(process.versions.node), traded: solAmount > 0n && tokenAmount > 0n }));
  process.exit(0);
});`;
      }
    });
  }
});
