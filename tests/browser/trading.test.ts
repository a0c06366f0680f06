// The trade box: quotes, amounts, impact, its button. threat: link-amount, price-impact
import type { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, fetchMarket, parseSol, quoteBuy, quoteSell } from '@curvekit/sdk';
import { stage } from '#tests/browser/stage.js';
import { exactSol, sol, tokens } from '../../web/src/format.js';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { allow, ask, connectBurner, enter, getTestSol, trade, untilDone } from '#tests/browser/people.js';
import { useTradeBox } from '#tests/browser/trade-box.js';

/** Notes what the box says of the wallet's holding. */
const NOTE_HOLDING = `
  globalThis.noted = [];
  const holding = document.querySelector('[data-testid="holding"]');
  new MutationObserver(() => noted.push(holding.textContent)).observe(holding, {
    childList: true, characterData: true, subtree: true,
  });
`;

/** Token base units. */
async function heldBy(wallet: Keypair, mint: PublicKey): Promise<bigint> {
  const account = associatedTokenAddress(wallet.publicKey, mint).address;
  const { connection } = (await stage()).launchpad.cluster;
  return BigInt((await connection.getTokenAccountBalance(account, 'confirmed')).value.amount);
}

describe('the trade box', function () {
  this.timeout(120_000);
  const { visit, path, at, withWallet } = useTradeBox();

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

  it('simulates a trade before the press, and asks the wallet after it, for the amount of the press', async () => {
    let asked = 0;
    const signing = (transaction: VersionedTransaction) => ((asked += 1), transaction);
    const page = await withWallet(await fundedWallet(5n), { signing });
    const simulated = () =>
      page.waitForRequest((one) => one.postData()?.includes('simulateTransaction') === true);
    const [first] = [simulated(), await ask(page, 'You pay', '0.2')];
    await first;
    await page.waitForTimeout(500);
    expect(asked).to.equal(0);
    await ask(page, 'You pay', '0.3');
    await trade(page);
    expect(await page.getByTestId('done').innerText()).to.include('0.3 SOL');
    expect(asked).to.equal(1);
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
      .filter({ hasText: /you get \d+(\.\d)? % less than the price now and move it by \d/ })
      .waitFor();
    expect(await said()).to.be.within(30, 70);
  });

  it('asks again before each trade of a large impact, also for the same amount', async () => {
    const token = await launchToken('Twice', 'TWICE');
    const page = await withWallet(await fundedWallet(60n), {}, `/t/${token.address}`);
    await allow(page, '10 %');
    const submit = page.getByTestId('submit');
    for (let trades = 0; trades < 2; trades += 1) {
      await ask(page, 'You pay', '10');
      // The second click of a double click does not accept.
      await submit.filter({ hasText: 'Buy TWICE' }).dblclick();
      await submit.filter({ hasText: /^Buy anyway, [23]\d(\.\d)? % above$/ }).waitFor();
      const [, above] = /(\S+ %)/.exec(await submit.innerText())!;
      await page
        .getByTestId('impact')
        .filter({ hasText: `you pay ${above} more` })
        .waitFor();
      expect(await page.getByTestId('progress').getAttribute('data-at')).to.equal('idle');
      await trade(page);
    }
  });

  it('quotes the next trade and its minimum after its own, and lists it, while the index has neither', async () => {
    const token = await launchToken('Behind Times', 'LATE');
    const wallet = await fundedWallet(30n);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    await page.getByText('Nobody has traded it yet').waitFor();
    await page.route('**/v1/market/**', (route) => route.abort());
    await allow(page, '3 %');
    await ask(page, 'You pay', '3');
    await page.getByTestId('submit').click();
    const signature = await untilDone(page);
    await page.getByTestId('trades').locator(`tr[data-signature="${signature}"]`).waitFor();
    await ask(page, 'You pay', '1');
    const { connection, deployment } = (await stage()).launchpad.cluster;
    const market = (await fetchMarket(connection, token.mint, { deployment }))!;
    const { tokenOut, minTokenToReceive } = quoteBuy(market, parseSol('1'), 300);
    const line = page.locator('.line');
    await line.filter({ hasText: `at least ${tokens(minTokenToReceive)};` }).waitFor();
    await line
      .getByTestId('out')
      .filter({ hasText: tokens(tokenOut) })
      .waitFor();
  });

  it('says by how much a trade was worse than its quote', async () => {
    const token = await launchToken('Overtaken', 'LAST');
    const other = await fundedWallet(2n);
    const signing = async <T>(transaction: T): Promise<T> => {
      await buyTokens(token.mint, '0.2', other);
      return transaction;
    };
    const page = await withWallet(await fundedWallet(5n), { signing }, `/t/${token.address}`);
    await allow(page, '3 %');
    await ask(page, 'You pay', '1');
    await trade(page);
    await page
      .getByTestId('done')
      .filter({ hasText: /1\.\d % worse than quoted/ })
      .waitFor();
  });

  it('says what a sale of all pays now, and its result to the lamport, and fills in a sale of all', async () => {
    const token = await launchToken('True Worth', 'WORTH');
    const wallet = await fundedWallet(20n);
    await buyTokens(token.mint, '5', wallet);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    const { connection, deployment } = (await stage()).launchpad.cluster;
    const saleOfAll = async () => {
      const market = (await fetchMarket(connection, token.mint, { deployment }))!;
      return quoteSell(market, await heldBy(wallet, token.mint)).solOut;
    };
    const holding = page.getByTestId('holding');
    const says = async (paid: bigint) => {
      const worth = await saleOfAll();
      await holding.locator(`data[value="${exactSol(worth)}"]`).waitFor();
      await holding.locator(`data[value="${exactSol(worth - paid)}"]`).waitFor();
      return worth;
    };
    expect(Number(await says(parseSol('5')))).to.be.lessThan(5e9);
    await page.getByRole('img', { name: /You are even at \d+(\.\d+)? SOL/ }).waitFor();
    await page.locator('.curve .mine').waitFor();
    await page.evaluate(NOTE_HOLDING);
    await ask(page, 'You pay', '0.25');
    await trade(page);
    await page.getByTestId('done').filter({ hasText: 'as quoted' }).waitFor();
    await says(parseSol('5.25'));
    // Until the page has read the index again.
    await page.waitForTimeout(4_000);
    expect(await page.evaluate('noted.filter((text) => text.includes("without a trade"))')).to.deep.equal([]);
    await buyTokens(token.mint, '10', await fundedWallet(12n));
    const worth = await says(parseSol('5.25'));
    expect(Number(worth)).to.be.greaterThan(5.25e9);
    await page.goto(`/w/${wallet.publicKey.toBase58()}`);
    const row = page.getByRole('row').filter({ hasText: 'WORTH' });
    await row.locator(`data[value="${exactSol(worth - parseSol('5.25'))}"]`).waitFor();
    await row.getByRole('link', { name: 'Sell' }).click();
    await page.getByLabel('You sell', { exact: true }).waitFor();
    await holding.getByRole('button', { name: 'Sell all' }).click();
    await page
      .getByTestId('out')
      .locator(`data[value="${exactSol(worth)}"]`)
      .waitFor();
    const before = await connection.getBalance(wallet.publicKey, 'confirmed');
    await page.getByTestId('submit').click();
    await page.getByTestId('submit').filter({ hasText: 'Sell anyway' }).waitFor();
    await trade(page);
    await holding.waitFor({ state: 'detached' });
    const received = BigInt((await connection.getBalance(wallet.publicKey, 'confirmed')) - before);
    // Less the network fee.
    expect(Number(worth - received)).to.be.within(5_000, 200_000);
  });

  it('says what is left to the wallet if the largest other holders sell first', async () => {
    const token = await launchToken('What If', 'WHATIF');
    const [wallet, other] = [await fundedWallet(20n), await fundedWallet(40n)];
    await buyTokens(token.mint, '4', wallet);
    await buyTokens(token.mint, '30', other);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    await page.getByTestId('holding').waitFor();
    await page.getByText('What if they sell?').click();
    const { connection, deployment } = (await stage()).launchpad.cluster;
    const market = (await fetchMarket(connection, token.mint, { deployment }))!;
    const { priceAfter } = quoteSell(market, await heldBy(other, token.mint));
    const later = { ...market.curve, virtualSol: priceAfter.lamports, virtualToken: priceAfter.tokenUnits };
    const { solOut } = quoteSell(later, await heldBy(wallet, token.mint));
    await page
      .getByTestId('what-if')
      .filter({ hasText: `If the largest other holder sells` })
      .filter({ hasText: `would then sell for ${sol(solOut)} SOL` })
      .waitFor();
    await page.locator('.curve .then').waitFor();
    await page.getByText('What if they sell?').click();
    await page.locator('.curve .then').waitFor({ state: 'detached' });
  });

  it('clears the amount after a trade: half of what was held is all that is left', async () => {
    const token = await launchToken('Halves', 'HALF');
    const wallet = await fundedWallet(10n);
    await buyTokens(token.mint, '1', wallet);
    const page = await withWallet(wallet, {}, `/t/${token.address}`);
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByRole('button', { name: '50 %' }).click();
    await page.locator('[data-testid="submit"]:enabled').waitFor();
    const amount = page.getByLabel('You sell', { exact: true });
    await amount.press('Enter');
    await page.getByTestId('done').waitFor();
    expect(await amount.inputValue()).to.equal('');
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
      await enter(page, path(), { keypair: await fundedWallet(60n) });
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
    const page = await at(`${path()}?buy=abc`);
    await page.getByTestId('curve').waitFor();
    expect(await page.getByLabel('You pay', { exact: true }).inputValue()).to.equal('');
    const other = await at(`${path()}?buy=0.2`);
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
});
