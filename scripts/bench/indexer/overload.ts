// Offers more trades a second than the machine can index, kills the indexer in between, and measures how much is indexed all the
// same, how old the newest price on the stream is, and how long the rest takes.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '#app/operator/table.js';
import { percentile } from '../driver/measure.js';
import { numberColumns, oneOf, scenario, say, text, whole } from '../driver/scenario.js';
import { Stage } from '../driver/stage.js';
import { FAILED_EVERY, SLOT_MS } from './chain.js';
import type { IndexerState } from './process.js';
import { EARNERS, startIndexer, type Running } from './run.js';

const CAPACITY = 10_000;
const SECONDS = 60;
/** Of the capacity. */
const OFFERED = [0.5, 1, 2, 4];
const WARM_UP_SECONDS = 2;
const SAMPLE_EVERY_MS = 250;
const TELL_EVERY_MS = 5_000;
/** Times the offer's own time, after which the rest is given up. */
const MOST_TIMES = 10;
const FROZEN_MS = 20_000;
const MOST_PRICE_AGE_MS = 1_000;
/** Above the capacity at least so much of the best rate is done: overload must not cost work. */
const LEAST_OF_BEST = 0.75;

interface Result {
  readonly offered: number;
  /** Trades a second while they were offered. */
  readonly done: number;
  /** From the end of the offer until everything was shown. */
  readonly caughtUpMs: number;
  /** Of a confirmed trade: the oldest that is not shown, at each sample. */
  readonly p99Ms: number;
  readonly longestWaitMs: number;
  /** Of the newest price on the stream, at the 95th percentile. */
  readonly priceAgeMs: number;
  readonly hadFault: boolean;
  readonly residentBytes: number;
  /** CPU time of the indexer and of PostgreSQL for each trade, in microseconds; NaN after a kill, and where the system does not tell it. */
  readonly cpuPerTrade: number;
  /** What a trade takes on disk: records, trades, candles, positions, rewards and their indexes. */
  readonly bytesPerTrade: number;
  readonly differences: readonly string[];
}

scenario('overload', {
  about: `Offers ${OFFERED.join(', ')} times the capacity for a while, each on a new database. A trade is done when the tables have it.`,
  options: {
    capacity: whole(CAPACITY, 'trades a second that count as the capacity', 10),
    seconds: whole(SECONDS, 'for how long each rate is offered', 2 * WARM_UP_SECONDS),
    only: oneOf(['all', ...OFFERED.map(String)], 'one of the rates, in times of the capacity'),
    source: oneOf(['grpc', 'rpc'], 'what the indexer takes transactions from: a gRPC feed or the RPC node'),
    share: oneOf(EARNERS, "who earns half of each trade's fee"),
    picture: text('write a picture of the rates, SVG, to this file'),
    faults: oneOf(
      ['none', 'kill', 'freeze', 'both'],
      `of each: kill the indexer after a third, stop PostgreSQL for ${FROZEN_MS / 1_000} s after two thirds`,
    ),
  },
  fails: `a record is missing or duplicated, the newest price is older than ${MOST_PRICE_AGE_MS} ms (without a fault), or less than ${LEAST_OF_BEST} of the best rate is done at a higher one`,
  run: async (_, { capacity, seconds, only, picture, ...how }) => {
    const results: Result[] = [];
    for (const times of only === 'all' ? OFFERED : [Number(only)]) {
      const stage = new Stage();
      try {
        results.push(await measure(stage, { offered: Math.round(capacity * times), seconds, ...how }));
      } finally {
        await stage.stop();
      }
    }
    if (picture !== undefined) writeFileSync(picture, pictureOf(results));
    return results;
  },
  figures: (results) => ({
    columns: numberColumns(
      'offered',
      ['done', 'a second'],
      ['caught up after', 'ms'],
      ['p99 of the wait', 'ms'],
      ['longest', 'ms'],
      ['newest price', 'ms old'],
      ['memory', 'MiB'],
      ['a trade takes', 'µs'],
      ['on disk', 'bytes'],
      ['records and ledger'],
    ),
    rows: results.map((found) => [
      ...[found.offered, found.done, found.caughtUpMs, found.p99Ms, found.longestWaitMs].map(grouped),
      grouped(found.priceAgeMs),
      mebibytes(found.residentBytes),
      Number.isNaN(found.cpuPerTrade) ? '–' : grouped(Math.round(found.cpuPerTrade)),
      grouped(found.bytesPerTrade),
      found.differences.length === 0 ? 'exact' : found.differences.join('\n'),
    ]),
  }),
  problems: (results) => {
    const best = Math.max(...results.map(({ done }) => done));
    return results.flatMap(({ offered, done, priceAgeMs, hadFault, differences }) => [
      ...differences,
      ...(hadFault || priceAgeMs <= MOST_PRICE_AGE_MS
        ? []
        : [`at ${offered} a second the newest price is ${priceAgeMs} ms old; ${MOST_PRICE_AGE_MS} at most`]),
      ...(offered < best || done >= LEAST_OF_BEST * best
        ? []
        : [`at ${offered} a second ${done} are done; at least ${LEAST_OF_BEST} of ${best} expected`]),
    ]);
  },
});

interface Offer {
  /** Trades a second. */
  readonly offered: number;
  readonly seconds: number;
  readonly faults: 'none' | 'kill' | 'freeze' | 'both';
  readonly source: 'grpc' | 'rpc';
  readonly share: (typeof EARNERS)[number];
}

async function measure(stage: Stage, { offered, seconds, faults, source, share }: Offer): Promise<Result> {
  const records = offered * seconds;
  const perSlot = Math.round(((offered * SLOT_MS) / 1_000) * (1 + 1 / FAILED_EVERY));
  const size = { records, perSlot, firstTime: Math.floor(Date.now() / 1_000) };
  const running = await startIndexer(stage, size, source, share);
  const empty = await running.storedBytes();
  const cpuBefore = (await running.databaseCpu()) ?? NaN;
  say(`offering ${grouped(offered)} trades a second for ${seconds} s`);
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const waits: number[] = [];
  const ages: number[] = [];
  let tellAt = TELL_EVERY_MS;
  let [atWarmUp, atEnd, caughtUpAt, residentBytes] = [0, 0, 0, 0];
  let state: IndexerState | undefined;
  const open = new Set(faults === 'both' ? (['kill', 'freeze'] as const) : [faults]);
  for (let shown = 0; shown < records && elapsed() < MOST_TIMES * seconds * 1_000;) {
    await sleep(SAMPLE_EVERY_MS);
    shown = await running.shown();
    if (elapsed() > tellAt) {
      const memory = `${mebibytes(residentBytes)} MiB at most`;
      say(`${Math.round(elapsed() / 1_000)} s: ${grouped(shown)} of ${grouped(records)} shown, ${memory}`);
      tellAt += TELL_EVERY_MS;
    }
    if (elapsed() < WARM_UP_SECONDS * 1_000) atWarmUp = shown;
    else if (elapsed() < seconds * 1_000) {
      atEnd = shown;
      ages.push(await priceAge(running));
    }
    caughtUpAt = elapsed();
    waits.push(await running.node.ask<number>(shown));
    state = await running.indexer.ask<IndexerState>('state');
    residentBytes = Math.max(residentBytes, state.residentBytes);
    if (elapsed() > (seconds * 1_000) / 3 && open.delete('kill')) await running.restart();
    if (elapsed() > (seconds * 2_000) / 3 && open.delete('freeze')) {
      running.freeze(true);
      await sleep(FROZEN_MS);
      running.freeze(false);
    }
  }
  const cpuSeconds = state!.cpuSeconds + ((await running.databaseCpu()) ?? NaN) - cpuBefore;
  const differences = await running.whenFinalized();
  return {
    offered,
    cpuPerTrade: faults === 'none' ? (cpuSeconds * 1_000_000) / records : NaN,
    done: Math.round((atEnd - atWarmUp) / (seconds - WARM_UP_SECONDS)),
    caughtUpMs: Math.round(Math.max(0, caughtUpAt - seconds * 1_000)),
    p99Ms: Math.round(percentile(waits, 0.99)!),
    longestWaitMs: Math.round(Math.max(...waits)),
    priceAgeMs: Math.round(percentile(ages, 0.95)!),
    ...{ hadFault: faults !== 'none', residentBytes },
    differences,
    bytesPerTrade: Math.round(((await running.storedBytes()) - empty) / records),
  };
}

const mebibytes = (bytes: number) => grouped(Math.round(bytes / 1_048_576));

/** Milliseconds. */
async function priceAge({ node, newestPrices }: Running): Promise<number> {
  const age = await node.ask<number>(await newestPrices());
  return age < 0 ? Infinity : age;
}

const [WIDTH, HEIGHT, EDGE] = [640, 320, 48];

/** The rate done against the rate offered, and what would be done without a limit. */
function pictureOf(results: readonly Result[]): string {
  const most = Math.max(...results.map(({ offered }) => offered));
  const x = (rate: number) => Math.round(EDGE + (rate / most) * (WIDTH - 2 * EDGE));
  const y = (rate: number) => Math.round(HEIGHT - EDGE - (rate / most) * (HEIGHT - 2 * EDGE));
  const line = (points: readonly (readonly [number, number])[], more: string) =>
    `<polyline fill="none" stroke-width="2" ${more} points="${points.map(([at, rate]) => `${x(at)},${y(rate)}`).join(' ')}"/>`;
  const label = (at: number, below: number, words: string) =>
    `<text x="${at}" y="${below}" text-anchor="middle">${words}</text>`;
  const done = results.map(({ offered, done: rate }) => [offered, rate] as const);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>Trades a second that are indexed, by trades a second that are offered</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    line(
      [
        [0, 0],
        [most, most],
      ],
      'stroke="#bbb" stroke-dasharray="4 4"',
    ),
    line([[0, 0], ...done], 'stroke="#0a7"'),
    ...done.flatMap(([at, rate]) => [
      `<circle cx="${x(at)}" cy="${y(rate)}" r="4" fill="#0a7"/>`,
      label(x(at), y(rate) - 10, grouped(rate)),
      label(x(at), HEIGHT - EDGE + 18, grouped(at)),
    ]),
    label(WIDTH / 2, HEIGHT - 8, 'offered, trades a second'),
    `</svg>\n`,
  ].join('\n');
}
