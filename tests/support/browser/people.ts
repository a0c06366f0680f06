// Actions of users on the page, found by the visible text.
import type { Page } from 'playwright-core';
import { addWallet, TEST_WALLET, type TestWallet } from './wallets.js';

/** Connects the burner wallet. @returns its address */
export async function connectBurner(page: Page): Promise<string> {
  return connect(page, 'Burner (localnet)');
}

/** Opens a page with a wallet that signs in the test, and connects it. @returns the address of its account */
export async function enter(page: Page, path: string, wallet: TestWallet): Promise<string> {
  await addWallet(page, wallet);
  await page.goto(path);
  return connect(page, wallet.name);
}

/** Connects a wallet by its name. @returns the address of its account */
export async function connect(page: Page, name: string = TEST_WALLET): Promise<string> {
  await page.getByRole('button', { name: 'Connect wallet' }).first().click();
  await page.getByRole('button', { name, exact: true }).click();
  const account = page.getByTestId('account');
  await account.waitFor();
  return (await account.getAttribute('title')) ?? '';
}

/** Requests test SOL in the account's dialog, and waits until it has arrived. */
export async function getTestSol(page: Page): Promise<void> {
  await page.getByTestId('account').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Get 10 test SOL' }).click();
  await page.getByTestId('account').filter({ hasText: '10 SOL' }).waitFor();
  await page.keyboard.press('Escape');
}

/** Waits until the page shows the wallet's new balance. */
export async function untilBalance(page: Page, text: string | RegExp): Promise<void> {
  await page.getByTestId('account').filter({ hasText: text }).waitFor();
}

/** Types an amount. */
export async function ask(
  page: Page,
  label: 'You pay' | 'You get' | 'You sell',
  amount: string,
): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(amount);
}

export async function allow(page: Page, percent: string): Promise<void> {
  const details = page.locator('details.slippage');
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
  await details.getByRole('button', { name: percent, exact: true }).click();
}

/** Presses the trade button and waits for the result. @returns the signature */
export async function trade(page: Page): Promise<string> {
  await page.getByTestId('submit').click();
  return untilDone(page);
}

export async function untilDone(page: Page): Promise<string> {
  const done = page.getByTestId('done');
  await done.or(page.getByTestId('problem')).first().waitFor();
  if (!(await done.isVisible())) throw new Error(await page.getByTestId('problem').innerText());
  return (await done.getAttribute('data-signature')) ?? '';
}
