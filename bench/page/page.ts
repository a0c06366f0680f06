// The web page: how fast it opens on a slow phone, and how it handles a token with 100 trades a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicKey } from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';
import type { Browser, Page } from 'playwright-core';
import type { Database } from '#app/db/database.js';
import type { Service } from '#app/service.js';
import type { PostgresServer } from '#tests/database/postgres.js';
import { launchChromium } from '#tests/browser/chromium.js';
import { chromiumPath } from '#tests/browser/chromium-path.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { openSlowly, type Opening } from './opening.js';
import { figures, limits, problemsOf, type Busy, type Result } from './report.js';
import { withPageService } from './service.js';
import { TradeWriter } from './trades.js';
import { busySeconds, memoryOf, watch, watchedOn } from './watch.js';
import { fraction, whole } from '../driver/options.js';
import { say, scenario } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { percentile } from '../driver/statistics.js';

const PER_SECOND = 100;
/** Interval of the writer, similar to that of an indexer on a busy node. */
const WRITE_EVERY_MS = 40;
/** Time until the lists are full and V8 has compiled. The measurement of memory starts after it. */
const WARM_UP_SECONDS = 10;
const MINUTES = 0.5;
const OPENINGS = 3;
const REAL_TRADES = 40;
const REAL_PAUSE_MS = 150;
const TRADE_LAMPORTS = 20_000_000n;
const WALLET_LAMPORTS = 100_000_000_000n;

interface Parts {
  readonly cluster: LocalCluster;
  readonly postgres: PostgresServer;
  readonly url: string;
  readonly browser: Browser;
}

interface Numbers {
  readonly minutes: number;
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
    minutes: fraction(
      MINUTES,
      `minutes with ${PER_SECOND} trades a second (${MINUTES}); 10 for the limit of memory`,
    ),
    openings: whole(OPENINGS, `openings of each page; the median counts (${OPENINGS})`),
  },
  fails: `a figure is outside its limit: ${limits()}`,
  setup,
  load: measure,
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage): Promise<Parts> {
  say('starting a cluster, PostgreSQL and Chromium');
  const cluster = await stage.cluster();
  const postgres = await stage.postgres();
  const browser = await launchChromium(chromiumPath());
  stage.later(() => browser.close());
  return { cluster, postgres, browser, url: await postgres.createDatabase() };
}

async function measure(parts: Parts, { minutes, openings }: Numbers): Promise<Result> {
  const { cluster, browser } = parts;
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
    say(`${PER_SECOND} trades a second for ${minutes} minutes`);
    const busy = await busyTrades(parts, service, { database, mint: token.mint, minutes });
    return { minutes, perSecond: PER_SECOND, delays, busy, opened };
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
  {
    database,
    mint,
    minutes,
  }: { readonly database: Database; readonly mint: PublicKey; readonly minutes: number },
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
  const perSecond = await drive(minutes * 60);
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
