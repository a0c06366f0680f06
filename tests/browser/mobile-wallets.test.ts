// Wallet apps of Android, in the browser that people have there.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fundedWallet, launchToken } from '#tests/browser/chain.js';
import { ask, connect, trade } from '#tests/browser/people.js';
import { asFromCdn, stage, START_TIMEOUT_MS, useVisits } from '#tests/browser/stage.js';
import { addWalletApp } from '#tests/browser/wallet-app.js';

const NAME = 'Mobile Wallet Adapter';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`;
const OTHERS = {
  'a computer': undefined,
  'an iPhone': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15',
  'Firefox on Android': 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  "a wallet app's own browser": `Mozilla/5.0 (Linux; Android 10; K; wv) ${CHROME.replace('Chrome', 'Version/4.0 Chrome')}`,
};

describe('wallet apps of Android', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    path = `/t/${(await launchToken('Pocket Money', 'POCKET')).address}`;
  });

  /** A visitor of a page for mainnet, with the scripts that were transferred. */
  async function visitor(userAgent: string | undefined) {
    const { page, complaints } = await visit('', userAgent === undefined ? {} : { userAgent });
    const scripts: string[] = [];
    page.on('response', (response) => scripts.push(new URL(response.url()).pathname));
    await asFromCdn(page);
    await page.route('**/v1/market/config', async (route) => {
      const answer = await route.fetch();
      const config = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...config, chain: 'solana:mainnet' } });
    });
    return { page, complaints, scripts: () => scripts.filter((script) => /\/mobile-/.test(script)) };
  }
  /** What the browser asks for before a page reaches an app on the device. */
  async function setPermission(page: Page, setting: 'granted' | 'denied'): Promise<void> {
    const { browser, url } = await stage();
    const ofPage = await page.context().newCDPSession(page);
    const { browserContextId } = (await ofPage.send('Target.getTargetInfo')).targetInfo;
    // Kept open, because its end takes the permission back.
    const devtools = await browser.newBrowserCDPSession();
    const permission = { name: 'loopback-network' };
    const { origin } = new URL(url);
    await devtools.send('Browser.setPermission', {
      permission,
      setting,
      origin,
      browserContextId: browserContextId!,
    });
  }
  const list = async (page: Page) => {
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('dialog').getByText('Get Phantom').waitFor();
    return page.getByRole('dialog').getByRole('button', { name: NAME });
  };

  it('connect, sign messages and trade', async () => {
    const keypair = await fundedWallet(5n);
    const { page, complaints } = await visitor(ANDROID);
    const app = await addWalletApp(page, keypair);
    await setPermission(page, 'granted');
    try {
      await page.goto(path);
      expect(await connect(page, NAME)).to.equal(keypair.publicKey.toBase58());
      await ask(page, 'You pay', '0.1');
      await trade(page);
      await page.getByRole('link', { name: 'Rewards' }).first().click();
      await page.getByRole('button', { name: 'Sign to see my rewards' }).click();
      await page.getByTestId('claimable').waitFor();
      expect(app.calls).to.include.members(['authorize', 'sign_transactions', 'sign_messages']);
      // The library's own dialogs are refused, and nothing else.
      expect(complaints.filter((text) => !text.includes('TrustedHTML'))).to.deep.equal([]);
      // A page that is opened again has the wallet, without opening the app.
      const before = app.calls.length;
      await page.goto(path);
      await page.getByTestId('account').waitFor();
      expect(app.calls.length).to.equal(before);
    } finally {
      app.stop();
    }
  });

  it('are offered, and what to do without one is said', async () => {
    const { page, scripts } = await visitor(ANDROID);
    await page.goto('/terms');
    await page.getByRole('button', { name: 'Connect wallet' }).first().waitFor();
    expect(scripts()).to.deep.equal([]);
    await setPermission(page, 'denied');
    const choice = await list(page);
    await choice.click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Your browser does not let this page reach wallet apps.' })
      .waitFor();
    await setPermission(page, 'granted');
    await choice.click();
    await page.getByRole('alert').filter({ hasText: 'No wallet app on this device has answered.' }).waitFor();
    await page.getByRole('link', { name: 'Open in Phantom' }).waitFor();
    expect(scripts().length).to.equal(1);
  });

  for (const [where, userAgent] of Object.entries(OTHERS))
    it(`are not offered to ${where}, and none of their code is transferred`, async () => {
      const { page, scripts } = await visitor(userAgent);
      await page.goto('/terms');
      const offered = await list(page);
      expect(await offered.count()).to.equal(0);
      expect(scripts()).to.deep.equal([]);
    });
});
