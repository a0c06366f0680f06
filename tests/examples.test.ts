// The programs in examples/ run as their first line says, on the cluster, and are as short as promised.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PublicKey, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, parseTokens } from '@curvekit/sdk';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { tokensOf } from '#tests/program/tokens.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MOST_LINES = { 'launch.ts': 12, 'buy.ts': 10, 'kit.ts': 25 };

describe('the examples', function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let wallet: Keypair;
  let folder: string;

  before(async () => {
    wallet = await cluster().fundedWallet(5n * SOL);
    folder = await mkdtemp(join(tmpdir(), 'curvekit-examples-'));
    await writeFile(join(folder, 'id.json'), JSON.stringify([...wallet.secretKey]));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  async function example(name: string, ...args: string[]): Promise<string> {
    const { rpcUrl: RPC_URL, wsUrl: WS_URL } = cluster();
    const env = { ...process.env, RPC_URL, WS_URL, KEYPAIR: join(folder, 'id.json') };
    const file = join(ROOT, 'examples', name);
    const { stdout } = await run(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT, env });
    return stdout;
  }

  it('launch a token, and buy more of it', async () => {
    const [, mint, first] = /^(\w+): bought ([\d.]+) tokens$/m.exec(await example('launch.ts'))!;
    const [, second] = /^([\d.]+) tokens: \w+$/m.exec(await example('buy.ts', mint!))!;
    const { address } = associatedTokenAddress(wallet.publicKey, new PublicKey(mint!));
    const held = await tokensOf(cluster().connection, address);
    expect(held).to.equal(parseTokens(first!) + parseTokens(second!));
  });

  it('launch and buy with Kit', async () => {
    const [, mint, bought] = /^(\w+): bought ([\d.]+) tokens$/m.exec(await example('kit.ts'))!;
    const { address } = associatedTokenAddress(wallet.publicKey, new PublicKey(mint!));
    expect(await tokensOf(cluster().connection, address)).to.equal(parseTokens(bought!));
  });

  for (const [name, most] of Object.entries(MOST_LINES)) {
    it(`${name} is at most ${most} lines of code`, async () => {
      const text = await readFile(join(ROOT, 'examples', name), 'utf8');
      const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
      expect(lines.length).to.be.at.most(most);
    });
  }
});
