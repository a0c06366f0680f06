// The launch form: a picture that is pasted or dropped, the community's share, the first buy, and the card after a launch.
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { encode } from 'uqr';
import { fundedWallet } from '#tests/browser/chain.js';
import { ask, enter } from '#tests/browser/people.js';
import { useVisits } from '#tests/browser/stage.js';

const named = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Fires the event that brings a file to the page. */
async function bring(page: Page, type: 'paste' | 'drop', colour: string): Promise<void> {
  const picture = { create: { width: 40, height: 40, channels: 3 as const, background: colour } };
  const bytes = [...(await sharp(picture).png().toBuffer())];
  await page.evaluate(
    ([kind, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], 'pasted.png', { type: 'image/png' }));
      const event =
        kind === 'paste'
          ? new ClipboardEvent(kind, { clipboardData: data, bubbles: true })
          : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector(kind === 'paste' ? '[data-testid="steps"]' : '.square')!.dispatchEvent(event);
    },
    [type, bytes] as const,
  );
}

describe('the launch form', function () {
  this.timeout(120_000);
  const visit = useVisits();
  /** The form with a wallet and the token's name. */
  const filled = async (name: string, symbol: string, script = '') => {
    const visitor = await visit('');
    await visitor.page.addInitScript(script);
    await enter(visitor.page, '/launch', { keypair: await fundedWallet(5n) });
    await named(visitor.page, 'Name').fill(name);
    await named(visitor.page, 'Symbol').fill(symbol);
    return visitor;
  };
  const launch = async (page: Page) => {
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.waitForURL(/\/t\//);
  };

  for (const type of ['paste', 'drop'] as const)
    it(`takes a picture by ${type}`, async () => {
      const { page, complaints } = await visit('/launch');
      await named(page, 'Picture').waitFor();
      await bring(page, type, '#2040d0');
      await page.locator('.crop canvas').waitFor();
      const url = (await page.locator('.preview img.art').getAttribute('src')) ?? '';
      const { dominant } = await sharp(Buffer.from(url.split(',')[1]!, 'base64')).stats();
      expect(dominant.b).to.be.greaterThan(dominant.r);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.locator('.crop').waitFor({ state: 'detached' });
      expect(complaints).to.deep.equal([]);
    });

  it('says what a first buy holds, in gold when buyers would mind', async () => {
    const { page } = await visit('/launch');
    await page.getByRole('button', { name: '0.5', exact: true }).click();
    expect(await named(page, 'Your first buy, SOL').inputValue()).to.equal('0.5');
    const hold = page.getByText(/^You will hold/);
    await hold.filter({ hasText: 'You will hold 1.7 %.' }).waitFor();
    const colour = () => hold.evaluate((text) => getComputedStyle(text).color);
    const calm = await colour();
    await named(page, 'Your first buy, SOL').fill('10');
    await page.getByTestId('risk').filter({ hasText: 'Buyers see that the creator holds' }).waitFor();
    expect(await colour()).not.to.equal(calm);
    await page.getByRole('button', { name: '0', exact: true }).click();
    await hold.waitFor({ state: 'detached' });
  });

  it('opens its links when one of them stops the launch', async () => {
    const { page } = await filled('Linked', 'LINK');
    const links = page.getByText('+ Links');
    await links.click();
    await named(page, 'Discord').fill('@nobody');
    await links.click();
    await named(page, 'Discord').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await named(page, 'Discord').waitFor();
    expect(await named(page, 'Discord').evaluate((field) => field === document.activeElement)).to.equal(true);
  });

  it('launches in a browser that makes no such keys', async () => {
    const script = "SubtleCrypto.prototype.generateKey = () => Promise.reject(new Error('none'))";
    const { page, complaints } = await filled('Old Browser', 'OLD', script);
    await launch(page);
    expect(complaints).to.deep.equal([]);
  });

  it('launches a token whose fees go to several wallets, and says so to its buyers', async () => {
    const { page, complaints } = await filled('Split Heron', 'SPLIT');
    await page.getByText(/and 30 % of the fee of each trade on the curve/).waitFor();
    await page.getByText('30 % of each fee to you').click();
    await page.getByRole('button', { name: 'Several wallets' }).click();
    await page.getByText(/and nothing from trades/).waitFor();
    const [one, two] = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());
    const lines = named(page, 'A wallet in each line, with its percent');
    await lines.fill(`${one} 60\n${two} 39.5`);
    await page.getByText('each address once, together 100').waitFor();
    await lines.fill(`${one} 60\n${two} 40`);
    await launch(page);
    await page.getByRole('tab', { name: 'About' }).click();
    await page.getByText('gives 0.3 % of each trade on the curve to 2 wallets').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('gives a trader a part of the fee back where the creator chose so', async () => {
    const { page, complaints } = await filled('Cashback Crane', 'BACK');
    await page.getByText('30 % of each fee to you').click();
    await page.getByRole('button', { name: 'Your traders' }).click();
    await launch(page);
    await ask(page, 'You pay', '1');
    await page.getByText('Of the fee, 0.003 SOL comes back to you.').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('launches with the share that the keyboard has set, and shows how to share the token', async () => {
    const { page, complaints } = await filled('Shared Otter', 'SHARE');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByText('1 % of the liquidity (≈ 0.85 SOL) to the community').click();
    await page.getByText('You earn 30 % of it when the token graduates, about 0.25 SOL').waitFor();
    const handle = (part: string) => page.getByRole('slider', { name: part, exact: true });
    await handle('Burnt').press('ArrowRight');
    await handle('Liquidity').press('End');
    // It pushes the handle before it.
    await handle('Holders').fill('15');
    await page.getByText('Burnt 15 %').waitFor();
    await page.getByText('Liquidity 85 %').waitFor();
    await page.getByText('You earn nothing when the token graduates').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Launch', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await page.locator('.steps').count()).to.equal(0);
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.locator('.steps').waitFor();
    await page.waitForURL(/\/t\//);

    const card = page.getByRole('region', { name: 'Shared Otter is on the curve.' });
    const picture = card.getByRole('img', { name: 'What a shared link shows' });
    await picture.waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.launched img')!.naturalWidth === 1_200,
    );
    await card.getByRole('button', { name: 'Copy link' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor();
    const url = page.url();
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(url);
    const post = new URL((await card.getByRole('link', { name: 'Post on X' }).getAttribute('href')) ?? '');
    expect(post.searchParams.get('url')).to.equal(url);
    await card.getByRole('button', { name: 'QR code' }).click();
    const drawn = await card
      .getByRole('img', { name: `QR code of ${url}` })
      .locator('path')
      .getAttribute('d');
    const dark = encode(url).data.flat().filter(Boolean).length;
    expect(drawn!.match(/M/g)).to.have.length(dark);
    await card.getByRole('button', { name: 'Close' }).click();
    await card.waitFor({ state: 'detached' });

    const token = await page.request.get(`/v1/market/tokens/${url.split('/').at(-1)}`);
    const terms = { afterMigrationFeeBps: 100, burnBps: 1_500, holdersBps: 0, lpBps: 8_500 };
    expect(await token.json()).to.include(terms);
    expect(complaints).to.deep.equal([]);
  });
});
