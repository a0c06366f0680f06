// Measures a page while trades come: frame times, when rows appear, and memory.
import type { CDPSession, Page } from 'playwright-core';

export interface Watched {
  /** Milliseconds from frame to frame. */
  readonly frames: readonly number[];
  /** By signature: Unix milliseconds of the frame after the row of a trade appeared. */
  readonly shownAt: ReadonlyMap<string, number>;
}

export interface Memory {
  readonly heapBytes: number;
  readonly nodes: number;
}

/** The page stores one trade in 32, because stored samples are part of the measured memory. */
const SAMPLED = 32;
const MOST_FRAMES = 200_000;

/** Starts the measurement in a page that shows trades. @param all stores every trade */
export async function watch(page: Page, { all }: { readonly all: boolean }): Promise<void> {
  // tsx compiles functions with a helper `__name`, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(
    ([every = 1, most = 0]) => {
      const state = { frames: new Float64Array(most), count: 0, last: 0, shown: [] as [string, number][] };
      Object.assign(globalThis, { watched: state });
      const onFrame = (now: number) => {
        if (state.last !== 0 && state.count < most) state.frames[state.count++] = now - state.last;
        state.last = now;
        requestAnimationFrame(onFrame);
      };
      requestAnimationFrame(onFrame);
      let rows = 0;
      const onRow = (row: Node) => {
        const signature = (row as HTMLElement).dataset['signature'];
        rows += 1;
        if (signature === undefined || rows % every !== 0) return;
        requestAnimationFrame(() =>
          state.shown.push([signature, performance.timeOrigin + performance.now()]),
        );
      };
      const observer = new MutationObserver((records) =>
        records.forEach(({ addedNodes }) => addedNodes.forEach(onRow)),
      );
      observer.observe(document.querySelector('[data-testid="trades"]')!, { childList: true });
    },
    [all ? 1 : SAMPLED, MOST_FRAMES],
  );
}

/** The measurements since `watch`. */
export async function watchedOn(page: Page): Promise<Watched> {
  const { frames, shown } = await page.evaluate(() => {
    const { watched } = globalThis as never as {
      watched: { frames: Float64Array; count: number; shown: [string, number][] };
    };
    return { frames: [...watched.frames.subarray(0, watched.count)], shown: watched.shown };
  });
  return { frames, shownAt: new Map(shown) };
}

/** Memory of the page after a garbage collection. */
export async function memoryOf(session: CDPSession): Promise<Memory> {
  // Objects freed in the first pass can release more in the second.
  for (let pass = 0; pass < 2; pass += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { heapBytes: usedSize, nodes };
}

/** CPU seconds of the page's main thread so far. */
export async function busySeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ThreadTime')?.value ?? 0;
}
