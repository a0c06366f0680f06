// What saves a user a step: keys, addresses in the search, links completed, drafts kept, names instead of addresses.
import { expect } from 'chai';
import { buyTokens, fund, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { connect, untilBalance } from '#tests/browser/people.js';
import { asFromCdn, stage, START_TIMEOUT_MS, useVisits } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';
import type { Keypair } from '@solana/web3.js';

const WALLET = 'Test wallet';

describe('the page saves steps', function () {
  this.timeout(120_000);
  let address: string;
  let holder: Keypair;
  const visit = useVisits();

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await stage();
    holder = await fundedWallet(5n);
    const token = await launchToken('Easy Chair', 'EASY');
    address = token.address;
    await buyTokens(token.mint, '1', holder);
  });

  it('when an address is pasted into the search', async () => {
    const { page } = await visit('/launch');
    const search = page.getByRole('searchbox').first();
    await search.fill(` ${address} `);
    await search.press('Enter');
    await page.waitForURL(`**/t/${address}`);
    await page.getByRole('heading', { name: /Easy Chair/ }).waitFor();
    const wallet = holder.publicKey.toBase58();
    await search.fill(wallet);
    await search.press('Enter');
    await page.getByRole('link', { name: 'See it as a wallet' }).click();
    await page.waitForURL(`**/w/${wallet}`);
    // Its trades name the token.
    await page.getByRole('tab', { name: 'Trades' }).click();
    await page.getByRole('tabpanel').getByRole('link', { name: 'EASY', exact: true }).waitFor();
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

  it('by showing a deposit within 10 s, and at once when the page is shown again', async () => {
    const { page } = await visit('');
    const keypair = await fundedWallet(1n);
    await page.clock.install();
    await addWallet(page, { name: WALLET, keypair });
    await page.goto('/terms');
    await connect(page, WALLET);
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
    await asFromCdn(page);
    await page.route('**/v1/market/config', async (route) => {
      const answer = await route.fetch();
      const config = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...config, chain: 'solana:mainnet' } });
    });
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
});
