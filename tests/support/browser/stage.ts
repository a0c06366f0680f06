// One local launchpad and one browser for all stories of a run, because both take longer to start than a story.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startLocalLaunchpad, type LocalLaunchpad } from '#app/operator/local/launchpad.js';
import { launchChromium } from './chromium.js';
import { complaintsOf } from './complaints.js';

const ACTION_TIMEOUT_MS = 45_000;
const START_TIMEOUT_MS = 180_000;
/** Characters of a page's text in an error. */
const LONGEST_SHOWN = 2_000;

export interface Stage {
  readonly launchpad: LocalLaunchpad;
  readonly url: string;
  readonly browser: Browser;
}

let started: Promise<Stage> | undefined;

/** The stage, which is started before the tests. */
export function stage(): Promise<Stage> {
  started ??= start();
  return started;
}

async function start(): Promise<Stage> {
  const [launchpad, browser] = await Promise.all([
    startLocalLaunchpad({
      environment: {
        ...{ PORT: '0', RATE_LIMIT_REQUESTS: '1000000', MARKET_RATE_LIMIT_REQUESTS: '1000000' },
        CREATOR_SHARE_BPS: '3000',
      },
      log: () => undefined,
      // The repository's own belongs to an `npm start` that may be running.
      folder: mkdtempSync(join(tmpdir(), 'curvekit-stage-')),
    }),
    launchChromium(),
  ]);
  return { launchpad, browser, url: launchpad.service.url };
}

before('start the stage', async function () {
  this.timeout(START_TIMEOUT_MS);
  await stage();
});
afterEach(async function () {
  const browser = (await started)?.browser;
  await tellShown(this.currentTest, browser?.contexts().flatMap((context) => context.pages()) ?? []);
});
after(async function () {
  this.timeout(START_TIMEOUT_MS);
  if (started === undefined) return;
  const { launchpad, browser } = await started;
  await browser.close();
  await launchpad.stop();
});

export interface Visit {
  readonly page: Page;
  /** Uncaught errors and violations of the content security policy so far. */
  readonly complaints: readonly string[];
}

/** A new visitor: no stored data, no connected wallet. */
export async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const { browser, url } = await stage();
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 860 },
    colorScheme: 'dark',
    // Playwright does not see the requests that a worker makes.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  if (path !== '') await page.goto(path);
  return { page, complaints };
}

/** Adds to the error of a failed test what its pages show. */
async function tellShown(test: Mocha.Test | undefined, pages: readonly Page[]): Promise<void> {
  if (!(test?.err instanceof Error)) return;
  for (const page of pages) {
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    test.err.message += `\n${page.url()} shows: ${text.replace(/\s+/g, ' ').slice(0, LONGEST_SHOWN)}`;
  }
}

/** `visit` for the tests of a suite. What a test has opened is closed after it. */
export function useVisits(): typeof visit {
  const opened: Page[] = [];
  afterEach(async function () {
    await tellShown(this.currentTest, opened);
    for (const page of opened.splice(0)) await page.context().close();
  });
  return async (...of) => {
    const visitor = await visit(...of);
    opened.push(visitor.page);
    return visitor;
  };
}

/** From here on, documents arrive as from a CDN: without the data that the service embeds. */
export async function asFromCdn(page: Page): Promise<void> {
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/<script type="application\/json".*?<\/script>/s, '');
    return route.fulfill({ response: answer, body });
  });
}

/** From here on, the page reads this configuration of the market in place of some of the service's. */
export async function changeConfig(page: Page, changes: object): Promise<void> {
  await asFromCdn(page);
  await page.route('**/v1/market/config', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...changes } });
  });
}
