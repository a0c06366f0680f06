// What saves a user a step: keys, addresses in the search, links completed, drafts kept, names instead of addresses.
import { expect } from 'chai';
import { buyTokens, fund, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { enter, untilBalance } from '#tests/browser/people.js';
import { changeConfig, stage, useVisits } from '#tests/browser/stage.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { eventually } from '#tests/service/service.js';
import type { Keypair } from '@solana/web3.js';

describe('the page saves steps', function () {
  this.timeout(120_000);
  let address: string;
  let holder: Keypair;
  const visit = useVisits();

  before(async () => {
    holder = await fundedWallet(9n);
    const token = await launchToken('Easy Chair', 'EASY');
    address = token.address;
    await buyTokens(token.mint, '1', holder);
  });

  it('with a list of results while typing, and a creator’s tokens', async () => {
    const { page } = await visit(`/t/${address}`);
    const search = page.getByRole('searchbox').first();
    const found = page.getByRole('region', { name: 'Tokens found' });
    await search.fill('cha');
    await found.getByRole('link', { name: /Easy Chair/ }).waitFor();
    await page.keyboard.press('Escape');
    await found.waitFor({ state: 'detached' });

    const { creator } = (await (await page.request.get(`/v1/market/tokens/${address}`)).json()) as {
      creator: string;
    };
    await search.fill(creator);
    await found.getByRole('link', { name: /^Wallet .*: its tokens and trades$/ }).waitFor();
    await found.getByRole('link', { name: /Easy Chair/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/w/${creator}`);
    expect(await search.inputValue()).to.equal('');

    await page.goto(`/?q=${creator}`);
    await page.locator(`tr[data-mint="${address}"]`).waitFor();
    expect(await page.locator('tr[data-mint]').count()).to.equal(1);
  });

  it('by saying when the share of a graduated token is counted', async () => {
    const owner = await fundedWallet(100n);
    const token = await launchToken('Over Train', 'TRAIN');
    await buyTokens(token.mint, '95', owner);
    const { database } = (await stage()).launchpad.service.context;
    const [startedAt, periodMs] = [Date.now() - 60_000, 3_600_000];
    const columns = { seedHash: '00'.repeat(32) };
    const said = `counted at ${new Date(startedAt + periodMs).toTimeString().slice(0, 5)}.`;
    const { page } = await visit('');
    await enter(page, '/rewards', { keypair: owner });
    await page.getByRole('button', { name: 'Sign to see my rewards' }).waitFor();
    expect(await page.getByTestId('counted').count()).to.equal(0);
    await eventually(async () => {
      const answer = await page.request.get(`/v1/market/tokens/${token.address}`);
      return ((await answer.json()) as { venue: string }).venue === 'pool';
    }, 'the pool');
    const own = { state: 'sampling', periodMs, columns } as const;
    await insertOpenSettlement(database, token.address, startedAt, own);
    await page.reload();
    await page
      .getByTestId('counted')
      .filter({ hasText: /^TRAIN graduated \d+ (s|min) ago: your share is / })
      .filter({ hasText: said })
      .waitFor();
  });

  it('with three sentences for a stranger, until they are closed', async () => {
    const { page } = await visit('/');
    const intro = page.getByRole('region', { name: 'How it works' });
    await intro.getByText(/^At \d+(\.\d+)? SOL a pool opens\.$/).waitFor();
    await intro.getByRole('button', { name: 'Close' }).click();
    await intro.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('tr[data-mint]').first().waitFor();
    expect(await intro.count()).to.equal(0);
  });

  it('with dollars at today’s price of SOL, with its age, and none at an old one', async () => {
    const { page } = await visit('');
    await changeConfig(page, { solUsd: '150', solUsdAge: 20 });
    await page.goto(`/t/${address}`);
    const cap = page.locator('.stats .lead');
    const worth = async () => {
      const { marketCap } = (await (await page.request.get(`/v1/market/tokens/${address}`)).json()) as {
        marketCap: string;
      };
      return `$${Number(((Number(marketCap) / 1e9) * 0.15).toPrecision(3))}K`;
    };
    await cap.getByText(await worth()).waitFor();
    await page
      .getByRole('button', { name: 'Dollars' })
      .filter({ hasText: /^1 SOL = \$150 · 2\d s ago$/ })
      .waitFor();
    await page.getByLabel('You pay', { exact: true }).fill('0.5');
    await page.getByText('≈ $75.00').waitFor();
    await cap.getByText('SOL').click();
    await page.keyboard.press('u');
    await cap.getByText('$').waitFor({ state: 'detached' });
    await page.reload();
    await cap.getByText('SOL').waitFor();
    expect(await cap.innerText()).not.to.contain('$');
    await page.keyboard.press('u');
    await cap.getByText('$').waitFor();
    await page.unroute('**/v1/market/config');
    await changeConfig(page, { solUsd: '150', solUsdAge: 301 });
    await page.reload();
    await cap.getByText('SOL').waitFor();
    expect(await page.locator('body').innerText()).not.to.contain('$');
  });

  it('by watching tokens, and telling when one has moved by a fifth', async () => {
    const { page } = await visit('');
    await page.addInitScript(`
      globalThis.told = [];
      globalThis.Notification = class {
        static requestPermission = async () => 'granted';
        constructor(text) { told.push(text); }
      };
    `);
    const quiet = await launchToken('Quiet Hour', 'QUIET');
    await page.goto('/');
    await page.getByRole('button', { name: 'Watch Quiet Hour' }).click();
    await page.getByRole('tab', { name: 'Watched' }).click();
    const rows = page.locator('tr[data-mint]');
    await page.locator(`tr[data-mint="${quiet.address}"]`).waitFor();
    expect(await rows.count()).to.equal(1);
    await page.getByRole('button', { name: /^Tell me at/ }).click();
    await page.reload();
    await page.getByRole('button', { name: /^Tell me at/, pressed: true }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await buyTokens(quiet.mint, '1', holder);
    await buyTokens(quiet.mint, '2', holder);
    await eventually(async () => (await page.evaluate<number>('told.length')) > 0, 'a note');
    expect(await page.evaluate('told')).to.deep.equal(['Quiet Hour: +20.8 %']);
    await page.getByRole('button', { name: 'Watch Quiet Hour' }).click();
    await page.getByText('You watch no token yet').waitFor();
    // One more would push out another: the star says so instead.
    await page.evaluate(
      `localStorage.setItem('curvekit:watched', Array.from({ length: 50 }, (_, at) => 'mint' + at).join(' '))`,
    );
    await page.goto(`/t/${quiet.address}`);
    const star = page.getByRole('button', { name: 'Watch Quiet Hour' });
    await star.waitFor();
    expect([await star.isDisabled(), await star.getAttribute('title')]).to.deep.equal([
      true,
      'You watch 50 tokens, as many as this page remembers.',
    ]);
  });

  it('by showing a deposit within 10 s, and at once when the page is shown again', async () => {
    const { page } = await visit('');
    const keypair = await fundedWallet(1n);
    await page.clock.install();
    await enter(page, '/terms', { keypair });
    await untilBalance(page, '1 SOL');
    await fund(keypair.publicKey, 3n);
    await page.clock.fastForward(10_000);
    await untilBalance(page, '4 SOL');
    await fund(keypair.publicKey, 5n);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await untilBalance(page, '9 SOL');
  });

  it('by completing links, and keeping what was typed into the launch form', async () => {
    const { page } = await visit('/launch');
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await page.getByText('+ Links').click();
    for (const [name, typed, completed] of [
      ['Website', 'example.com/otter', 'https://example.com/otter'],
      ['X', '@otter', 'https://x.com/otter'],
      ['Telegram', 'http://t.me/otter', 'https://t.me/otter'],
      ['Discord', '@otter', '@otter'],
    ] as const) {
      await field(name).fill(typed);
      await field(name).blur();
      expect(await field(name).inputValue(), name).to.equal(completed);
      const isWrong = (await field(name).getAttribute('aria-invalid')) === 'true';
      expect(isWrong, name).to.equal(name === 'Discord');
    }
    await field('Name').fill('Patient Otter');
    await page.getByRole('link', { name: 'Board' }).first().click();
    await page.locator('tr[data-mint]').first().waitFor();
    await page.goBack();
    expect(await field('Name').inputValue()).to.equal('Patient Otter');
    await page.reload();
    expect(await field('X').inputValue()).to.equal('https://x.com/otter');
  });

  it('with links that open the page in the app of a wallet, on a phone', async () => {
    const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';
    const { page } = await visit('', { userAgent: iPhone, viewport: { width: 390, height: 740 } });
    await changeConfig(page, { chain: 'solana:mainnet' });
    await page.goto(`/t/${address}?tab=about`);
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    const { origin, href } = new URL(page.url());
    for (const [name, browse] of [
      ['Phantom', 'https://phantom.app/ul/browse/'],
      ['Solflare', 'https://solflare.com/ul/v1/browse/'],
      ['Backpack', 'https://backpack.app/ul/v1/browse/'],
    ] as const)
      expect(await page.getByRole('link', { name: `Open in ${name}` }).getAttribute('href')).to.equal(
        `${browse}${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
      );
    await page.getByRole('link', { name: 'Get Phantom' }).waitFor();
  });

  it('with a link to the AMM’s page of a pool, when the AMM has one', async () => {
    const mint = address;
    const { page } = await visit('');
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
