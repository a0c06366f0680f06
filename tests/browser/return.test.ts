// Leaving a token's page and opening it again at once. threat: frozen-prices
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { stage, START_TIMEOUT_MS, visit } from '#tests/browser/stage.js';
import { eventually } from '#tests/service/service.js';

/** Far below the ten seconds for which a cache may return an old answer. */
const SOON_MS = 3_000;

describe('a page that is opened again', function () {
  this.timeout(120_000);
  let page: Page;

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await stage();
  });
  after(() => page?.context().close());

  it('shows the trades made in the meantime', async () => {
    const token = await launchToken('Homing Pigeon', 'HOME');
    const wallet = await fundedWallet(20n);
    const first = await buyTokens(token.mint, '0.01', wallet);
    ({ page } = await visit(`/t/${token.address}`));
    const row = (signature: string) => page.locator(`tr[data-signature="${signature}"]`);
    await row(first.signature).waitFor();
    for (let round = 0; round < 3; round += 1) {
      await page.goto('about:blank');
      const { signature } = await buyTokens(token.mint, '0.01', wallet);
      const trades = `${(await stage()).url}/v1/market/tokens/${token.address}/trades`;
      await eventually(
        async () => (await (await fetch(trades)).text()).includes(signature),
        'the trade in the index',
      );
      await page.goto(`${(await stage()).url}/t/${token.address}`);
      await row(signature).waitFor({ timeout: SOON_MS });
    }
  });
});
