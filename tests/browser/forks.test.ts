// A reorg that drops a confirmed trade while its page is open. threat: reorg-chart
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { stage, visit } from '#tests/browser/stage.js';
import { SOL } from '#tests/constants.js';
import { startRpcProxy, type Rewrite, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { startMarketScene, type MarketScene } from '#tests/service/market.js';

describe('a reorg while a page is open', function () {
  this.timeout(120_000);
  let proxy: RpcProxy;
  let scene: MarketScene;
  let page: Page;

  before(async () => {
    const { cluster } = (await stage()).launchpad;
    proxy = await startRpcProxy(cluster.rpcUrl, { batches: true });
    scene = await startMarketScene(cluster, { RPC_URL: proxy.url });
  });
  after(async () => {
    await page?.context().close();
    await scene?.service.stop();
    await proxy?.stop();
  });

  it('removes the trade, its candle and its price, without a reload', async () => {
    const { cluster } = (await stage()).launchpad;
    const token = await launch(cluster, { name: 'Forked Road', symbol: 'FORK' });
    const trader = await cluster.fundedWallet(20n * SOL);
    await buyTokens(cluster, token, trader, SOL / 10n);
    await scene.untilTraded(token, 1);
    ({ page } = await visit('', { baseURL: scene.service.url }));
    await page.goto(`/t/${token.mint.toBase58()}`);
    const rows = page.getByTestId('trades').locator('tr[data-signature]');
    await rows.first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate(() => void Object.assign(globalThis, { isFirstDocument: true }));
    const cap = page.getByTestId('cap');
    const [capBefore, candlesBefore] = [await cap.innerText(), await candles(page)];

    const { signature, slot } = await buyTokens(cluster, token, trader, 10n * SOL);
    const lost = page.locator(`tr[data-signature="${signature}"]`);
    await lost.waitFor();
    await cap.filter({ hasNotText: capBefore }).waitFor();
    expect(await candles(page)).not.to.equal(candlesBefore);

    const chart = page.locator('.chart-card');
    const askedForMarks = () => page.waitForRequest((request) => request.url().includes('trader='));
    await chart.getByRole('button', { name: 'Chart', exact: true }).click();
    await Promise.all([askedForMarks(), chart.getByRole('button', { name: 'Creator', exact: true }).click()]);
    const askedAgain = askedForMarks();

    // Drop every slot since the trade, because simulated wallets trade other tokens in the meantime.
    proxy.rewrite(withoutSlots(slot, await cluster.connection.getSlot('confirmed')));
    await lost.waitFor({ state: 'detached' });
    await cap.filter({ hasText: capBefore }).waitFor();
    await askedAgain;
    await chart.getByRole('button', { name: 'Table', exact: true }).click();
    await page.locator('.chart-table').waitFor();
    await page.waitForFunction(
      (text) => document.querySelector<HTMLElement>('.chart-table')?.innerText === text,
      candlesBefore,
    );
    expect(await rows.count()).to.equal(1);
    expect(await page.evaluate(() => 'isFirstDocument' in globalThis)).to.equal(true);
  });
});

/** The numbers of the chart, loaded again. Leaves the table view open. */
async function candles(page: Page): Promise<string> {
  const chart = page.locator('.chart-card');
  for (const interval of ['1 h', '1 d']) {
    const answered = page.waitForResponse((response) => response.url().includes('/candles'));
    await chart.getByRole('button', { name: interval, exact: true }).click();
    await answered;
  }
  const asTable = chart.getByRole('button', { name: 'Table', exact: true });
  if (await asTable.isVisible()) await asTable.click();
  return page.locator('.chart-table').innerText();
}

/** Removes the transactions of these slots from the node's answers, as after a reorg. */
function withoutSlots(from: number, to: number): Rewrite {
  const isLost = (found: { readonly slot: number } | null) =>
    found !== null && found.slot >= from && found.slot <= to;
  return ({ method }, result) => {
    if (method === 'getTransaction') return isLost(result as { slot: number } | null) ? null : result;
    if (method === 'getSignaturesForAddress')
      return (result as { slot: number }[]).filter((listed) => !isLost(listed));
    if (method !== 'getSignatureStatuses') return result;
    const { value, ...rest } = result as { readonly value: readonly ({ slot: number } | null)[] };
    return { ...rest, value: value.map((status) => (isLost(status) ? null : status)) };
  };
}
