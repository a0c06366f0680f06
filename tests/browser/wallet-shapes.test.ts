// Wallets that do not behave: they hang, leave by themselves, are locked. threat: silent-wallet
import { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { fundedWallet, launchToken } from '#tests/browser/chain.js';
import { ask, connect } from '#tests/browser/people.js';
import { useVisits } from '#tests/browser/stage.js';
import { addWallet, type TestWallet } from '#tests/browser/wallets.js';

describe('a wallet that', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async () => {
    path = `/t/${(await launchToken('Odd Wallets', 'ODD')).address}`;
  });

  async function withWallet(wallet: Partial<TestWallet>): Promise<Page> {
    const { page } = await visit('');
    await addWallet(page, { keypair: Keypair.generate(), ...wallet });
    await page.goto(path);
    return page;
  }
  const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect wallet' }).first();

  it('never answers can be asked again', async () => {
    const page = await withWallet({ hangs: true });
    await connectButton(page).click();
    const choice = page.getByRole('button', { name: 'Test wallet', exact: true });
    await choice.click();
    await page.getByText('The wallet has not answered yet. Look at it, or choose it again.').waitFor();
    await choice.click();
    await page.getByTestId('account').waitFor();
  });

  it('disconnects itself is not connected any more, and is not asked to come back', async () => {
    const page = await withWallet({});
    await connect(page);
    await page.evaluate('leaveTestWallet()');
    await page.getByTestId('account').waitFor({ state: 'detached' });
    await page.waitForTimeout(1_000);
    await connectButton(page).waitFor();
  });

  it('puts another account first pays with that one', async () => {
    const page = await withWallet({});
    await connect(page);
    const other = Keypair.generate().publicKey.toBase58();
    await page.evaluate(`chooseInTestWallet('${other}')`);
    await page
      .getByTestId('account')
      .filter({ hasText: other.slice(0, 4) })
      .waitFor();
  });

  it('answers without a transaction is told so in words', async () => {
    const page = await withWallet({ keypair: await fundedWallet(5n), answersNothing: true });
    await connect(page);
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('submit').click();
    const words =
      /^The wallet changed the transaction: it cannot be read; it was not sent\. Nothing was spent\./;
    await page.getByTestId('problem').filter({ hasText: words }).waitFor();
  });

  it('is disconnected in one tab is disconnected in the others', async () => {
    const keypair = Keypair.generate();
    const page = await withWallet({ keypair });
    await connect(page);
    const other = await page.context().newPage();
    await addWallet(other, { keypair });
    await other.goto(path);
    await other.getByTestId('account').click();
    await other.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByTestId('account').waitFor({ state: 'detached' });
  });

  it('can only sign and send trades, and is told why it cannot claim', async () => {
    const page = await withWallet({ keypair: await fundedWallet(5n), sends: true });
    await connect(page);
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('submit').click();
    await page.getByTestId('done').waitFor();
    await page.getByRole('link', { name: 'Rewards' }).first().click();
    await page
      .getByText('This wallet cannot sign a transaction without sending it, which claims need.')
      .waitFor();
  });

  it('answers after its user has left the page tells how the trade ended, on any page', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const page = await withWallet({
      keypair: await fundedWallet(5n),
      signing: (transaction) => asked.then(() => transaction),
    });
    await connect(page);
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('submit').click();
    await page.locator('[data-testid="progress"][data-at="signing"]').waitFor();
    await page.getByRole('link', { name: 'Rewards' }).first().click();
    await page.getByRole('heading', { name: 'Rewards' }).waitFor();
    answer();
    await page
      .getByRole('status')
      .filter({ hasText: /^Bought .+ ODD · 0\.1 SOL/ })
      .waitFor();
  });

  for (const [what, error, words] of [
    ['is locked', 'Ledger device: Locked device (0x5515)', 'Unlock it and try again. Nothing was spent.'],
    ['needs blind signing', 'Ledger device: UNKNOWN_ERROR (0x6808)', 'Allow blind signing in its Solana app'],
  ] as const) {
    it(`${what} is told in words, and the trade can be tried again`, async () => {
      let refuses = true;
      const page = await withWallet({
        keypair: await fundedWallet(5n),
        signing: (transaction) => {
          if (refuses) throw new Error(error);
          return transaction;
        },
      });
      await connect(page);
      await ask(page, 'You pay', '0.1');
      await page.getByTestId('submit').click();
      await page.getByTestId('problem').filter({ hasText: words }).waitFor();
      refuses = false;
      await page.waitForTimeout(1_000);
      await page.getByTestId('submit').click();
      await page.getByTestId('done').waitFor();
    });
  }
});
