// The page in browsers as people have them: translating, without https, with forced colours; back and forward.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { ask, connect, enter } from '#tests/browser/people.js';
import { stage, useVisits } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';

/** A name in a local network: not `localhost`, so not a secure context. */
const LAN = 'http://launchpad.lan';
/** What Google Translate does to each text, now and whenever one changes. */
const TRANSLATE = `
  const isOurs = (node) => node.parentElement?.closest('font, script, style, textarea') !== null;
  const wrap = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (!isOurs(walker.currentNode)) texts.push(walker.currentNode);
    for (const text of texts) {
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      outer.firstChild.textContent = text.nodeValue;
      text.replaceWith(outer);
    }
  };
  wrap(document.body);
  new MutationObserver(() => wrap(document.body)).observe(document.body, {
    childList: true, subtree: true, characterData: true,
  });
`;

const wrongClock = (minutes: number) => `
  const Real = Date;
  const now = () => Real.now() + ${minutes * 60_000};
  globalThis.Date = class extends Real {
    constructor(...of) {
      super(...(of.length === 0 ? [now()] : of));
    }
    static now() {
      return now();
    }
  };
`;

describe('the page in a browser', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async () => {
    path = `/t/${(await launchToken('Wide World', 'WORLD')).address}`;
  });

  it('a browser that translates the page shows every quote, and trades', async () => {
    const { page, complaints } = await visit('');
    await addWallet(page, { keypair: await fundedWallet(5n) });
    await page.goto(path);
    await page.getByTestId('trades').or(page.getByText('Nobody has traded it yet')).waitFor();
    // With a content security policy, the page's own console may still run it.
    await page.evaluate(TRANSLATE);
    await connect(page);
    const out = page.getByTestId('out');
    await ask(page, 'You pay', '0.1');
    await out.filter({ hasText: /^3\.\d+M/ }).waitFor();
    await ask(page, 'You pay', '1');
    await out.filter({ hasText: /^3\d\.\d+M/ }).waitFor();
    await ask(page, 'You pay', '');
    await out.waitFor({ state: 'detached' });
    await ask(page, 'You pay', '0.2');
    for (const tab of ['About', 'Holders', 'Trades']) await page.getByRole('tab', { name: tab }).click();
    await page.getByTestId('submit').click();
    await page.getByTestId('done').waitFor();
    await page.locator('tr[data-signature]').first().waitFor();
    await page.getByRole('link', { name: 'Board' }).first().click();
    await page.locator('tr[data-mint]').first().waitFor();
    expect(await page.locator('font').count()).to.be.greaterThan(20);
    expect(complaints).to.deep.equal([]);
    expect(await page.getByText('This part of the page cannot be shown.').count()).to.equal(0);
  });

  it('without https copies, trades, and says what the burner wallet needs', async () => {
    const { page, complaints } = await visit('');
    const { url } = await stage();
    // The browser must not send the request itself: only the test's machine knows the name.
    await page.route(`${LAN}/**`, async (route) => {
      const to = route.request().url().replace(LAN, url);
      if (to.includes('/stream')) return route.abort();
      const headers = { ...route.request().headers(), origin: url };
      return route.fulfill({ response: await route.fetch({ url: to, headers }) });
    });
    await addWallet(page, { keypair: await fundedWallet(5n) });
    await page.goto(LAN + path);
    expect(await page.evaluate(() => isSecureContext)).to.equal(false);
    await page.getByRole('button', { name: 'Copy the token’s address' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('button', { name: 'Burner (localnet)' }).click();
    await page.getByRole('alert').filter({ hasText: 'The burner wallet needs https' }).waitFor();
    await page.keyboard.press('Escape');
    await connect(page);
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('submit').click();
    await page.getByTestId('done').waitFor();
    await page.getByRole('link', { name: 'Rewards' }).first().click();
    await page.getByRole('button', { name: 'Sign to see my rewards' }).click();
    await page.getByTestId('claimable').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('with a wrong clock shows the rewards, and says how wrong it is', async () => {
    for (const [minutes, said] of [
      [2, /^Your device’s clock is [12] min fast\./],
      [-2, /^Your device’s clock is [12] min slow\./],
    ] as const) {
      const { page } = await visit('');
      await page.addInitScript(wrongClock(minutes));
      await enter(page, '/rewards', { keypair: await fundedWallet(1n) });
      await page.getByRole('button', { name: 'Sign to see my rewards' }).click();
      await page.getByTestId('claimable').waitFor();
      await page.getByRole('status').filter({ hasText: said }).waitFor();
    }
  });

  it('with forced colours marks what is selected, and tells rising from falling candles', async () => {
    const wallet = await fundedWallet(5n);
    const token = await launchToken('Forced', 'FORCE');
    await buyTokens(token.mint, '0.5', wallet);
    const { page } = await visit(`/t/${token.address}`, { forcedColors: 'active' });
    const background = (pressed: string) =>
      page
        .locator(`.seg [aria-pressed="${pressed}"]`)
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    await page.locator('.seg').waitFor();
    expect(await background('true')).not.to.equal(await background('false'));
    await page.getByTestId('chart').locator('canvas').first().waitFor();
    await page.waitForFunction(hasGreen);
  });

  it('finds pages, tabs and places again by Back and Forward', async () => {
    const { page } = await visit('');
    await fiftyMore(page);
    await page.goto('/?tab=top');
    const rows = page.locator('tr[data-mint]');
    await rows.first().waitFor();
    expect(await page.getByRole('tab', { name: 'Top' }).getAttribute('aria-selected')).to.equal('true');
    await page.getByRole('tab', { name: 'Active' }).click();
    await page.waitForURL(/\?tab=active$/);
    await page.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(90).waitFor();
    const far = rows.nth(99);
    await far.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    const mint = await far.getAttribute('data-mint');
    await far.getByRole('link').first().click();
    await page.waitForURL(`**/t/${mint}`);
    await page.getByRole('tab', { name: 'About' }).waitFor();
    expect(await page.evaluate(() => scrollY)).to.equal(0);
    await page.getByRole('tab', { name: 'About' }).click();
    await page.goBack();
    await page.waitForURL(/\?tab=active$/);
    await rows.nth(90).waitFor();
    await page.waitForFunction((y) => Math.abs(scrollY - y) < 3, place);
    await page.goForward();
    await page.waitForURL(`**/t/${mint}?tab=about`);
    await page.locator('[role="tab"][aria-selected="true"]').filter({ hasText: 'About' }).waitFor();
  });
});

/** Runs in the page: whether the chart has drawn anything green. */
function hasGreen(): boolean {
  return [...document.querySelectorAll('canvas')].some((canvas) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] === 255 && data[at + 1]! > data[at]! + 60 && data[at + 1]! > 100) return true;
    return false;
  });
}

/** The lists of the API, each token many times under other addresses: the stage has few tokens. */
async function fiftyMore(page: Page): Promise<void> {
  await page.route('**/v1/market/tokens?**', async (route) => {
    const url = new URL(route.request().url());
    const from = url.searchParams.has('cursor') ? 50 : 0;
    url.searchParams.delete('cursor');
    const answer = await route.fetch({ url: url.href });
    const { items } = (await answer.json()) as { items: { mint: string }[] };
    const many = Array.from({ length: 50 }, (_, index) => {
      const { mint, ...rest } = items[(from + index) % items.length]!;
      // The last ones are real, the others only look like addresses.
      return {
        ...rest,
        mint: from + index >= 100 - items.length ? mint : `${mint.slice(0, -2)}${at58(from + index)}`,
      };
    });
    await route.fulfill({ response: answer, json: { items: many, next: from === 0 ? 'more' : null } });
  });
}

const at58 = (index: number) => '123456789ABCDEFGHJKL'[index % 20]! + '123456789'[Math.floor(index / 20)]!;
