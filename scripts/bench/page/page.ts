// The web page: how fast it opens on a slow phone, and how it handles a token with 100 trades a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicKey } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import type { Browser, Page } from 'playwright-core';
import { openDatabase, type Database } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { launchChromium } from '#tests/browser/chromium.js';
import { chromiumPath } from '#tests/browser/chromium-path.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { eventually, testConfig } from '#tests/service/service.js';
import { openSlowly, type Opening } from './opening.js';
import { TradeWriter } from './trades.js';
import { percentile } from '../driver/measure.js';
import { numberColumns, say, scenario, whole, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { busySeconds, memoryOf, watch, watchedOn, type Memory } from './watch.js';

const PER_SECOND = 100;
/** Interval of the writer, similar to that of an indexer on a busy node. */
const WRITE_EVERY_MS = 40;
/** Time until the lists are full and V8 has compiled. The measurement of memory starts after it. */
const WARM_UP_SECONDS = 10;
const REAL_TRADES = 40;
const REAL_PAUSE_MS = 150;
const TRADE_LAMPORTS = 20_000_000n;
const WALLET_LAMPORTS = 100_000_000_000n;

const MOST_FRAME_MS = 20;
const MOST_DELAY_MS = 300;
const MOST_GROWTH_MIB = 9.5;
/** Allows for garbage of the engine and the observer. The number of rows must not grow. */
const MOST_NEW_NODES = 500;
const MOST_LCP_MS = 1_300;
const MOST_CLS = 0.02;
/** Of the wanted rate. Above it, the frame times are not valid. */
const MOST_MISSED = 0.05;

interface Parts {
  readonly cluster: LocalCluster;
  readonly url: string;
  readonly browser: Browser;
}

interface Busy {
  /** Written trades per second. */
  readonly perSecond: number;
  readonly frames: number;
  readonly medianFrameMs: number;
  readonly p95FrameMs: number;
  readonly longestFrameMs: number;
  /** Milliseconds from the commit of a trade to its row, for sampled trades. */
  readonly delays: readonly number[];
  /** Share of a core that the page's main thread used. */
  readonly busyShare: number;
  readonly before: Memory;
  readonly after: Memory;
}

interface Result {
  readonly seconds: number;
  /** Milliseconds from the confirmation of a real trade to its row. */
  readonly delays: readonly number[];
  readonly busy: Busy;
  /** Openings by page. */
  readonly opened: Readonly<Record<string, readonly Opening[]>>;
}

interface Numbers {
  readonly seconds: number;
  readonly openings: number;
}

scenario('page', {
  about: `Measures the built page in Debian's Chromium, with a real service, PostgreSQL and a local cluster, all on this machine:
- ${REAL_TRADES} real trades on Surfpool, one after the other: the time from the node's confirmation of a trade until its row is on
  the page (its next frame).
- ${PER_SECOND} trades a second of that token. A simulated cluster cannot make so many, so the indexer's own writer stores them, as if
  a node had confirmed them. Frame times by requestAnimationFrame; JavaScript heap and DOM nodes after a forced garbage
  collection.
- The board and the token's page with an empty cache, on Lighthouse's mobile profile (CPU ÷ 4, "slow 4G" as DevTools applies it).`,
  options: {
    seconds: whole(30, `seconds with ${PER_SECOND} trades a second; 600 for the limit of memory`),
    openings: whole(3, 'openings of each page; the median counts'),
  },
  fails: 'a figure is outside its limit',
  run,
  figures,
  problems,
});

async function run(stage: Stage, { seconds, openings }: Numbers): Promise<Result> {
  say('starting a cluster, PostgreSQL and Chromium');
  const cluster = await stage.cluster();
  const postgres = await stage.postgres();
  const browser = await launchChromium(chromiumPath());
  stage.later(() => browser.close());
  const parts = { cluster, browser, url: await postgres.createDatabase() };
  const token = await launch(cluster, { name: 'Busy Bee', symbol: 'BEE' });
  const delays = await withPageService(parts, 'on', (service) => realTrades(parts, service, token));
  return withPageService(parts, 'off', async (service, database) => {
    const path = `/t/${token.mint.toBase58()}`;
    const opened: Record<string, Opening[]> = { board: [], token: [] };
    for (let count = 0; count < openings; count += 1) {
      say(`opening the pages slowly (${count + 1} of ${openings})`);
      opened['board']!.push(await openSlowly(browser, service.url));
      opened['token']!.push(await openSlowly(browser, service.url + path));
    }
    say(`${PER_SECOND} trades a second for ${seconds} s`);
    const busy = await busyTrades(parts, service, database, token.mint, seconds);
    return { seconds, delays, busy, opened };
  });
}

/** Opens a token's page and waits for its trades and the open stream. */
async function openToken(browser: Browser, { url }: Service, mint: PublicKey): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 860 }, baseURL: url });
  await page.goto(`/t/${mint.toBase58()}`);
  await page.getByTestId('trades').waitFor();
  await page.getByTestId('chart').locator('canvas').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return page;
}

/** Milliseconds from each trade's confirmation to its row. */
async function realTrades({ cluster, browser }: Parts, service: Service, token: Token): Promise<number[]> {
  const wallet = await cluster.fundedWallet(WALLET_LAMPORTS);
  const first = await buyTokens(cluster, token, wallet, TRADE_LAMPORTS);
  const trades = `${service.url}/v1/market/tokens/${token.mint.toBase58()}/trades`;
  const isIndexed = async () => (await (await fetch(trades)).text()).includes(first.signature);
  await eventually(isIndexed, 'the first trade in the index');
  const confirmedAt = new Map<string, number>();
  const listener = cluster.connection.onLogs(
    cluster.programId,
    ({ signature }) => confirmedAt.set(signature, performance.timeOrigin + performance.now()),
    'confirmed',
  );
  const page = await openToken(browser, service, token.mint);
  await watch(page, { all: true });
  say(`${REAL_TRADES} real trades`);
  for (let count = 0; count < REAL_TRADES; count += 1) {
    await buyTokens(cluster, token, wallet, TRADE_LAMPORTS);
    await sleep(REAL_PAUSE_MS);
  }
  await sleep(1_000);
  const { shownAt } = await watchedOn(page);
  await page.close();
  await cluster.connection.removeOnLogsListener(listener);
  return delaysOf(confirmedAt, shownAt);
}

async function busyTrades(
  { cluster, browser }: Parts,
  service: Service,
  database: Database,
  mint: PublicKey,
  wanted: number,
): Promise<Busy> {
  const writer = await TradeWriter.open(cluster, database, mint);
  const page = await openToken(browser, service, mint);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const writtenAt = new Map<string, number>();
  const drive = async (seconds: number) => {
    const startedAt = performance.now();
    for (let written = 0; written < seconds * PER_SECOND;) {
      const elapsed = performance.now() - startedAt;
      const due = Math.min(seconds * PER_SECOND, Math.floor((elapsed * PER_SECOND) / 1_000)) - written;
      if (due > 0) {
        const signatures = await writer.write(due);
        const now = performance.timeOrigin + performance.now();
        for (const signature of signatures) writtenAt.set(signature, now);
        written += due;
      }
      await sleep(Math.max(0, WRITE_EVERY_MS - (performance.now() - startedAt - elapsed)));
    }
    return seconds * PER_SECOND * (1_000 / (performance.now() - startedAt));
  };
  await drive(WARM_UP_SECONDS);
  await watch(page, { all: false });
  const before = await memoryOf(session);
  const [busyBefore, startedAt] = [await busySeconds(session), performance.now()];
  const perSecond = await drive(wanted);
  const seconds = (performance.now() - startedAt) / 1_000;
  const busyShare = ((await busySeconds(session)) - busyBefore) / seconds;
  await sleep(500);
  const { frames, shownAt } = await watchedOn(page);
  const after = await memoryOf(session);
  await page.close();
  return {
    perSecond,
    frames: frames.length,
    medianFrameMs: percentile(frames, 0.5) ?? NaN,
    p95FrameMs: percentile(frames, 0.95) ?? NaN,
    longestFrameMs: percentile(frames, 1) ?? NaN,
    delays: delaysOf(writtenAt, shownAt),
    busyShare,
    before,
    after,
  };
}

function delaysOf(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>): number[] {
  return [...to].flatMap(([signature, at]) => {
    const since = from.get(signature);
    return since === undefined ? [] : [at - since];
  });
}

/** @param indexer `off` when this process writes the trades itself */
async function withPageService<T>(
  { cluster, url }: Parts,
  indexer: 'on' | 'off',
  work: (service: Service, database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 10 });
  const config = testConfig(cluster, {
    PORT: '0',
    INDEXER: indexer,
    SETTLEMENT_INTERVAL_SECONDS: '0',
    MARKET_RATE_LIMIT_REQUESTS: '1000000',
  });
  const service = await startService(config, {
    overrides: { database, deployment: cluster.deployment, metrics: createMetrics({ ofProcess: false }) },
  });
  if (service.page === undefined) throw new Error('there is no built page: run `npm run build`');
  try {
    return await work(service, database);
  } finally {
    await service.stop();
  }
}

/** A figure with its text, and the limit that it must not be over. */
type Row = readonly [what: string, value: number, unit: string, limit?: number];

function rowsOf({ delays, busy, opened }: Result): Row[] {
  const { before, after } = busy;
  const at = (of: readonly number[], share: number) => percentile(of, share) ?? NaN;
  const median = (of: readonly number[]) => at(of, 0.5);
  const mebibytes = (bytes: number) => bytes / 1_048_576;
  return [
    ['real trade, confirmed until its row: median', median(delays), 'ms', MOST_DELAY_MS],
    ['p95', at(delays, 0.95), 'ms'],
    ['trades a second not written in time', PER_SECOND - busy.perSecond, '', PER_SECOND * MOST_MISSED],
    ['frame: median', busy.medianFrameMs, 'ms'],
    ['p95', busy.p95FrameMs, 'ms', MOST_FRAME_MS],
    ['longest', busy.longestFrameMs, 'ms'],
    ["page's main thread, of a core", busy.busyShare * 100, '%'],
    ['trade, committed until its row: median', median(busy.delays), 'ms', MOST_DELAY_MS],
    ['heap at first', mebibytes(before.heapBytes), 'MiB'],
    ['more at the end', mebibytes(after.heapBytes - before.heapBytes), 'MiB', MOST_GROWTH_MIB],
    ['DOM nodes at first', before.nodes, ''],
    ['more at the end', after.nodes - before.nodes, '', MOST_NEW_NODES],
    ...Object.entries(opened).flatMap(([page, openings]): Row[] => [
      [
        `${page}: LCP (${openings[0]!.largest})`,
        median(openings.map(({ lcpMs }) => lcpMs)),
        'ms',
        MOST_LCP_MS,
      ],
      [`${page}: CLS (${openings[0]!.moved})`, median(openings.map(({ cls }) => cls)), '', MOST_CLS],
    ]),
  ];
}

const textOf = (value: number, unit: string) => `${Number(value.toFixed(value < 1 ? 3 : 1))} ${unit}`.trim();

function problems(result: Result): string[] {
  // NaN means that a figure was not measured, which is a problem too.
  return rowsOf(result).flatMap(([what, value, unit, limit]) =>
    limit === undefined || value <= limit
      ? []
      : [`${what}: ${textOf(value, unit)}, and the limit is ${textOf(limit, unit)}`],
  );
}

function figures(result: Result): Figures {
  const { seconds, busy, delays } = result;
  return {
    title: `${delays.length} real trades, ${PER_SECOND} a second for ${seconds} s (${busy.frames} frames)`,
    columns: numberColumns('what', ['measured'], ['limit']),
    rows: rowsOf(result).map(([what, value, unit, limit]) => [
      what,
      textOf(value, unit),
      limit === undefined ? '' : textOf(limit, unit),
    ]),
  };
}
