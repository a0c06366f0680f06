// The compressed size of the JavaScript that the pages load, without a wallet and with one.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fundedWallet } from '#tests/browser/chain.js';
import { ask, connect } from '#tests/browser/people.js';
import { stage, visit } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';

const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const BOARD_BYTES = 42_000;
const LAUNCH_BYTES = 50_000;
const TOKEN_BYTES = 100_000;
const CONNECTED_LAUNCH_BYTES = 110_000;
const CONNECTED_TOKEN_BYTES = 170_000;

const DECLINED = /declined/;
const declined = (): never => {
  throw new Error('User rejected the request.');
};

describe('the JavaScript size of the pages', function () {
  this.timeout(60_000);

  const weigh = async (path: string, ready: (page: Page) => Promise<unknown>) => {
    const { page } = await visit('');
    await addWallet(page, { keypair: await fundedWallet(1n), signing: declined });
    const scripts = new Set<string>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      // The burner wallet is loaded on a local cluster alone.
      if (pathname.endsWith('.js') && !pathname.includes('/burner-')) scripts.add(pathname);
    });
    await page.goto(path);
    await ready(page);
    await page.waitForTimeout(1_000);
    await page.context().close();
    return { scripts, bytes: [...scripts].reduce((sum, script) => sum + gzippedSize(script), 0) };
  };

  it(`loads at most ${BOARD_BYTES} bytes of JavaScript for the board`, async () => {
    const { bytes } = await weigh('/', (page) => page.locator('tr[data-mint]').first().waitFor());
    expect(bytes).to.be.within(10_000, BOARD_BYTES);
  });

  it(`loads at most ${TOKEN_BYTES} bytes for a token, chart and quotes included`, async () => {
    const { launchpad } = await stage();
    const { bytes, scripts } = await weigh(`/t/${launchpad.tokens[0]!.mint.toBase58()}`, async (page) => {
      await page.getByTestId('chart').locator('canvas').first().waitFor();
      await page.getByLabel('You pay', { exact: true }).fill('1');
      await page.getByTestId('out').filter({ hasText: /\d/ }).waitFor();
    });
    expect(bytes, [...scripts].join(' ')).to.be.within(50_000, TOKEN_BYTES);
  });

  it(`loads at most ${LAUNCH_BYTES} bytes for the launch form, filled in without a wallet`, async () => {
    const { bytes, scripts } = await weigh('/launch', (page) =>
      page.getByLabel('Name', { exact: true }).fill('Feather'),
    );
    expect(bytes, [...scripts].join(' ')).to.be.within(10_000, LAUNCH_BYTES);
  });

  it(`loads at most ${CONNECTED_LAUNCH_BYTES} bytes for a launch, until the wallet has answered`, async () => {
    const { bytes, scripts } = await weigh('/launch', async (page) => {
      await connect(page);
      for (const [label, text] of [
        ['Name', 'Feather'],
        ['Symbol', 'LIGHT'],
      ] as const)
        await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Launch', exact: true }).click();
      await page.getByText(DECLINED).waitFor();
    });
    expect(bytes, [...scripts].join(' ')).to.be.within(LAUNCH_BYTES, CONNECTED_LAUNCH_BYTES);
  });

  it(`loads at most ${CONNECTED_TOKEN_BYTES} bytes for a trade, until the wallet has answered`, async () => {
    const { launchpad } = await stage();
    const path = `/t/${launchpad.tokens[0]!.mint.toBase58()}`;
    const { bytes, scripts } = await weigh(path, async (page) => {
      await page.getByTestId('chart').locator('canvas').first().waitFor();
      await connect(page);
      await ask(page, 'You pay', '0.1');
      await page.getByTestId('submit').click();
      await page.getByText(DECLINED).waitFor();
    });
    expect(bytes, [...scripts].join(' ')).to.be.within(TOKEN_BYTES, CONNECTED_TOKEN_BYTES);
  });
});

/** The service sends small files uncompressed. */
function gzippedSize(path: string): number {
  const file = join(BUILT, path);
  return statSync(`${file}.gz`, { throwIfNoEntry: false })?.size ?? statSync(file).size;
}
