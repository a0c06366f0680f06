// Measures how fast a page opens on a slow phone, with Lighthouse's mobile profile applied by Chromium.
import type { Browser } from 'playwright-core';

export interface Opening {
  /** Milliseconds until the largest contentful paint. */
  readonly lcpMs: number;
  /** Its element and class. */
  readonly largest: string;
  /** Cumulative layout shift of the worst five seconds. */
  readonly cls: number;
  /** The elements of the largest shift. Empty when nothing has moved. */
  readonly moved: string;
}

/** Lighthouse's "slow 4G": 150 ms and 1.6 Mbit/s, with the factors that DevTools throttling needs. */
const NETWORK = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1.6 * 1_024 * 1_024 * 0.9) / 8,
  uploadThroughput: (750 * 1_024 * 0.9) / 8,
};
const CPU_SLOWDOWN = 4;
const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};
/** Time after the load event for later requests and their layout shifts. */
const SETTLE_MS = 8_000;

/** Opens a page with an empty browser cache. */
export async function openSlowly(browser: Browser, url: string): Promise<Opening> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(url, { waitUntil: 'load', timeout: 60_000 });
    await page.waitForTimeout(SETTLE_MS);
    return await page.evaluate(async () => {
      const found = { lcpMs: 0, largest: '', cls: 0, moved: '' };
      new PerformanceObserver((list) => {
        for (const { startTime, element } of list.getEntries() as (PerformanceEntry & {
          element?: Element;
        })[]) {
          found.lcpMs = Math.round(startTime);
          // No element: the script has replaced it.
          found.largest = element ? `${element.localName} ${element.className}`.trim() : 'the shell';
        }
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      // As in Chromium: shifts within five seconds, less than a second apart, add up.
      const burst = { sum: 0, from: 0, to: -Infinity };
      let most = 0;
      new PerformanceObserver((list) => {
        for (const { startTime, value, sources } of list.getEntries() as (PerformanceEntry & {
          value: number;
          sources: readonly { readonly node: Element | null }[];
        })[]) {
          if (startTime - burst.to > 1_000 || startTime - burst.from > 5_000)
            Object.assign(burst, { sum: 0, from: startTime });
          burst.sum += value;
          burst.to = startTime;
          found.cls = Math.max(found.cls, burst.sum);
          if (value <= most) continue;
          most = value;
          found.moved = sources
            .map(({ node }) => (node ? `${node.localName} ${node.className}`.trim() : 'a removed element'))
            .join(', ');
        }
      }).observe({ type: 'layout-shift', buffered: true });
      await new Promise((resolve) => setTimeout(resolve, 500));
      return found;
    });
  } finally {
    await context.close();
  }
}
