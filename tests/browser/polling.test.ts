// The page where a proxy blocks the event stream: it polls the APIs instead.
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { stage, START_TIMEOUT_MS, visit } from '#tests/browser/stage.js';

/** The longest poll interval is 8 s. */
const POLLED_MS = 20_000;

describe('the page without the event stream', function () {
  this.timeout(120_000);
  const opened: Page[] = [];

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await stage();
  });
  after(() => Promise.all(opened.map((page) => page.context().close())));

  async function at(path: string): Promise<Page> {
    const { page } = await visit('');
    opened.push(page);
    await page.route('**/v1/market/stream**', (route) => route.abort());
    await page.goto(path);
    return page;
  }

  it("shows a new trade on the token's page, the token on the board, and the holding on the wallet's page", async () => {
    const wallet = await fundedWallet(5n);
    const known = await launchToken('Polled First', 'POLL');
    const [token, board, account] = [
      await at(`/t/${known.address}`),
      await at('/'),
      await at(`/w/${wallet.publicKey.toBase58()}`),
    ];
    await token.getByRole('heading', { name: 'Polled First' }).waitFor();
    await account.getByRole('tab', { name: 'Holdings' }).waitFor();
    const { signature } = await buyTokens(known.mint, '0.1', wallet);
    const { address } = await launchToken('Polled Second', 'POL2');
    await token.locator(`tr[data-signature="${signature}"]`).waitFor({ timeout: POLLED_MS });
    await board.locator(`a[href="/t/${address}"]`).first().waitFor({ timeout: POLLED_MS });
    await account.locator(`a[href="/t/${known.address}"]`).first().waitFor({ timeout: POLLED_MS });
  });
});
