// A user's session from the URL that `npm start` prints: wallet, launch, trades, graduation, reward. threat: framed-page
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { fund, lamportsOf } from '#tests/browser/chain.js';
import { ledgerEnvelope } from '#tests/service/envelopes.js';
import { eventually } from '#tests/service/service.js';
import { addWallet } from '#tests/browser/wallets.js';
import { allow, ask, connect, connectBurner, getTestSol, trade } from '#tests/browser/people.js';
import { stage, visit, type Visit } from '#tests/browser/stage.js';

const GRADUATION_SOL = 120n;
/** Notes the steps of a launch as they are shown. */
const NOTE_STEPS = `
  globalThis.noted = [];
  const steps = document.querySelector('[data-testid="steps"]');
  new MutationObserver(() => noted.push(steps.dataset.at)).observe(steps, { attributeFilter: ['data-at'] });
`;

/** Claims one after the other until one is paid. The page says why another is not: its trades are not final, or it is less than the costs. */
async function untilPaid(claims: Locator): Promise<void> {
  let said = '';
  let tries = 0;
  await eventually(
    async () => {
      const mint = await claims.nth(tries++ % (await claims.count())).getAttribute('data-mint');
      const claim = claims.page().locator(`[data-mint="${mint}"]`);
      await claim.getByRole('button', { name: 'Claim SOL' }).click();
      // It is disabled until the claim has ended.
      await claim.locator(':disabled').first().waitFor({ state: 'detached', timeout: 120_000 });
      said = await claim.getByRole('status').innerText();
      return said === '✓ Paid';
    },
    () => `a payment, not: ${said}`,
    120_000,
  );
}

describe('a session on the launchpad', function () {
  this.timeout(120_000);
  let first: Visit;
  let page: Page;
  let wallet: string;
  let mint: string;

  before(async () => {
    first = await visit('/');
    ({ page } = first);
  });
  after(() => page.context().close());

  it('shows the tokens of the board', async () => {
    const { launchpad } = await stage();
    for (const { name } of launchpad.tokens)
      await page.getByRole('row').filter({ hasText: name }).first().waitFor();
    expect(await page.title()).to.match(/Curvekit/);
  });

  it('connects the burner wallet, and funds it with one click', async () => {
    wallet = await connectBurner(page);
    await getTestSol(page);
    expect(await lamportsOf(new PublicKey(wallet))).to.equal(10_000_000_000);
  });

  it('launches a token with a first buy', async () => {
    await page.getByRole('link', { name: 'Launch', exact: true }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Story of a Boat');
    await page.getByLabel('Symbol', { exact: true }).fill('STORY');
    await page.getByLabel('Your first buy').fill('1');
    await page.getByText('of the supply').waitFor();
    await page.evaluate(NOTE_STEPS);
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.waitForURL('**/t/*', { timeout: 60_000 });
    // Each step while it lasts: a wallet that has signed is not asked to sign.
    expect(await page.evaluate('noted')).to.deep.equal(['upload', 'sign', 'confirm', 'done']);
    mint = new URL(page.url()).pathname.split('/')[2] ?? '';
    await page.getByRole('heading', { name: /Story of a Boat/, level: 1 }).waitFor();
    await page.getByTestId('trades').getByRole('row').filter({ hasText: 'you' }).waitFor();
  });

  it('buys, and shows the trade, the balance and the price', async () => {
    const before = await page.getByTestId('cap').innerText();
    await ask(page, 'You pay', '0.5');
    await page.getByTestId('out').filter({ hasText: /\d/ }).waitFor();
    const signature = await trade(page);
    await page.locator(`tr[data-signature="${signature}"]`).filter({ hasText: 'Buy' }).waitFor();
    await page.waitForFunction(
      (cap) => document.querySelector('[data-testid="cap"]')?.textContent !== cap,
      before,
    );
    const { cluster } = (await stage()).launchpad;
    const status = await cluster.connection.getSignatureStatus(signature);
    expect(status.value?.err).to.equal(null);
  });

  it('sells half of the tokens', async () => {
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByRole('button', { name: '50 %', exact: true }).click();
    const signature = await trade(page);
    await page.locator(`tr[data-signature="${signature}"]`).filter({ hasText: 'Sell' }).waitFor();
  });

  it('buys all remaining tokens, and shows the graduation', async () => {
    await fund(new PublicKey(wallet), GRADUATION_SOL);
    await page.reload();
    await page
      .getByTestId('account')
      .filter({ hasText: /1\d\d(\.\d+)? SOL/ })
      .waitFor();
    await ask(page, 'You pay', '110');
    await page.getByTestId('graduates').waitFor();
    await page.getByTestId('submit').click();
    // A price impact this large needs a second click.
    await page.getByRole('button', { name: 'Buy anyway' }).click();
    const banner = page.getByTestId('graduated');
    // Counted up to what the curve holds.
    await banner
      .getByTestId('raised')
      .filter({ hasText: /^8[45]\.\d+ SOL$/ })
      .waitFor();
  });

  it('trades in the pool', async () => {
    await page
      .getByTestId('graduated')
      .filter({ hasText: 'trades in its pool now' })
      .waitFor({ timeout: 60_000 });
    await page.getByLabel('You pay', { exact: true }).waitFor();
    await allow(page, '10 %');
    await ask(page, 'You pay', '1');
    await page.getByText('Your buy in the pool').waitFor();
    const { cluster } = (await stage()).launchpad;
    const status = await cluster.connection.getSignatureStatus(await trade(page));
    expect(status.value?.err).to.equal(null);
  });

  it('keeps the wallet connected after a reload, until the user disconnects it', async () => {
    await page.reload();
    await page.getByTestId('account').click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Connect wallet' }).waitFor();
    expect(mint).to.have.length.within(32, 44);
  });

  it('pays a referral reward to a wallet without SOL', async function () {
    this.timeout(300_000);
    const { launchpad } = await stage();
    const { page: rewards, complaints } = await visit('');
    await addWallet(rewards, {
      name: 'Payout',
      keypair: launchpad.payoutWallet.keypair,
      // As a signing device does, it puts its texts into an envelope.
      enveloping: (message) => ledgerEnvelope({ text: new TextDecoder().decode(message), format: 1 }),
    });
    await rewards.goto('/rewards');
    await connect(rewards, 'Payout');
    await rewards.getByRole('button', { name: 'Sign to see my rewards' }).click();
    const claims = rewards
      .getByRole('listitem')
      .filter({ has: rewards.getByRole('button', { name: 'Claim SOL' }) });
    await claims.first().waitFor();
    const balance = () => lamportsOf(launchpad.payoutWallet.keypair.publicKey);
    const before = await balance();
    await untilPaid(claims);
    const paid = await balance();
    expect(paid).to.be.greaterThan(before);
    // Simulated users go on trading, so every token has rewards again.
    const all = rewards.getByRole('button', { name: 'Claim all SOL' });
    const lookAgain = rewards.getByRole('button', { name: 'Look again' });
    await eventually(async () => {
      await lookAgain.click();
      await lookAgain.and(rewards.locator(':enabled')).waitFor();
      return all.isVisible();
    }, 'rewards of two tokens');
    // One that the service refuses holds up no other.
    const refusal = { code: 'CLAIM_ERROR', message: 'not this one' };
    const enabled: number[] = [];
    await rewards.route('**/initiate', async (route) => {
      const buttons = rewards.getByRole('button', { name: /^Claim/ }).and(rewards.locator(':enabled'));
      if (enabled.push(await buttons.count()) > 1) return route.continue();
      return route.fulfill({ status: 400, json: refusal });
    });
    const asked = await claims.count();
    await all.click();
    await rewards.locator('main :disabled').first().waitFor({ state: 'detached', timeout: 120_000 });
    expect(enabled, 'buttons that claim, meanwhile').to.deep.equal(Array(asked).fill(0));
    expect(await balance()).to.be.greaterThan(paid);
    await untilPaid(claims.filter({ hasText: refusal.message }));
    expect(complaints).to.deep.equal([]);
    await rewards.context().close();
  });

  it('violates no security policy', () => {
    expect(first.complaints).to.deep.equal([]);
  });
});
