// Indexes live trades into PostgreSQL at the rate of a busy market, and measures the delay of the index.
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '#app/cli/table.js';
import { SLOT_MS } from './chain.js';
import type { IndexerState } from './process.js';
import { startIndexer, TRADERS, USERS, type Running } from './run.js';
import { whole } from '../driver/options.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { percentile } from '../driver/statistics.js';

const PER_SECOND = 2_000;
const SECONDS = 60;
/** The indexer starts after the chain and has to catch up first. */
const WARM_UP_SECONDS = 10;
/** The maximum delay of an indexer that keeps up. */
const MOST_BEHIND_MS = 3_000;
/** The time after the last slot in which it must be finalized and booked. */
const DRAIN_MS = 60_000;
const SAMPLE_EVERY_MS = 100;

interface Result {
  readonly perSecond: number;
  readonly seconds: number;
  /** Waiting time of the oldest confirmed trade that is not in the tables. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly largestMs: number;
  /** CPU share of the indexer process, of one core. */
  readonly cpuShare: number;
  readonly residentBytes: number;
  /** What a trade takes on disk: records, trades, candles, positions, rewards and their indexes. */
  readonly bytesPerTrade: number;
  readonly differences: readonly string[];
}

interface Numbers {
  readonly rate: number;
  readonly seconds: number;
}

scenario('live', {
  about: `A stand-in node confirms trades slot by slot and finalizes them 32 slots later. The indexer stores them with candles, positions
and events, and books a referral reward for one trade in ${TRADERS / USERS}. Measures how long a confirmed trade waits until it
is in the tables. At the end it compares records, totals and ledger with the chain.`,
  options: {
    rate: whole(PER_SECOND, `trades per second (${grouped(PER_SECOND)})`, { least: 10 }),
    seconds: whole(SECONDS, `for how long (${SECONDS}; the first ${WARM_UP_SECONDS} are not measured)`, {
      least: WARM_UP_SECONDS + 1,
    }),
  },
  fails: `a record is missing or duplicated, or a trade waits longer than ${grouped(MOST_BEHIND_MS)} ms`,
  setup,
  load: measure,
  figures,
  problems: ({ differences, largestMs }) =>
    largestMs <= MOST_BEHIND_MS
      ? differences
      : [...differences, `a trade waited ${grouped(largestMs)} ms; ${grouped(MOST_BEHIND_MS)} at most`],
});

function setup(stage: Stage, { rate, seconds }: Numbers): Promise<Running> {
  const size = {
    records: rate * seconds,
    perSlot: Math.round((rate * SLOT_MS) / 1_000),
    firstTime: Math.floor(Date.now() / 1_000),
  };
  // As often as the node's notifications would wake the indexer.
  return startIndexer(stage, size, { isLive: true, environment: { INDEXER_POLL_MS: '50' } });
}

async function measure(
  { indexer, node, differences, storedBytes }: Running,
  { rate: perSecond, seconds }: Numbers,
): Promise<Result> {
  const empty = await storedBytes();
  const startedAt = performance.now();
  const waits: number[] = [];
  let warm: { readonly at: number; readonly cpuSeconds: number } | undefined;
  let state = await indexer.ask<IndexerState>('state');
  const elapsed = () => performance.now() - startedAt;
  while (state.records < perSecond * seconds && elapsed() < seconds * 1_000 + DRAIN_MS) {
    await sleep(SAMPLE_EVERY_MS);
    state = await indexer.ask<IndexerState>('state');
    if (elapsed() < WARM_UP_SECONDS * 1_000) continue;
    warm ??= { at: elapsed(), cpuSeconds: state.cpuSeconds };
    waits.push(await node.ask<number>(state.records));
  }
  const cpuShare = (state.cpuSeconds - warm!.cpuSeconds) / ((elapsed() - warm!.at) / 1_000);
  const { residentBytes, gaps } = state;
  const found = await whenFinalized(() => differences(gaps));
  return {
    perSecond,
    seconds,
    medianMs: percentile(waits, 0.5)!,
    p99Ms: percentile(waits, 0.99)!,
    largestMs: Math.max(...waits),
    cpuShare,
    residentBytes,
    bytesPerTrade: Math.round(((await storedBytes()) - empty) / state.records),
    differences: found,
  };
}

/** Waits until there are no differences, or until the timeout. Returns the differences. */
async function whenFinalized(find: () => Promise<string[]>): Promise<string[]> {
  for (const since = performance.now(); ;) {
    const found = await find();
    if (found.length === 0 || performance.now() - since > DRAIN_MS) return found;
    await sleep(1_000);
  }
}

function figures(result: Result): Figures {
  const { perSecond, seconds, differences } = result;
  return {
    title: `${grouped(perSecond)} trades a second for ${seconds} s`,
    columns: numberColumns('what', ['measured'], ['limit']),
    rows: [
      { cells: ['a confirmed trade waits: median', `${grouped(Math.round(result.medianMs))} ms`, ''] },
      { cells: ['p99', `${grouped(Math.round(result.p99Ms))} ms`, ''] },
      {
        cells: ['longest', `${grouped(Math.round(result.largestMs))} ms`, `${grouped(MOST_BEHIND_MS)} ms`],
      },
      { cells: ["the indexer's share of a core", `${(result.cpuShare * 100).toFixed(0)} %`, ''] },
      { cells: ['its memory at the end', `${(result.residentBytes / 1_048_576).toFixed(0)} MiB`, ''] },
      { cells: ['a trade takes on disk', `${grouped(result.bytesPerTrade)} bytes`, ''] },
      {
        cells: ['records and ledger', differences.length === 0 ? 'exact' : differences.join('\n'), 'exact'],
      },
    ],
  };
}
