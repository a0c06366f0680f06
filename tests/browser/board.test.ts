// The board as traders use it: filters, windows of time, the search by keyboard, three columns, and the pages' bar on a phone.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { useVisits } from '#tests/browser/stage.js';

describe('the board', function () {
  this.timeout(120_000);
  const visit = useVisits();
  let busy: string;
  let quiet: string;
  let gone: string;
  const row = (page: Page, mint: string) => page.locator(`tr[data-mint="${mint}"]`);

  before(async () => {
    const wallet = await fundedWallet(200n);
    const tokens = [
      await launchToken('Overbusy Otter', 'OTTER'),
      await launchToken('Overquiet Owl', 'OWL'),
      await launchToken('Overgone Ox', 'OX'),
    ] as const;
    [busy, quiet, gone] = [tokens[0].address, tokens[1].address, tokens[2].address];
    await buyTokens(tokens[0].mint, '30', wallet);
    await buyTokens(tokens[2].mint, '90', wallet);
  });

  it('lists what passes filters that its address keeps', async () => {
    const { page } = await visit('/?q=over');
    await row(page, quiet).waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Any volume' }).selectOption('≥ 10 SOL in 24 h');
    await row(page, quiet).waitFor({ state: 'detached' });
    await row(page, busy).waitFor();
    await page.getByRole('button', { name: 'Creator sold nothing' }).click();
    await page.getByRole('combobox', { name: 'Any age' }).selectOption('Younger than 1 h');
    await page.waitForURL('/?q=over&vol=10&sold=none&age=3600');
    await page.reload();
    await row(page, busy).waitFor();
    expect(await page.getByRole('combobox', { name: 'Any age' }).inputValue()).to.equal('3600');
    await page.getByRole('combobox', { name: 'Any volume' }).selectOption('≥ 1000 SOL in 24 h');
    await page.getByRole('heading', { name: 'No such token' }).waitFor();
    // The service would refuse it. The page leaves it out.
    await page.goto('/?q=over&vol=many');
    await row(page, quiet).waitFor();
  });

  it('shows the change and the volume of a window, and the day as a line', async () => {
    const { page } = await visit('');
    await page.route('**/v1/market/prices?**', async (route) => {
      const answer = await route.fetch();
      const { items } = (await answer.json()) as { items: { mint: string }[] };
      const cap = '20000000000';
      const old = { marketCap5m: cap, marketCap1h: '1000000000000', volume5m: '7000000000' };
      await route.fulfill({ response: answer, json: { items: items.map((each) => ({ ...each, ...old })) } });
    });
    await page.goto('/?q=overbusy');
    const change = row(page, busy).locator('.last-on-phone');
    await row(page, busy).locator('.spark polyline').waitFor({ state: 'attached' });
    const day = await change.innerText();
    await page.getByRole('button', { name: '5 min' }).click();
    await page.waitForURL('/?q=overbusy&window=5m');
    await row(page, busy).getByText('7 SOL', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Volume 5 min' }).waitFor();
    expect(await change.innerText())
      .to.match(/^up\s\+\d{3}/)
      .and.not.equal(day);
    await page.getByRole('button', { name: '1 h', exact: true }).click();
    await change.filter({ hasText: /^down\s−8\d/ }).waitFor();
  });

  it('finds a part of a name, and its rows by the arrow keys', async () => {
    const { page } = await visit('/');
    await page.getByRole('searchbox').first().fill('verquie');
    await row(page, busy).waitFor({ state: 'detached' });
    await row(page, quiet).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/t/${quiet}`);
  });

  it('has three columns on a wide screen', async () => {
    const { page } = await visit('/', { viewport: { width: 1_700, height: 900 } });
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await column('Filling up').locator(`[data-mint="${busy}"]`).waitFor();
    await column('Graduated').locator(`[data-mint="${gone}"]`).waitFor();
    await column('New').locator(`[data-mint="${quiet}"]`).waitFor();
    expect(await column('Graduated').locator(`[data-mint="${busy}"]`).count()).to.equal(0);
    await page.getByRole('tab', { name: 'Trending' }).click();
    await column('Filling up').waitFor({ state: 'detached' });
    await row(page, busy).waitFor();
  });

  it('has the pages in a bar at the bottom of a phone, below the buttons that trade', async () => {
    const { page } = await visit('/', { viewport: { width: 360, height: 740 } });
    const bar = page.getByRole('navigation').filter({ visible: true });
    const bottom = async () => {
      const { y, height } = (await bar.boundingBox())!;
      return y + height;
    };
    await bar.getByRole('link', { name: 'Rewards' }).waitFor();
    expect(await bottom()).to.equal(740);
    await page.goto(`/t/${busy}`);
    const buy = page.locator('.phone-bar').getByRole('button', { name: 'Buy' });
    const box = (await buy.boundingBox())!;
    expect(box.y + box.height).to.be.at.most((await bar.boundingBox())!.y);
    await bar.getByRole('link', { name: 'Launch' }).click();
    await page.waitForURL('**/launch');
  });
});
