// The web page: how long the first buy of a visit takes, from the press until its result is on the page.
import { resolve } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import type { Browser } from 'playwright-core';
import { openDatabase } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService } from '#app/service.js';
import { launchChromium } from '#tests/browser/chromium.js';
import { chromiumPath } from '#tests/browser/chromium-path.js';
import { ask, connectBurner } from '#tests/browser/people.js';
import { launch } from '#tests/program/tokens.js';
import { testConfig } from '#tests/service/service.js';
import { spreadOf, type Spread } from '../driver/measure.js';
import { numberColumns, oneOf, say, scenario, whole, type Option } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';

const WALLET_LAMPORTS = 10_000_000_000n;
/** Between the amount and the press. */
const PAUSE_MS = 1_500;
const OWN = 'web/dist';

const folder: Option<string | undefined> = {
  about: 'the folder of another build of the page, measured in turn with this one',
  value: 'FOLDER',
  read: (_, text) => (text === undefined ? undefined : String(text)),
};

scenario('buy', {
  about: `Measures the first buy of a visit with the built page in Chromium: from the press of the button until the result is on the page. The
service, the cluster and the browser are on this machine.`,
  options: {
    buys: whole(15, 'visits with each build; the median counts'),
    backend: oneOf(['surfpool', 'validator'], 'the cluster'),
    against: folder,
  },
  fails: 'the median is above 0.7 of the other build',
  run: async (stage, { buys, backend, against }) => {
    const cluster = await stage.cluster({ backend });
    const browser = await launchChromium(chromiumPath());
    stage.later(() => browser.close());
    const mint = (await launch(cluster, { name: 'First Press', symbol: 'FIRST' })).mint.toBase58();
    const folders = [OWN, ...(against === undefined ? [] : [against])];
    const pages = await Promise.all(folders.map((one) => servePage(stage, cluster, one)));
    const times = folders.map((): number[] => []);
    for (let count = 0; count < buys; count += 1) {
      say(`visit ${count + 1} of ${buys}`);
      for (const [index, url] of pages.entries())
        times[index]!.push(await firstBuy(browser, cluster, `${url}/t/${mint}`));
    }
    return folders.map((one, index) => ({ folder: one, ms: spreadOf(times[index]!) }));
  },
  figures: (found) => ({
    columns: numberColumns('page', ['fastest', 'ms'], ['median', 'ms'], ['slowest', 'ms']),
    rows: found.map(({ folder: one, ms }) => ({
      cells: [one, ...[ms.min, ms.median, ms.max].map((each) => each.toFixed(0))],
    })),
  }),
  problems: ([own, other]: readonly { readonly ms: Spread }[]) =>
    other === undefined || own!.ms.median <= 0.7 * other.ms.median
      ? []
      : [
          `the first buy takes ${(own!.ms.median / other.ms.median).toFixed(2)} of the other build, at most 0.7`,
        ],
});

/** @returns the URL of a service with this build */
async function servePage(stage: Stage, cluster: LocalCluster, page: string): Promise<string> {
  const database = await openDatabase({ kind: 'pglite', folder: undefined });
  const config = testConfig(cluster, {
    PORT: '0',
    INDEXER: 'on',
    WEB_FOLDER: resolve(page),
    SETTLEMENT_INTERVAL_SECONDS: '0',
    MARKET_RATE_LIMIT_REQUESTS: '1000000',
  });
  const service = await startService(config, {
    overrides: { database, deployment: cluster.deployment, metrics: createMetrics({ ofProcess: false }) },
  });
  stage.later(() => service.stop());
  return service.url;
}

/** Milliseconds from the press until the result. */
async function firstBuy(browser: Browser, cluster: LocalCluster, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 860 } });
  const page = await context.newPage();
  await page.goto(url);
  const address = await connectBurner(page);
  await cluster.fund(new PublicKey(address), WALLET_LAMPORTS);
  await ask(page, 'You pay', '0.1');
  await page.locator('[data-testid="submit"]:enabled').waitFor();
  await page.waitForTimeout(PAUSE_MS);
  const ms = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const pressedAt = performance.now();
        new MutationObserver((_, observer) => {
          if (document.querySelector('[data-testid="done"], [data-testid="problem"]') === null) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - pressedAt));
        }).observe(document, { childList: true, subtree: true });
        document.querySelector<HTMLElement>('[data-testid="submit"]')!.click();
      }),
  );
  await page.getByTestId('done').waitFor();
  await context.close();
  return ms;
}
