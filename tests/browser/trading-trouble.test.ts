// The trade box when a trade does not go as planned: a price that moved, a wallet that declines or changes what it signs, a lost node.
// threat: changing-wallet, trade-twice, wrong-network, unseen-price
import { type PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, lamportsOf, launchToken } from '#tests/browser/chain.js';
import { allow, ask, connect, connectBurner, enter, getTestSol, untilDone } from '#tests/browser/people.js';
import { useTradeBox } from '#tests/browser/trade-box.js';
import { addWallet } from '#tests/browser/wallets.js';

describe('the trade box in trouble', function () {
  this.timeout(120_000);
  const { visit, path, at, withWallet } = useTradeBox();

  const problem = (page: Page) => page.getByTestId('problem');

  it('spends nothing when the price has moved past the limit (6003), and offers the new price', async () => {
    const token = await launchToken('Slipping', 'SLIP');
    const wallet = await fundedWallet(10n);
    const { page } = await visit('');
    await addWallet(page, { keypair: wallet });
    // Keep the page's quote stale: it must not see the other wallet's buy. An open stream cannot be interrupted here.
    await page.route('**/v1/market/stream**', (route) => route.abort());
    await page.goto(`/t/${token.address}`);
    await connect(page);
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

  for (const [what, how, said] of [
    ['that the wallet has changed', 'instead', 'The wallet changed the transaction'],
    ['with an added instruction', 'also', 'was not simulated'],
  ] as const) {
    it(`does not send a transaction ${what}`, async () => {
      const wallet = await fundedWallet(5n);
      const thief = (await fundedWallet(1n)).publicKey;
      const page = await withWallet(wallet, { signing: (transaction) => paying(transaction, thief, how) });
      await ask(page, 'You pay', '0.1');
      await allow(page, '3 %');
      await page.getByTestId('submit').click();
      await problem(page).filter({ hasText: said }).waitFor();
      expect(await lamportsOf(wallet.publicKey)).to.equal(5_000_000_000);
      const stored = await page.evaluate(() => Object.keys(localStorage));
      expect(stored.filter((key) => key.includes('pending'))).to.deep.equal([]);
    });
  }

  it('says which network the wallet must use', async () => {
    const { page } = await visit('');
    await enter(page, path(), { keypair: await fundedWallet(1n), chains: ['solana:mainnet'] });
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
