/** Takes the README's screenshots of the web page: `npx tsx scripts/screenshots.ts`. Needs Chromium (CHROMIUM). */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { startLocalLaunchpad } from '#app/local/launchpad.js';
import { launchChromium } from '#tests/browser/chromium.js';

/** Time until the chart has enough trades. */
const TRADING_MS = 75_000;
const SIZE = { width: 1_280, height: 800 };

const launchpad = await startLocalLaunchpad({
  environment: { PORT: '0' },
  log: (line) => console.error(`screenshots: ${line}`),
});
const browser = await launchChromium();
try {
  console.error(`screenshots: trading for ${TRADING_MS / 1_000} s`);
  await sleep(TRADING_MS);
  const { url } = launchpad.service;
  for (const [name, colorScheme] of [
    ['board', 'light'],
    ['token', 'dark'],
  ] as const) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme, baseURL: url });
    await (name === 'board' ? showBoard(page) : showToken(page, launchpad.tokens[0]!.mint.toBase58()));
    // With few colours the pictures have a third of the size.
    const picture = await sharp(await page.screenshot())
      .png({ palette: true, quality: 90, effort: 10 })
      .toBuffer();
    writeFileSync(`docs/${name}.png`, picture);
    console.log(`docs/${name}.png  ${SIZE.width} × ${SIZE.height}  ${Math.ceil(picture.length / 1_024)} kB`);
    await page.close();
  }
} finally {
  await browser.close();
  await launchpad.stop();
}

async function showBoard(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByText('Live', { exact: true }).first().waitFor();
  await sleep(1_000);
}

/** Shows a token's page with an entered amount, so that the curve shows the trade. */
async function showToken(page: Page, mint: string): Promise<void> {
  await page.goto(`/t/${mint}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.getByLabel('You pay').fill('5');
  await page.getByTestId('out').filter({ hasText: /\d/ }).waitFor();
  await sleep(2_000);
}
