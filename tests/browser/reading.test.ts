// What the page says of a market: the words above its tokens, the chart's numbers, and rows that are found again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { connect } from '#tests/browser/people.js';
import { stage, useVisits } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';
import { eventually } from '#tests/service/service.js';

type Json = Record<string, unknown>;

const PIXELS = `[...document.querySelectorAll('[data-testid=chart] canvas')].reduce((count, canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === 0x7a && data[at + 1] === 0xa7 && data[at + 2] === 0xff) count += 1;
  return count;
}, 0)`;

describe('the page tells of a market', function () {
  this.timeout(120_000);
  let address: string;
  let late: Keypair;
  const visit = useVisits();

  before(async () => {
    const { cluster } = (await stage()).launchpad;
    const token = await launchToken('Open Book', 'BOOK');
    address = token.address;
    const trader = await fundedWallet(20n);
    late = await fundedWallet(5n);
    // A jump, so that the space below the candles reaches beyond zero.
    for (const sol of ['0.1', '15']) {
      await buyTokens(token.mint, sol, trader);
      // Each in a candle of its own. On a busy machine the cluster's clock stands still for a while.
      const { unixTimestamp: bought } = await cluster.clock();
      while ((await cluster.clock()).unixTimestamp <= bought) await sleep(100);
    }
  });

  it('what nobody can do with a token, as the browser reads it on chain, and the contrary in red', async () => {
    const { page } = await visit(`/t/${address}`);
    await page.getByText(/^Ten largest [23]\d(\.\d)? %$/).waitFor();
    await page.getByText('Creator holds 0 %, sold 0 %').waitFor();
    const checked = page.getByTestId('checked');
    await page.getByText('Supply fixed').click();
    await checked
      .filter({ hasText: /at slot [\d,]+: There are 1B, and nobody can mint more\. Nobody/ })
      .waitFor();
    expect(await checked.locator('.down').count()).to.equal(0);
    await page.route('**/*', async (route) => {
      if (route.request().postData()?.includes('jsonParsed') !== true) return route.fallback();
      const response = await route.fetch();
      const text = (await response.text()).replace(/"mintAuthority":null/, `"mintAuthority":"${address}"`);
      await route.fulfill({ response, body: text });
    });
    await page.reload();
    await page.getByText('Supply fixed').click();
    await checked.locator('.down').filter({ hasText: 'More tokens can be minted!' }).waitFor();
  });

  it('the open, high, low and close of a candle, on an axis without caps below zero, in local time', async () => {
    const { page } = await visit('', { timezoneId: 'Asia/Kolkata' });
    await page.addInitScript(`
      globalThis.drawn = new Set();
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        drawn.add(text);
        return fillText.call(this, text, ...at);
      };
    `);
    await page.goto(`/t/${address}`);
    await page.getByRole('button', { name: '1 s', exact: true }).click();
    await page.getByTestId('legend').filter({ hasText: /^O \d/ }).waitFor();
    const newest = await page.getByTestId('legend').innerText();
    const numbers = /^O (.*) · H (.*) · L (.*) · C (.*) · Vol (.*)$/.exec(newest)!.slice(1).map(Number);
    const [open, high, low, close, volume] = numbers as [number, number, number, number, number];
    expect([low <= open, open < close, close <= high, volume > 14], newest).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
    const drawn = await page.evaluate<string[]>('[...drawn]');
    expect(drawn.filter((text) => /^[\d.]+$/.test(text)).length, drawn.join(' ')).to.be.greaterThan(2);
    expect(drawn.filter((text) => /^[-−]|^0(\.0+)?$/.test(text))).to.deep.equal([]);
    // 330 minutes ahead of UTC.
    const now = Number((await (await stage()).launchpad.cluster.clock()).unixTimestamp) / 60;
    const times = drawn.flatMap((text) => /^(\d\d):(\d\d)(?::\d\d)?$/.exec(text) ?? []);
    expect(times, drawn.join(' ')).not.to.deep.equal([]);
    const behind = (now + 330 - (Number(times[1]) * 60 + Number(times[2]))) % 1_440;
    expect(Math.min(behind, 1_440 - behind), times[0]).to.be.below(30);

    // An earlier candle under the pointer.
    const box = (await page.getByTestId('chart').boundingBox())!;
    for (let across = box.width - 90; across > 0; across -= 4) {
      await page.mouse.move(box.x + across, box.y + box.height / 2);
      // The chart tells of the pointer with its next frame.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      if ((await page.getByTestId('legend').innerText()) !== newest) break;
    }
    const pointed = await page.getByTestId('legend').innerText();
    expect(pointed)
      .to.match(/^O 27\./)
      .and.not.equal(newest);
    // A chart that is drawn again, here in the other theme, goes on with the candle under the pointer.
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      expect(await page.getByTestId('legend').innerText()).to.equal(pointed);
    }
    await page.mouse.move(0, 0);
    await page.getByTestId('legend').filter({ hasText: newest }).waitFor();

    // The price of one of a billion tokens, on the axis too, and after a reload.
    const price = /^O 0\.0000000\d+ .* C 0\.0000000\d+ · Vol 1\d(\.\d+)?$/;
    await page.getByRole('button', { name: 'Price', exact: true }).click();
    await page.getByTestId('legend').filter({ hasText: price }).waitFor();
    await page.getByRole('img', { name: 'Candles of BOOK: Price in SOL' }).waitFor();
    await page.waitForFunction('[...drawn].some((text) => /^0\\.0000000\\d+$/.test(text))');
    await page.reload();
    await page.getByTestId('legend').filter({ hasText: price }).waitFor();
    await page.getByRole('button', { name: 'Market cap', exact: true }).click();
    await page.getByTestId('legend').filter({ hasText: newest }).waitFor();
  });

  it('all trades again that were shown before, after another tab or page', async () => {
    const { page } = await visit('');
    await alter(page, /\/trades\?/, ({ items }, cursor) => ({
      items: Array.from({ length: 50 }, (_, index) => ({ ...items[0], id: `${cursor}-${index}` })),
      next: cursor === 'c' ? null : `${cursor}c`,
    }));
    await page.goto(`/t/${address}`);
    const rows = page.locator('tr[data-signature]');
    await rows.nth(49).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(99).waitFor();
    await page.getByRole('tab', { name: 'Holders' }).click();
    await rows.first().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Trades' }).click();
    await rows.nth(99).waitFor();
    await rows.nth(90).scrollIntoViewIfNeeded();
    await rows.nth(90).locator('.wallet-link').click();
    await page.waitForURL('**/w/*');
    await page.goBack();
    await rows.nth(99).waitFor();
    expect(await rows.count()).to.equal(100);
  });

  it('the large trades, those of one trader, and the oldest first, with the new ones among them', async () => {
    const { page } = await visit(`/t/${address}`);
    const amounts = page.locator('tr[data-signature] td.strong');
    await amounts.nth(1).waitFor();
    expect(await amounts.allInnerTexts()).to.deep.equal(['15', '0.1']);
    const order = page.getByRole('button', { name: 'Newest first' });
    await order.click();
    await page.getByRole('button', { name: 'Oldest first' }).waitFor();
    await amounts.first().filter({ hasText: '0.1' }).waitFor();
    await page.getByRole('button', { name: 'Oldest first' }).click();
    await page.getByRole('button', { name: '≥ 1 SOL' }).click();
    await amounts.nth(1).waitFor({ state: 'detached' });
    await buyTokens(new PublicKey(address), '0.2', late);
    await buyTokens(new PublicKey(address), '2', late);
    await amounts.first().filter({ hasText: '2' }).waitFor();
    expect(await amounts.allInnerTexts()).to.deep.equal(['2', '15']);
    await page.getByRole('button', { name: 'Creator', exact: true }).last().click();
    await page.getByText('No such trade').waitFor();
    await addWallet(page, { keypair: late });
    await page.reload();
    await connect(page);
    await page.getByRole('button', { name: 'Mine', exact: true }).last().click();
    await amounts.nth(2).waitFor({ state: 'detached' });
    await amounts.nth(1).waitFor();
    expect(await amounts.allInnerTexts()).to.deep.equal(['2', '0.2']);
    // The same trades are marked on the chart, in a colour that nothing else there has.
    const marked = async () => (await page.evaluate<number>(PIXELS)) > 20;
    await eventually(marked, 'marks on the chart');
    await page.getByRole('group', { name: 'Whose trades are marked' }).getByText('Mine').click();
    await eventually(async () => !(await marked()), 'the chart without marks');
  });

  it('five pages at most for one press when no trade in them is large', async () => {
    const { page } = await visit(`/t/${address}`);
    await page.locator('tr[data-signature]').first().waitFor();
    let asked = 0;
    await page.route(/\/trades\?.*limit=200/, async (route) => {
      asked += 1;
      await route.fulfill({ json: { items: [], next: 'again' } });
    });
    const more = page.getByRole('button', { name: 'Show more' });
    for (const press of [page.getByRole('button', { name: '≥ 1 SOL' }), more]) {
      const before = asked;
      await press.click();
      await eventually(() => Promise.resolve(asked === before + 5), 'five pages');
      await more.waitFor();
    }
    await sleep(300);
    expect(asked).to.equal(10);
  });
});

interface List {
  readonly items: readonly Json[];
  readonly next: string | null;
}

/** Changes lists of the API on their way to the page. */
async function alter(page: Page, path: RegExp, change: (list: List, cursor: string) => List): Promise<void> {
  await page.route(path, async (route) => {
    const url = new URL(route.request().url());
    const cursor = url.searchParams.get('cursor') ?? '';
    url.searchParams.delete('cursor');
    const answer = await route.fetch({ url: url.href });
    await route.fulfill({ response: answer, json: change((await answer.json()) as List, cursor) });
  });
}
