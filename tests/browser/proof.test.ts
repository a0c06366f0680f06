// What the page proves: the trades that the service lists lead to what the chain holds, and a receipt shows what happened beside a
// trade. threat: lying-index
import { buy, sell, sellExactIn } from '@curvekit/sdk';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { buyTokens, fundedWallet, launchToken } from '#tests/browser/chain.js';
import { ask, connectBurner, getTestSol, trade } from '#tests/browser/people.js';
import { changeConfig, stage, useVisits } from '#tests/browser/stage.js';
import { launch } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';

interface Trade {
  readonly signature: string;
  readonly slot: number;
  readonly solAmount: string;
  readonly tokenAmount: string;
  readonly virtualSol: string;
  readonly virtualToken: string;
}

interface List {
  readonly items: readonly Trade[];
  readonly next: string | null;
}

/** Changes a list of trades, newest first. */
type Lie = (trades: readonly Trade[]) => readonly Trade[];

describe('the page proves', function () {
  this.timeout(180_000);
  let token: Awaited<ReturnType<typeof launchToken>>;
  const visit = useVisits();

  const untilTraded = async (count: number) => {
    const { url } = await stage();
    await eventually(async () => {
      const answer = await fetch(`${url}/v1/market/tokens/${token.address}`);
      return ((await answer.json()) as { trades: number }).trades === count;
    }, 'the trades');
  };

  before(async () => {
    token = await launchToken('Proof Read', 'PROOF');
    const trader = await fundedWallet(20n);
    for (const sol of ['1', '2', '0.5']) await buyTokens(token.mint, sol, trader);
    await untilTraded(3);
  });

  async function lying(page: Page, lie: Lie): Promise<void> {
    await page.route(/\/trades\?/, async (route) => {
      const answer = await route.fetch();
      const { items, next } = (await answer.json()) as List;
      await route.fulfill({ response: answer, json: { items: lie(items), next } });
    });
  }

  const outcome = (page: Page, at: string, text: RegExp | string) =>
    page.locator(`[data-testid="replayed"][data-at="${at}"]`).filter({ hasText: text }).waitFor();

  async function open(page: Page, address = token.address): Promise<void> {
    await page.goto(`/t/${address}`);
    await page.getByText('Supply fixed').click();
  }

  it('that all trades add up to what the chain holds', async () => {
    const { page, complaints } = await visit('');
    // The browser keeps the worker with the policy of its headers, so another node has another address.
    const started = page.waitForEvent('worker');
    await open(page);
    expect(new URL((await started).url()).searchParams.get('node')).to.equal((await stage()).url);
    await outcome(page, 'same', /^3 trades add up to what the chain holds at slot [\d,]+\. +Amounts/);
    expect(complaints).to.deep.equal([]);
  });

  it('that a list with a trade changed, left out or invented is not what the chain holds', async () => {
    const more = (amount: string, by = 1_000n) => String(BigInt(amount) + by);
    const changed =
      (change: (trade: Trade) => Partial<Trade>): Lie =>
      (list) =>
        list.map((one, index) => (index === 1 ? { ...one, ...change(one) } : one));
    const parts = /^Trade 2, \w+…\w+, does not follow from the one before\./;
    const lies: readonly (readonly [Lie, string, RegExp])[] = [
      [changed(({ tokenAmount }) => ({ tokenAmount: more(tokenAmount) })), 'parts', parts],
      [
        changed(({ solAmount, virtualSol }) => ({
          solAmount: more(solAmount),
          virtualSol: more(virtualSol),
        })),
        'parts',
        parts,
      ],
      [(list) => list.filter((_one, index) => index !== 1), 'parts', parts],
      [(list) => list.slice(0, -1), 'parts', /^Trades are missing: the first that is listed, /],
      [(list) => list.slice(1), 'elsewhere', /^2 trades do not add up to what the chain holds at slot/],
      [
        (list) => [inventedAfter(list[0]!), ...list],
        'unheld',
        /^Trade 4, \w+…\w+, is listed, and the chain does not have it/,
      ],
    ];
    await Promise.all(
      lies.map(async ([lie, at, text]) => {
        const { page } = await visit('');
        await lying(page, lie);
        await open(page);
        await outcome(page, at, text);
      }),
    );
  });

  it('that a list from another launch on may lack trades, also one without any', async () => {
    const lists: readonly (readonly [Lie, RegExp])[] = [
      [(list) => list.slice(0, -1), /^2 trades add up .* or earlier trades are missing\./],
      [() => [], /^The service lists no trade\. .* or trades are missing\./],
    ];
    const { url } = await stage();
    const list = (await (await fetch(`${url}/v1/market/tokens/${token.address}/trades`)).json()) as List;
    for (const [lie, text] of lists) {
      const { page } = await visit('');
      await lying(page, lie);
      // The reserves before the first trade that is left, else those of now.
      const first = lie(list.items).at(-1);
      const { virtualToken: after } = first ?? list.items[0]!;
      const initialVirtualToken = String(BigInt(after) + BigInt(first?.tokenAmount ?? 0));
      await page.route(`**/v1/market/tokens/${token.address}`, async (route) => {
        const answer = await route.fetch();
        const json = { ...((await answer.json()) as object), initialVirtualToken };
        await route.fulfill({ response: answer, json });
      });
      await open(page);
      await outcome(page, 'same', text);
      await page.locator('[data-testid="replayed"] .gold').waitFor();
    }
  });

  it('nothing where it cannot: the node refuses, or the browser starts no worker', async () => {
    const refused = await visit('');
    await refused.page.route('**/rpc', (route) =>
      route.request().postData()?.includes('getMultipleAccounts') === true ? route.abort() : route.fallback(),
    );
    await open(refused.page);
    await outcome(refused.page, 'node-silent', 'The RPC node does not say what the curve holds');
    const old = await visit('');
    await old.page.addInitScript('delete globalThis.Worker');
    await open(old.page);
    await outcome(old.page, 'impossible', 'this browser starts no worker');
    await old.page.getByText('There are 1B, and nobody can mint more.').waitFor();
  });

  it('what the launch’s slot bought and what the creator sold, more than half in red', async () => {
    const { cluster } = (await stage()).launchpad;
    const creator = await fundedWallet(5n);
    const firstBuy = { solToSpend: 1_000_000_000n, minTokenToReceive: 0n };
    const { mint } = await launch(cluster, { name: 'Proof Sold', symbol: 'PSOLD', firstBuy }, creator);
    const { deployment } = cluster;
    const selling = { mint, payer: creator.publicKey, minSolToReceive: 0n, deployment };
    await cluster.send(sell({ ...selling, tokenToSpend: 20_000_000_000_000n }), [creator]);
    const { page } = await visit('');
    await eventually(async () => (await page.goto(`/t/${mint.toBase58()}`))?.status() === 200, 'the token');
    await page.getByText(/^Bought in the launch’s slot 3\.\d %$/).waitFor();
    await page.locator('.safety .down', { hasText: /^Creator holds 1\.\d %, sold 2 %$/ }).waitFor();
  });

  it('nothing of burnt liquidity where an operator takes a sold-out curve', async () => {
    const { page } = await visit('');
    await changeConfig(page, { graduation: 'key' });
    for (const path of [`/t/${token.address}?tab=terms`, '/', '/terms', '/launch']) {
      await page.goto(path);
      await page
        .getByText(/operator/)
        .first()
        .waitFor();
      expect(await page.locator('main').innerText(), path).not.to.match(/liquidity (is )?burnt/i);
    }
  });

  it('a sold-out curve by its own trades, and says that those in the pool are not checked', async () => {
    const sold = await launchToken('Proof Pool', 'PPOOL');
    await buyTokens(sold.mint, '100', await fundedWallet(110n));
    const { page } = await visit('');
    await open(page, sold.address);
    await outcome(page, 'same', /^1 trade adds up to .* Trades in the pool are not checked/);
  });

  it('by a receipt what a trade got against its quote, and what one wallet traded right before and after it', async () => {
    const { page, complaints } = await visit(`/t/${token.address}`);
    await connectBurner(page);
    await getTestSol(page);
    await ask(page, 'You pay', '0.3');
    const signature = await trade(page);
    await page.getByTestId('done').getByRole('link', { name: 'Receipt' }).click();
    await page.waitForURL(`**/r/${signature}`);
    await page.goBack();
    await page.locator(`tr[data-signature="${signature}"] a[href="/r/${signature}"]`).click();
    const receipt = page.getByTestId('receipt');
    await receipt.getByRole('heading', { name: /^Bought \d.*M PROOF$/ }).waitFor();
    const said = async (name: string) =>
      receipt
        .locator('dl > div', { has: page.getByText(name, { exact: true }) })
        .locator('dd')
        .innerText();
    expect(await said('Quoted')).to.equal(await said('Got'));
    expect([await said('Paid, fee included'), await said('Fee')]).to.deep.equal(['0.3 SOL', '0.003 SOL']);
    expect(await said('Place in the slot')).to.equal('The only trade of this token in its slot');
    expect(complaints).to.deep.equal([]);

    // Another visitor was quoted nothing.
    const around = await sandwich();
    const other = await visit(`/r/${around.signature}`);
    const [first, second, third] = [0, 1, 2].map((index) => other.page.getByTestId('receipt').nth(index));
    await second!.getByText('Trade 2 of 3 of this token in its slot').waitFor();
    await second!
      .getByTestId('around')
      .filter({ hasText: /^One wallet buys right before it and sells right after it: \w+…\w+$/ })
      .waitFor();
    for (const one of [first!, third!]) expect(await one.getByTestId('around').count()).to.equal(0);
    expect(await other.page.getByText('Quoted').count()).to.equal(0);

    await other.page.goto(`/r/${'1'.repeat(64)}`);
    await other.page
      .getByRole('heading', { name: 'There is no trade of this launchpad in this transaction' })
      .waitFor();
  });

  /** One transaction: a wallet buys, another one buys, and the first one sells. */
  async function sandwich(): Promise<{ readonly signature: string }> {
    const { cluster } = (await stage()).launchpad;
    const { deployment } = cluster;
    const [wallet, victim] = [await fundedWallet(5n), await fundedWallet(5n)];
    const buying = (who: Keypair) =>
      buy({
        ...{ mint: token.mint, payer: who.publicKey, deployment },
        solToSpend: 500_000_000n,
        minTokenToReceive: 0n,
      });
    const selling = {
      mint: token.mint,
      payer: wallet.publicKey,
      tokenToSpend: 1_000_000_000n,
      minSolToReceive: 0n,
    };
    return cluster.send([...buying(wallet), ...buying(victim), sell({ ...selling, deployment })].flat(), [
      wallet,
      victim,
    ]);
  }
});

/** A sale that the program would have made of the reserves, and did not. */
function inventedAfter(trade: Trade): Trade {
  const { virtualSol, virtualToken, fee, solOut } = sellExactIn(
    BigInt(trade.virtualSol),
    BigInt(trade.virtualToken),
    100n,
    1_000_000n,
  );
  const amounts = { solAmount: solOut, tokenAmount: 1_000_000n, fee, virtualSol, virtualToken };
  const texts = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]));
  return { ...trade, ...texts, ...{ id: '9000000000000000000', isBuy: false } };
}
