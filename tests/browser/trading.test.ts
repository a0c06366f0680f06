// The trade box when a trade does not go as planned.
import {
  type PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type Keypair,
} from '@solana/web3.js';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, lamportsOf, launchToken } from '#tests/browser/chain.js';
import { allow, ask, connect, connectBurner, getTestSol, trade, untilDone } from '#tests/browser/people.js';
import { stage, START_TIMEOUT_MS, useVisits } from '#tests/browser/stage.js';
import { addWallet, type TestWallet } from '#tests/browser/wallets.js';

const WALLET = 'Test wallet';

describe('the trade box', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    await stage();
    const token = await launchToken('Trade Winds', 'WINDS');
    path = `/t/${token.address}`;
  });

  async function at(where = path): Promise<Page> {
    const { page } = await visit(where);
    return page;
  }

  /** A page whose wallet signs in the test. */
  async function withWallet(keypair: Keypair, rest: Partial<TestWallet> = {}, where = path): Promise<Page> {
    const { page } = await visit('');
    await addWallet(page, { name: WALLET, keypair, ...rest });
    await page.goto(where);
    await connect(page, WALLET);
    return page;
  }

  const problem = (page: Page) => page.getByTestId('problem');

  it('quotes without a wallet, and asks for one', async () => {
    const page = await at();
    await ask(page, 'You pay', '0.5');
    await page
      .getByTestId('out')
      .filter({ hasText: /\d+(\.\d+)?M/ })
      .waitFor();
    await page.getByRole('button', { name: 'Connect a wallet to trade' }).click();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
  });

  it('moves the trade along the curve while the user types', async () => {
    const page = await at();
    const dot = page.getByTestId('curve').locator('circle.then');
    await ask(page, 'You pay', '1');
    const small = Number(await dot.getAttribute('cx'));
    await ask(page, 'You pay', '20');
    expect(Number(await dot.getAttribute('cx'))).to.be.greaterThan(small + 20);
    await ask(page, 'You pay', '');
    await dot.waitFor({ state: 'detached' });
  });

  it('buys at least the wanted number of tokens', async () => {
    const page = await at();
    await connectBurner(page);
    await getTestSol(page);
    await page.getByRole('button', { name: /Unit of the amount/ }).click();
    await allow(page, '3 %');
    await ask(page, 'You get', '1000000');
    await page
      .getByTestId('out')
      .filter({ hasText: /0\.0\d+/ })
      .waitFor();
    await trade(page);
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByTestId('balance').filter({ hasText: '1M WINDS' }).waitFor();
  });

  it('says how much SOL is not spent when a buy exceeds the curve, and warns about the price impact', async () => {
    const page = await at();
    await ask(page, 'You pay', '500');
    await page
      .getByTestId('graduates')
      .filter({ hasText: /graduates.*stays yours/ })
      .waitFor();
    await page.getByText(/Your own trade moves the price/).waitFor();
  });

  it('says by how much a trade worsens its own price, on both sides', async () => {
    const token = await launchToken('Deep', 'DEEP');
    const wallet = await fundedWallet(60n);
    await buyTokens(token.mint, '30', wallet);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    // Its state before the trade, in SOL and tokens: 27.96 and 1,073 million at the start.
    const out = async () => Number((await page.getByTestId('out').innerText()).replace(/[^\d.]/g, ''));
    const said = async () =>
      Number(/(\d+(\.\d)?) %/.exec((await page.getByTestId('impact').innerText()).replaceAll(',', ''))?.[1]);
    const quoted = async (label: 'You pay', text: string) => {
      await ask(page, label, text);
      await page.getByTestId('out').filter({ hasText: /[1-9]/ }).waitFor();
      return out();
    };
    const small = (await quoted('You pay', '0.01')) / 0.01;
    const large = (await quoted('You pay', '20')) / 20;
    // Shown are thousands for the small one, and millions for the large one.
    const dearer = (small / (large * 1_000) - 1) * 100;
    expect(await said()).to.be.closeTo(dearer, 1);
    expect(dearer).to.be.greaterThan(30);
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByRole('button', { name: 'Max' }).click();
    await page
      .getByTestId('impact')
      .filter({ hasText: /you get \d+(\.\d)? % less for each token/ })
      .waitFor();
    expect(await said()).to.be.within(30, 70);
  });

  it('asks again before each trade of a large impact, also for the same amount', async () => {
    const token = await launchToken('Twice', 'TWICE');
    const page = await withWallet(await fundedWallet(60n), {}, `/t/${token.address}`);
    await allow(page, '10 %');
    const submit = page.getByTestId('submit');
    for (const impact of [/^The impact is 2\d/, /^The impact is 1\d/]) {
      await ask(page, 'You pay', '10');
      // The second click of a double click does not accept.
      await submit.filter({ hasText: 'Buy TWICE' }).dblclick();
      await page.getByText(impact).waitFor();
      await submit.filter({ hasText: 'Buy anyway' }).waitFor();
      expect(await page.getByTestId('progress').getAttribute('data-at')).to.equal('idle');
      await trade(page);
    }
  });

  it('clears the amount after a trade: half of what was held is all that is left', async () => {
    const token = await launchToken('Halves', 'HALF');
    const wallet = await fundedWallet(10n);
    await buyTokens(token.mint, '1', wallet);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByRole('button', { name: '50 %' }).click();
    await trade(page);
    expect(await page.getByLabel('You pay', { exact: true }).inputValue()).to.equal('');
    expect(await page.getByTestId('submit').isDisabled()).to.equal(true);
    expect(await page.locator('.chips [aria-pressed="true"]').count()).to.equal(0);
    await page.getByTestId('done').filter({ hasText: /^Sold/ }).waitFor();
  });

  for (const [width, height] of [
    [1366, 768],
    [1440, 900],
    [360, 640],
  ] as const) {
    it(`shows its button without scrolling at ${width} × ${height}, also with a warning`, async () => {
      const { page } = await visit('', { viewport: { width, height } });
      await addWallet(page, { name: WALLET, keypair: await fundedWallet(60n) });
      await page.goto(path);
      await connect(page, WALLET);
      if (width < 600) await page.locator('.phone-bar [data-shortcut="buy"]').click();
      await ask(page, 'You pay', '20');
      await page.getByTestId('impact').waitFor();
      const bottom = await page
        .getByTestId('submit')
        .evaluate((button) => button.getBoundingClientRect().bottom);
      expect(bottom).to.be.within(1, height);
    });
  }

  it('takes an amount from its address, and ignores other text there', async () => {
    const page = await at(`${path}?buy=abc`);
    await page.getByTestId('curve').waitFor();
    expect(await page.getByLabel('You pay', { exact: true }).inputValue()).to.equal('');
    const other = await at(`${path}?buy=0.2`);
    await other.getByTestId('out').filter({ hasText: /[1-9]/ }).waitFor();
    expect(await other.getByLabel('You pay', { exact: true }).inputValue()).to.equal('0.2');
  });

  for (const [text, said] of [
    ['abc', 'Enter a number'],
    ['0.0000000001', 'Enter a number'],
    ['1,000', 'Do you mean 1000 or 1.000?'],
    ['99999999999', 'More than exists.'],
  ] as const) {
    it(`refuses ${text} as an amount`, async () => {
      const page = await at();
      await ask(page, 'You pay', text);
      await page.getByText(said).waitFor();
    });
  }

  it('spends nothing when the price has moved past the limit (6003), and offers the new price', async () => {
    const token = await launchToken('Slipping', 'SLIP');
    const wallet = await fundedWallet(10n);
    const { page } = await visit('');
    await addWallet(page, { name: WALLET, keypair: wallet });
    // Keep the page's quote stale: it must not see the other wallet's buy. An open stream cannot be interrupted here.
    await page.route('**/v1/market/stream**', (route) => route.abort());
    await page.goto(`/t/${token.address}`);
    await connect(page, WALLET);
    await allow(page, '0.5 %');
    await page.route('**/v1/market/**', (route) => route.abort());
    await ask(page, 'You pay', '1');
    await buyTokens(token.mint, '10', await fundedWallet(20n));
    await page.getByTestId('submit').click();
    await problem(page).filter({ hasText: 'The price moved past your limit. Nothing was spent.' }).waitFor();
    expect(await lamportsOf(wallet.publicKey)).to.equal(10_000_000_000);
    await page.unroute('**/v1/market/**');
    await page
      .getByTestId('cap')
      .filter({ hasText: /^[4-9]\d/ })
      .waitFor();
    await problem(page).getByRole('button', { name: 'Trade at the new price' }).click();
    await untilDone(page);
  });

  it('says that the wallet has not enough SOL, until it is funded', async () => {
    const page = await at();
    await connectBurner(page);
    await ask(page, 'You pay', '0.1');
    await page.getByText('More than you have').waitFor();
    await getTestSol(page);
    await page.getByText('More than you have').waitFor({ state: 'detached' });
  });

  it('says that nothing was spent when the user declines the signature', async () => {
    const page = await withWallet(await fundedWallet(5n), {
      signing: () => Promise.reject(new Error('User rejected the request.')),
    });
    await ask(page, 'You pay', '0.1');
    await allow(page, '3 %');
    await page.getByTestId('submit').click();
    await problem(page).filter({ hasText: 'You declined in the wallet. Nothing was spent.' }).waitFor();
  });

  it('does not send a transaction that the wallet has changed', async () => {
    const wallet = await fundedWallet(5n);
    const thief = (await fundedWallet(1n)).publicKey;
    const page = await withWallet(wallet, {
      signing: (transaction) => paying(transaction, thief, 'instead'),
    });
    await ask(page, 'You pay', '0.1');
    await allow(page, '3 %');
    await page.getByTestId('submit').click();
    await problem(page).filter({ hasText: 'The wallet changed the transaction' }).waitFor();
    expect(await lamportsOf(wallet.publicKey)).to.equal(5_000_000_000);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('pending'))),
    ).to.deep.equal([]);
  });

  it('does not send a transaction with an added instruction', async () => {
    const wallet = await fundedWallet(5n);
    const thief = (await fundedWallet(1n)).publicKey;
    const page = await withWallet(wallet, { signing: (transaction) => paying(transaction, thief, 'also') });
    await ask(page, 'You pay', '0.1');
    await allow(page, '3 %');
    await page.getByTestId('submit').click();
    await problem(page).filter({ hasText: 'was not simulated' }).waitFor();
    expect(await lamportsOf(wallet.publicKey)).to.equal(5_000_000_000);
  });

  it('says which network the wallet must use', async () => {
    const { page } = await visit('');
    await addWallet(page, { name: WALLET, keypair: await fundedWallet(1n), chains: ['solana:mainnet'] });
    await page.goto(path);
    await connect(page, WALLET);
    await page.getByText('This wallet is not on localnet').first().waitFor();
    await ask(page, 'You pay', '0.1');
    expect(await page.getByTestId('submit').isDisabled()).to.equal(true);
  });

  it('looks up an unfinished trade after a reload, and does not buy twice', async () => {
    const wallet = await fundedWallet(5n);
    const page = await withWallet(wallet);
    await ask(page, 'You pay', '1');
    await allow(page, '10 %');
    // Until the reload the page never learns that its transaction is confirmed, however long the reload takes to begin.
    let reloaded = false;
    const sent = page.waitForRequest((request) => request.postData()?.includes('sendTransaction') === true);
    await page.route('**/rpc', async (route) => {
      const asks = route.request().postData()?.includes('getSignatureStatuses') === true;
      await (asks && !reloaded ? route.abort() : route.continue());
    });
    await page.getByTestId('submit').click();
    await sent;
    await page.waitForTimeout(500);
    page.once('framenavigated', () => (reloaded = true));
    await page.reload();
    await page.getByTestId('resolved').filter({ hasText: 'Your last trade went through.' }).waitFor();
    expect(await lamportsOf(wallet.publicKey)).to.be.within(3_990_000_000, 4_000_000_000);
  });

  it('updates the token page and the board when another wallet buys the last tokens', async () => {
    const token = await launchToken('Rocket', 'ROCK');
    const page = await at(`/t/${token.address}`);
    const board = await at('/');
    await board.locator(`tr[data-mint="${token.address}"]`).waitFor();
    await buyTokens(token.mint, '200', await fundedWallet(300n));
    await page.getByTestId('graduated').waitFor({ timeout: 60_000 });
    await board
      .locator(`tr[data-mint="${token.address}"]`)
      .filter({ hasText: /Graduat|pool/ })
      .waitFor({ timeout: 60_000 });
  });

  it('keeps showing market data when the node is down, and says that the node cannot be reached', async () => {
    const page = await withWallet(await fundedWallet(5n));
    await page.route('**/rpc', (route) => route.abort());
    await ask(page, 'You pay', '0.1');
    await page.getByTestId('submit').click();
    await problem(page)
      .filter({ hasText: /cannot be reached|does not answer/ })
      .waitFor();
    await page.getByTestId('trades').waitFor();
  });
});

/** Adds a payment from the wallet to `to`, or replaces the last instruction with it. */
function paying(
  transaction: VersionedTransaction,
  to: PublicKey,
  how: 'instead' | 'also',
): VersionedTransaction {
  const message = TransactionMessage.decompile(transaction.message);
  const payment = SystemProgram.transfer({ fromPubkey: message.payerKey, toPubkey: to, lamports: 1_000_000 });
  const kept = how === 'instead' ? message.instructions.slice(0, -1) : message.instructions;
  message.instructions = [...kept, payment];
  return new VersionedTransaction(message.compileToV0Message());
}
