// The page of a token with many trades in a short time.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Trade } from '@curvekit/sdk/market';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { stage, START_TIMEOUT_MS, visit } from '#tests/browser/stage.js';
import { eventually } from '#tests/service/service.js';
import { barOf, grow } from '../../web/src/token/bars.js';

const ROWS = 50;
const TRADES = 60;

describe('a busy token', function () {
  this.timeout(120_000);
  let page: Page;

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await stage();
  });
  after(() => page?.context().close());

  it('shows at most 50 trades, and the older ones on demand', async () => {
    const token = await launchToken('Busy Bee', 'BEE');
    const wallet = await fundedWallet(20n);
    ({ page } = await visit(`/t/${token.address}`));
    await page.getByText('Live', { exact: true }).waitFor();
    const rows = page.getByTestId('trades').locator('tr[data-signature]');
    for (let count = 0; count < TRADES; count += 1) await buyTokens(token.mint, '0.01', wallet);
    await rows.nth(ROWS - 1).waitFor();
    const trades = `${(await stage()).url}/v1/market/tokens/${token.address}/trades?limit=200`;
    let items: readonly Trade[] = [];
    await eventually(async () => {
      ({ items } = (await (await fetch(trades)).json()) as { items: readonly Trade[] });
      return items.length === TRADES;
    }, `${TRADES} trades in the index`);
    await page.locator(`tr[data-signature="${items[0]!.signature}"]`).waitFor();
    expect(await rows.count()).to.equal(ROWS);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(TRADES - 1).waitFor();
    const shown = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-signature')));
    expect(shown).to.deep.equal(items.map(({ signature }) => signature));
    expect(await page.getByRole('button', { name: 'Show more' }).count()).to.equal(0);
  });

  it('updates each changed bar once per frame, with all its trades', () => {
    const trade = (timestamp: number, virtualSol: number) =>
      ({ timestamp, virtualSol: String(virtualSol), virtualToken: '1000', solAmount: '2000000000' }) as Trade;
    const scale = { interval: 60, supply: '1000' };
    const bars = [barOf([60, '3000000000', '3000000000', '3000000000', '3000000000', '1000000000', 1])];
    const changed = grow(
      bars,
      [trade(61, 5e9), trade(119, 2e9), trade(59, 9e9), trade(120, 4e9), trade(121, 6e9)],
      scale,
    );
    expect(changed).to.deep.equal([
      { time: 60, open: 3, high: 5, low: 2, close: 2, volume: 5 },
      { time: 120, open: 2, high: 6, low: 2, close: 6, volume: 4 },
    ]);
    expect(bars).to.deep.equal(changed);
    expect(grow(bars, [trade(125, 1e9)], scale)).to.deep.equal([
      { time: 120, open: 2, high: 6, low: 1, close: 1, volume: 6 },
    ]);
  });
});
