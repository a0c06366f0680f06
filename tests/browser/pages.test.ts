// The pages by eye, by keyboard, by screen reader, on a phone, and with hostile token names. threat: html-name, script-end
import AxeBuilder from '@axe-core/playwright';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { launchToken } from '#tests/browser/chain.js';
import { connectBurner, enter } from '#tests/browser/people.js';
import { asFromCdn, stage, useVisits } from '#tests/browser/stage.js';
import type { TokenPage } from '@curvekit/sdk/market';
import { eventually } from '#tests/service/service.js';
import { PAGES } from '../../web/src/pages/table.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const NOBODY = 'So11111111111111111111111111111111111111112';
/** A name of the maximum length. Unescaped, it would end the data that the service writes into the document. */
const HOSTILE = '</script><img src=x onerror=a()>';

/** Visible texts and the names of controls, without addresses and what people have written. */
const TEXTS = `(() => {
  const said = [];
  const skip = 'script, style, noscript, .mono, select, canvas, a[target=_blank], bdi, [dir=auto]';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (parentElement.closest(skip) === null && parentElement.checkVisibility()) said.push(nodeValue);
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    if (element.closest(skip) === null)
      for (const name of ['aria-label', 'placeholder']) said.push(element.getAttribute(name) ?? '');
  return said;
})()`;
const UNTRANSLATED =
  'SOL Solana SOLs curvekit Curvekit localnet TradingView RPC slot Telegram Discord JPEG PNG WebP GIF https'.split(
    ' ',
  );

interface Trades {
  readonly items: readonly { readonly signature: string }[];
}

describe('the pages', function () {
  this.timeout(120_000);
  let address: string;
  let creator: string;
  let paths: readonly (readonly [string, (page: Page) => Promise<unknown>])[];
  const visit = useVisits();

  before(async () => {
    const { launchpad, url } = await stage();
    address = launchpad.tokens[0]!.mint.toBase58();
    creator = launchpad.cluster.payer.publicKey.toBase58();
    let signature: string | undefined;
    await eventually(async () => {
      const { items } = (await (await fetch(`${url}/v1/market/tokens/${address}/trades`)).json()) as Trades;
      signature = items[0]?.signature;
      return signature !== undefined;
    }, 'a trade');
    paths = [
      ['/', (page) => page.locator('tr[data-mint]').first().waitFor()],
      [`/t/${address}`, (page) => page.getByTestId('trades').waitFor()],
      ['/launch', (page) => page.getByRole('button', { name: /Connect a wallet to launch/ }).waitFor()],
      ['/rewards', (page) => page.getByText('Connect a wallet to see').waitFor()],
      [`/w/${creator}`, (page) => page.getByRole('tab', { name: 'Holdings' }).waitFor()],
      ['/terms', (page) => page.getByRole('heading', { name: 'What can go wrong' }).waitFor()],
      ['/nowhere', (page) => page.getByRole('heading', { name: 'There is no such page' }).waitFor()],
      [`/r/${signature}`, (page) => page.getByTestId('receipt').waitFor()],
      [`/t/${NOBODY}`, (page) => page.getByRole('heading', { name: /no such token/ }).waitFor()],
    ];
    const seen = paths.map(([path]) => path.replace(/\w{64,}/, ':signature').replace(/\w{32,}/, ':address'));
    expect(seen, 'every page').to.include.members(Object.values(PAGES));
  });

  it('are beside what programs that write code read', async () => {
    const { url } = await stage();
    const [list, full] = await Promise.all(
      ['/llms.txt', '/llms-full.txt'].map(async (path) => (await fetch(url + path)).text()),
    );
    expect(list)
      .to.match(/^# Curvekit\n\n> /)
      .and.to.contain('/openapi.json');
    for (const [, path = ''] of list!.matchAll(/^- \[([\w/-]+\.md)\]/gm))
      expect(full).to.contain(`<!-- ${path} -->`);
    expect(full).to.contain('POST /v1/market/fee-shares/{mint}');
  });

  it('in Chinese have no English word left but names', async () => {
    const { page, complaints } = await visit('', { locale: 'zh-CN' });
    const { url } = await stage();
    // Names that people gave, also in the tests before this one, names of things, and units.
    const listed = (await (await fetch(`${url}/v1/market/tokens?limit=100`)).json()) as TokenPage;
    const names = listed.items.flatMap(({ name, symbol }) => [...name.split(' '), symbol]);
    const named = new Set([...names, ...UNTRANSLATED]);
    const look = async (where: string) => {
      const said = await page.evaluate<string[]>(TEXTS);
      const left = said.flatMap((text) => text.match(/\p{Script=Latin}{2,}/gu) ?? []);
      expect(
        left.filter((word) => !named.has(word)),
        where,
      ).to.deep.equal([]);
      expect(said.join(''), where).to.match(/\p{Script=Han}/u);
    };
    for (const [path] of paths) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await look(path);
    }
    await page.goto(`/t/${address}`);
    for (const tab of ['持有者', '简介', '毕业']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.locator('[role=tabpanel] p, [role=tabpanel] td').first().waitFor();
      await look(tab);
    }
    expect(complaints).to.deep.equal([]);
    // The reader's choice is kept, for every later page.
    await page.getByRole('combobox', { name: '语言' }).selectOption('English');
    await page.getByRole('tab', { name: 'Trades' }).waitFor();
    await page.goto('/terms');
    await page.getByRole('heading', { name: 'What can go wrong' }).waitFor();
    await page.goto('/terms?lang=zh');
    await page.getByRole('heading', { name: '可能出的问题' }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: '代币', level: 1 }).waitFor();
  });

  for (const colorScheme of ['dark', 'light'] as const) {
    it(`have no violation found by axe, ${colorScheme}`, async () => {
      const found: string[] = [];
      const look = async (page: Page, where: string) => {
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        found.push(...violations.map(({ id, nodes }) => `${where} ${id}: ${nodes[0]?.html.slice(0, 160)}`));
      };
      // Axe keeps one core busy, so two visitors take half the time.
      const half = paths.length / 2;
      const complaints = await Promise.all(
        [paths.slice(0, half), paths.slice(half)].map(async (part) => {
          const visitor = await visit('', { colorScheme });
          for (const [path, ready] of part) {
            await visitor.page.goto(path);
            await ready(visitor.page);
            for (const width of [820, 1920, 320]) {
              await visitor.page.setViewportSize({ width, height: 860 });
              await look(visitor.page, `${path} at ${width} px`);
            }
            await visitor.page.setViewportSize({ width: 1280, height: 860 });
          }
          return visitor.complaints;
        }),
      );
      expect(found).to.deep.equal([]);
      expect(complaints.flat()).to.deep.equal([]);
    });
  }

  it('have no violation found by axe in the wallet list and the account dialog', async () => {
    const { page } = await visit('/');
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await page.getByRole('button', { name: 'Burner (localnet)' }).waitFor();
    const list = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    await page.keyboard.press('Escape');
    await connectBurner(page);
    await page.getByTestId('account').click();
    const account = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    expect([...list.violations, ...account.violations].map(({ id }) => id)).to.deep.equal([]);
  });

  it('have no violation found by axe in the rewards of a wallet', async () => {
    const { page } = await visit('');
    await enter(page, '/rewards', {
      name: 'Payout',
      keypair: (await stage()).launchpad.payoutWallet.keypair,
    });
    await page.getByRole('button', { name: 'Sign to see my rewards' }).click();
    // Simulated users trade, and each trade makes a reward.
    const reward = page.locator('li.reward').first();
    await eventually(async () => {
      await page.getByRole('button', { name: 'Look again' }).click();
      return reward.isVisible();
    }, 'a reward');
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    expect(violations.map(({ id }) => id)).to.deep.equal([]);
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await visit('/');
    await page.locator('tr[data-mint]').first().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to content');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).to.equal('search');
    const { symbol } = (await stage()).launchpad.tokens[0]!;
    await page.keyboard.type(symbol);
    await page.getByRole('heading', { name: `Results for “${symbol}”` }).waitFor();
    await page.locator(`tr[data-mint="${address}"] a`).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/t/${address}`);
    await page.getByTestId('trades').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).to.equal('main');
    await page.keyboard.press('s');
    await page.getByLabel('You sell', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Connect wallet' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('bring a keyboard to the trade box with three presses of Tab', async () => {
    const { page } = await visit(`/t/${address}`);
    await page.getByLabel('You pay', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).to.equal('Skip to trading');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('#trade') !== null)).to.equal(true);
  });

  it('say what is wrong with a launch where the user sees it, and ask twice about a large first buy', async () => {
    const { page } = await visit('/launch', { viewport: { width: 360, height: 740 } });
    await connectBurner(page);
    const launch = page.getByRole('button', { name: 'Launch', exact: true });
    await launch.click();
    const name = page.getByLabel('Name', { exact: true });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    expect(await name.evaluate((field) => field === document.activeElement)).to.equal(true);
    const { y } = (await name.boundingBox())!;
    expect(y).to.be.within(0, 740);
    await name.fill('\u3164\u200b');
    await page.getByText('Nobody would see it: add a letter.').waitFor();
    await name.fill('Large First Buy');
    await page.getByLabel('Symbol', { exact: true }).fill('LARGE');
    const firstBuy = page.getByLabel('Your first buy, SOL');
    await firstBuy.fill('99999999999');
    await page.getByText('More than exists.').waitFor();
    await firstBuy.fill('１００');
    await page
      .getByTestId('risk')
      .filter({ hasText: /creator holds 79.3 %.*graduates at once.*14\.\d+ SOL of it are not spent/ })
      .waitFor();
    await launch.click();
    await page.getByRole('button', { name: 'Launch with this first buy' }).waitFor();
  });

  it('name the other tokens that have a name, on the page and before a launch', async () => {
    const [otter] = [await launchToken('Otter Pond', 'OTTP'), await launchToken('OTTER P\u041eND', 'POND')];
    const { page } = await visit(`/t/${otter.address}`);
    await page.getByTestId('same').filter({ hasText: '1 other is named Otter Pond' }).waitFor();
    await page.goto('/launch');
    await page.getByLabel('Name', { exact: true }).fill('otter p\u043end');
    await page.getByTestId('same').filter({ hasText: '2 others are named otter p\u043end' }).waitFor();
  });

  it('come back by themselves when the service was away as a page was opened', async () => {
    const { page } = await visit('/');
    await page.locator('tr[data-mint]').first().waitFor();
    await page.route('**', (route) => route.abort());
    await page.getByRole('link', { name: 'Launch', exact: true }).first().click();
    await page.getByText('A part of the page cannot be loaded.').waitFor();
    await page.unroute('**');
    await page.getByRole('heading', { name: 'Launch a token' }).waitFor();
  });

  it('show hostile names as text', async () => {
    const token = await launchToken(HOSTILE, '\u202eEVIL');
    const { page, complaints } = await visit(`/t/${token.address}`);
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await page.locator('main img[src="x"]').count()).to.equal(0);
    expect(await page.locator('h1').innerText()).not.to.match(/\u202e/);
    await page.goto('/');
    await page.locator(`tr[data-mint="${token.address}"]`).filter({ hasText: HOSTILE }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('draw a token from the data in the document, before the API answers', async () => {
    const { page, complaints } = await visit('');
    const held: Route[] = [];
    let answers = false;
    await page.route('**/v1/market/**', (route) => (answers ? route.continue() : void held.push(route)));
    await page.goto(`/t/${address}`);
    const { name } = (await stage()).launchpad.tokens[0]!;
    await page.getByRole('heading', { name }).waitFor();
    await page.getByTestId('cap').filter({ hasText: 'SOL' }).waitFor();
    await page.getByTestId('curve').locator('svg').waitFor();
    expect(await page.title()).to.contain(name);
    expect(await page.getByTestId('trades').count()).to.equal(0);
    answers = true;
    await Promise.all(held.map((route) => route.continue()));
    await page.getByTestId('trades').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('say when the service does not answer, and recover', async () => {
    const { page } = await visit('');
    await asFromCdn(page);
    await page.route('**/v1/market/config', (route) => route.abort());
    await page.goto('/');
    await page.getByRole('heading', { name: 'The service does not answer' }).waitFor();
    await page.unroute('**/v1/market/config');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('tr[data-mint]').first().waitFor();
  });

  it('keep the chosen theme after a reload, and print light', async () => {
    const { page } = await visit('/');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click();
    await page.emulateMedia({ media: 'print' });
    expect(await background()).to.equal('rgb(246, 247, 245)');
    await page.emulateMedia({ media: 'screen' });
    expect(await background()).not.to.equal('rgb(246, 247, 245)');
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Light' }).click();
    await page.reload();
    await page.locator('tr[data-mint]').first().waitFor();
    expect(await background()).to.equal('rgb(246, 247, 245)');
  });
});
