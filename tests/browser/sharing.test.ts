// A token outside its page: its Action card on another origin, and the picture of its shared link.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { launchToken } from '#tests/browser/chain.js';
import { stage, START_TIMEOUT_MS, visit } from '#tests/browser/stage.js';

describe('a shared token', function () {
  this.timeout(120_000);
  let token: Awaited<ReturnType<typeof launchToken>>;
  let feed: Server;
  let page: Page;

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    ({ url } = await stage());
    token = await launchToken('Shared Ship', 'SHIP');
    feed = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>A feed</title>');
    }).listen(0, '127.0.0.1');
    await once(feed, 'listening');
    ({ page } = await visit(''));
  });
  after(async () => {
    await page.context().close();
    feed.close();
  });

  it('has a picture of 1,200 × 630 pixels for its link', async () => {
    await page.goto(`/t/${token.address}`);
    const address = await page.locator('meta[property="og:image"]').getAttribute('content');
    const size = await page.evaluate(async (src) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    }, new URL(address!).pathname);
    expect(size).to.deep.equal([1_200, 630]);
  });

  it('links to the AMM’s page of its pool, when the AMM has one', async () => {
    const mint = token.address;
    await page.route(`**/v1/market/tokens/${mint}`, async (route) => {
      const answer = await route.fetch();
      const migration = { signature: '1'.repeat(64), timestamp: 1, pool: mint, url: 'https://amm.example/x' };
      const json = { ...((await answer.json()) as object), status: 'migrated', venue: 'unknown', migration };
      await route.fulfill({ response: answer, json });
    });
    await page.goto(`/t/${mint}`);
    const link = page.getByTestId('graduated').getByRole('link');
    await link.waitFor();
    expect(await link.getAttribute('href')).to.equal('https://amm.example/x');
    expect(await link.getAttribute('rel')).to.contain('noopener');
  });
});
