// The page when its own files or the browser's storage are missing: after a deployment, on a bad network, with storage
// blocked or full. threat: mixed-versions
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { fundedWallet, launchToken } from '#tests/browser/chain.js';
import { allow, ask, connect } from '#tests/browser/people.js';
import { asFromCdn, useVisits } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';

const CHART = '**/assets/chart-card-*.js';
const REWARDS = '**/assets/rewards-*.js';
const OTHER_VERSION = 'There is a new version of this page. Reload it.';
const BLOCKED_STORAGE = `
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    });
`;
const FULL_STORAGE = `
  Storage.prototype.setItem = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
  };
`;

describe('the page without something of its own', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async () => {
    path = `/t/${(await launchToken('Patient Stone', 'STONE')).address}`;
  });

  async function blank(): Promise<Page> {
    const { page } = await visit('');
    return page;
  }

  /** From here on, the service has another version of the page: other names, and the files of this one are gone. */
  async function deployAnother(page: Page, files: string): Promise<void> {
    await page.route(files, (route) => route.fulfill({ status: 404, body: 'no such file' }));
    await page.route('**/', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll('/index-', '/other-') });
    });
  }

  it('keeps the rest when a part does not load, and loads it on demand', async () => {
    const page = await blank();
    const refuse = (route: Route) => route.abort();
    await page.route(CHART, refuse);
    await page.goto(path);
    const problem = page.getByRole('alert').filter({ hasText: 'cannot be loaded. Check your connection.' });
    await problem.waitFor();
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('out').filter({ hasText: /\d/ }).waitFor();
    await page.unroute(CHART, refuse);
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.getByTestId('chart').locator('canvas').first().waitFor();
    expect(await page.getByLabel('You pay', { exact: true }).inputValue()).to.equal('0.1');
  });

  it('says that there is a new version, and loads nothing anew while a user types', async () => {
    const page = await blank();
    await deployAnother(page, CHART);
    await page.goto(path);
    await page.getByRole('alert').filter({ hasText: OTHER_VERSION }).waitFor();
    await ask(page, 'You pay', '0.1');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByTestId('chart').locator('canvas').first().waitFor();
  });

  it('reloads itself once when a user opens a page of another version', async () => {
    const page = await blank();
    await page.goto('/');
    await page.locator('tr[data-mint]').first().waitFor();
    await deployAnother(page, REWARDS);
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    await page.getByRole('link', { name: 'Rewards' }).first().click();
    // The new version does not load either, so it stays at one reload.
    await page.getByRole('alert').filter({ hasText: OTHER_VERSION }).waitFor();
    await page.waitForTimeout(3_000);
    expect(documents).to.equal(1);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'Rewards' }).waitFor();
  });

  for (const [storage, script] of [
    ['blocked', BLOCKED_STORAGE],
    ['full', FULL_STORAGE],
  ] as const) {
    it(`trades with ${storage} storage`, async () => {
      const page = await blank();
      await page.addInitScript(script);
      await addWallet(page, { keypair: await fundedWallet(5n) });
      await asFromCdn(page);
      await page.goto(path);
      await connect(page);
      await allow(page, '3 %');
      await ask(page, 'You pay', '0.1');
      await page.getByTestId('submit').click();
      await page.getByTestId('done').waitFor();
    });
  }
});
