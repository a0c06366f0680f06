// The React example in a browser. It trades with a Wallet Standard wallet.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { associatedTokenAddress, formatTokens } from '@curvekit/sdk';
import { launchChromium } from '#tests/browser/chromium.js';
import { complaintsOf } from '#tests/browser/complaints.js';
import { addWallet } from '#tests/browser/wallets.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { launch, tokensOf, type Token } from '#tests/program/tokens.js';
import { startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';

const FOLDER = fileURLToPath(new URL('../../examples/react', import.meta.url));

describe('the React example', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let browser: Browser;
  let site: ServedNode;
  let token: Token;
  let wallet: Keypair;
  let scene: RewardsScene;

  before(async () => {
    const entryPoints = [`${FOLDER}/main.tsx`];
    const bundling = build({ entryPoints, bundle: true, write: false, format: 'esm', target: 'es2022' });
    const [{ outputFiles }, html] = await Promise.all([bundling, readFile(`${FOLDER}/index.html`, 'utf8')]);
    const files: Readonly<Record<string, string>> = { '/': html, '/main.js': outputFiles[0]!.text };
    site = await serveHttp(({ url }, response) => {
      const { pathname } = new URL(url!, 'http://localhost');
      response.setHeader('content-type', pathname === '/' ? 'text/html' : 'text/javascript');
      response.end(files[pathname] ?? '');
    });
    browser = await launchChromium();
    token = await launch(cluster());
    scene = await startRewardsScene(cluster(), {
      environment: {
        CLIENT_RPC_URL: cluster().rpcUrl,
        CLIENT_WS_URL: cluster().wsUrl,
        CORS_ORIGINS: '*',
      },
    });
    wallet = await cluster().fundedWallet(SOL);
  });
  after(async () => {
    await browser?.close();
    await scene?.stop();
    await site?.stop();
  });

  async function open(prepare: (page: Page) => Promise<void>): Promise<Page> {
    const page = await browser.newPage();
    await prepare(page);
    const query = new URLSearchParams([
      ['mint', token.mint.toBase58()],
      ['launchpad', scene.service.url],
    ]);
    await page.goto(`${site.url}/?${query.toString()}`);
    return page;
  }

  it('shows the live price, buys and sells', async () => {
    let complaints: readonly string[] = [];
    const page = await open(async (opened) => {
      complaints = complaintsOf(opened);
      await addWallet(opened, { keypair: wallet });
    });
    const price = page.getByText('SOL for one token');
    const before = await price.innerText();
    await page.getByRole('button', { name: 'Buy for 0.1 SOL' }).click();
    const said = page.getByRole('status');
    await said.filter({ hasText: 'Bought' }).waitFor();
    const { address } = associatedTokenAddress(wallet.publicKey, token.mint);
    const { connection } = cluster();
    expect(await said.innerText()).to.equal(
      `Bought ${formatTokens(await tokensOf(connection, address))} tokens.`,
    );
    await page.waitForFunction((text) => !document.body.innerText.includes(text), before);
    await page.getByRole('button', { name: 'Sell all' }).click();
    await said.filter({ hasText: /Sold for 0\.09\d+ SOL/ }).waitFor();
    expect(await tokensOf(connection, address)).to.equal(0n);
    expect(complaints).to.deep.equal([]);
  });

  it('shows the price and says what is needed to trade, in a browser without a wallet', async () => {
    const page = await open(() => Promise.resolve());
    await page.getByText('To trade, open this page in a browser with a Solana wallet.').waitFor();
    await page.getByText(/^0\.\d+ SOL for one token$/).waitFor();
  });
});
