// Three stories with a signing device: a buy, the sale of half of it, a claim. It is locked when it is first needed.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fundedWallet, lamportsOf, launchToken } from '#tests/browser/chain.js';
import { eventually } from '#tests/service/service.js';
import { ask, connect, trade } from '#tests/browser/people.js';
import { stage, START_TIMEOUT_MS, visit } from '#tests/browser/stage.js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import { ledgerEnvelope } from '#tests/service/envelopes.js';
import { addWallet } from '#tests/browser/wallets.js';

// A simulator of a signing device behind a wallet, such as a Ledger: locked at first, slow, because a person looks at its small
// screen and presses two buttons, and with an envelope around the texts that it signs.

const DEVICE = 'Signing device';
const LOCKED = 'Ledger device: Locked device (0x5515)';
const SLOW_MS = 1_000;
/** Format 0 of an envelope. A text with lines has format 1. */
const PRINTABLE_ASCII = /^[ -~]*$/;

interface Device {
  isLocked: boolean;
  /** What it has signed, in order. */
  readonly signed: ('transaction' | 'message')[];
}

/** Adds the device to each document of a page. Call it before opening the page. */
async function addDevice(page: Page, keypair: Keypair): Promise<Device> {
  const device: Device = { isLocked: true, signed: [] };
  const press = async (what: Device['signed'][number]) => {
    if (device.isLocked) throw new Error(LOCKED);
    await sleep(SLOW_MS);
    device.signed.push(what);
  };
  await addWallet(page, {
    name: DEVICE,
    keypair,
    signing: async (transaction) => {
      await press('transaction');
      return transaction;
    },
    enveloping: async (message) => {
      await press('message');
      const text = new TextDecoder().decode(message);
      return ledgerEnvelope({ text, format: PRINTABLE_ASCII.test(text) ? 0 : 1 });
    },
  });
  return device;
}

const UNLOCK = 'Unlock it and try again.';

describe('a trader with a signing device', function () {
  this.timeout(180_000);
  let page: Page;
  let device: Device;

  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    const token = await launchToken('Slow Hand', 'SLOW');
    ({ page } = await visit(''));
    device = await addDevice(page, await fundedWallet(5n));
    await page.goto(`/t/${token.address}`);
  });
  after(() => page?.context().close());

  it('buys, after unlocking it', async () => {
    await connect(page, DEVICE);
    await ask(page, 'You pay', '1');
    await page.getByTestId('submit').click();
    await page.getByTestId('problem').filter({ hasText: UNLOCK }).waitFor();
    device.isLocked = false;
    // No press within a second of the last one.
    await page.waitForTimeout(1_000);
    await page.getByTestId('submit').click();
    await page.locator('[data-testid="progress"][data-at="signing"]').waitFor({ state: 'attached' });
    await page
      .getByTestId('done')
      .filter({ hasText: /^Bought 3\d\.\d+M SLOW/ })
      .waitFor();
    expect(device.signed).to.deep.equal(['transaction']);
  });

  it('sells half, and keeps the other half', async () => {
    await page.getByRole('button', { name: 'Sell', exact: true }).first().click();
    await page.getByRole('button', { name: '50 %', exact: true }).click();
    await trade(page);
    await page
      .getByTestId('done')
      .filter({ hasText: /^Sold 1\d\.\d+M SLOW/ })
      .waitFor();
    await page
      .getByTestId('balance')
      .filter({ hasText: /1\d\.\d+M SLOW/ })
      .waitFor();
    expect(device.signed).to.deep.equal(['transaction', 'transaction']);
  });

  it('claims a reward, having signed texts in an envelope', async () => {
    const { keypair } = (await stage()).launchpad.payoutWallet;
    const { page: rewards, complaints } = await visit('');
    const own = await addDevice(rewards, keypair);
    await rewards.goto('/rewards');
    await connect(rewards, DEVICE);
    await rewards.getByRole('button', { name: 'Sign to see my rewards' }).click();
    await rewards.getByTestId('problem').filter({ hasText: UNLOCK }).waitFor();
    own.isLocked = false;
    await rewards.getByRole('button', { name: 'Sign to see my rewards' }).click();
    await rewards.getByTestId('claimable').waitFor();
    // The wallet has no SOL, so a reward must be more than its rent. Simulated users go on trading.
    const enough = rewards.locator('main li').filter({ hasText: /0\.(0[1-9]|00[1-9])\d* SOL/ });
    await eventually(async () => {
      await rewards.getByRole('button', { name: 'Look again' }).click();
      return enough.first().isVisible();
    }, 'a reward of 0.001 SOL');
    const before = await lamportsOf(keypair.publicKey);
    const isPaid = () => rewards.getByText('Paid', { exact: true }).isVisible();
    const claim = enough.getByRole('button', { name: 'Claim SOL' }).first();
    // What was credited in the last seconds is refused until it is final.
    const again = async () => {
      if ((await claim.isVisible()) && (await claim.isEnabled())) await claim.click();
      await rewards.waitForTimeout(500);
      return isPaid();
    };
    await eventually(again, 'a claim that is paid', 120_000);
    expect(await lamportsOf(keypair.publicKey)).to.be.greaterThan(before);
    expect(own.signed).to.include.members(['message', 'transaction']);
    expect(complaints).to.deep.equal([]);
    await rewards.context().close();
  });
});
