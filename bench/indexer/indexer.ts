// Backfill of a long history into PostgreSQL: records per second, and memory. With --check it fails outside the limits.
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '#app/cli/table.js';
import type { Child } from '../driver/child.js';
import type { IndexerState } from './process.js';
import { startIndexer, TRADERS, USERS, type Running } from './run.js';
import { whole } from '../driver/options.js';
import { say, scenario, type Figures } from '../driver/scenario.js';

const RECORDS = 300_000;
const LEAST_PER_SECOND = 3_000;
/** Allowed memory growth after the first fifth of the records, when all code has run. */
const MOST_GROWTH_BYTES = 64 * 1_048_576;
const WARM_UP_SHARE = 0.2;
const SAMPLE_EVERY_MS = 500;
const SAY_EVERY = 20;

interface Result {
  readonly records: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** CPU time of the indexer process. */
  readonly cpuSeconds: number;
  /** Resident memory after the warm-up, at the end, and the maximum between. */
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly mostBytes: number;
  /** Differences between the tables and the history. */
  readonly differences: readonly string[];
}

scenario('indexer', {
  about: `Indexes a history of ${grouped(RECORDS)} records from a stand-in node in another process into PostgreSQL. One record in
${TRADERS / USERS} has a referral reward. Compares totals and ledger with the history.`,
  options: { records: whole(RECORDS, `how many (${grouped(RECORDS)})`) },
  fails: `a record is missing or duplicated, below ${grouped(LEAST_PER_SECOND)} records per second, or when\nmemory grows`,
  setup: (stage, { records }): Promise<Running> =>
    startIndexer(stage, { records, perSlot: 20, firstTime: 1_700_000_000 }),
  load: async ({ indexer, differences }, { records }): Promise<Result> => {
    const course = await follow(indexer, records);
    return { records, ...course, differences: await differences(course.gaps) };
  },
  figures,
  problems: problemsOf,
});

/** Measures from the indexer's start until it has read everything. */
async function follow(indexer: Child, records: number) {
  const start = performance.now();
  const states: IndexerState[] = [];
  for (;;) {
    const state = await indexer.ask<IndexerState>('state');
    states.push(state);
    if (states.length % SAY_EVERY === 0) {
      const rate = Math.round(state.records / ((performance.now() - start) / 1_000));
      say(
        `${grouped(state.records)} records, ${grouped(rate)} per second, ${mebibytes(state.residentBytes)} MiB`,
      );
    }
    if (state.records >= records) break;
    await sleep(SAMPLE_EVERY_MS);
  }
  const seconds = (performance.now() - start) / 1_000;
  const warm = states.filter((state) => state.records >= records * WARM_UP_SHARE);
  const [first, last] = [warm[0]!, warm.at(-1)!];
  return {
    seconds,
    perSecond: records / seconds,
    cpuSeconds: last.cpuSeconds,
    firstBytes: first.residentBytes,
    lastBytes: last.residentBytes,
    mostBytes: Math.max(...warm.map(({ residentBytes }) => residentBytes)),
    gaps: last.gaps,
  };
}

function problemsOf({ differences, perSecond, firstBytes, mostBytes }: Result): string[] {
  const problems = [...differences];
  if (perSecond < LEAST_PER_SECOND)
    problems.push(`${grouped(Math.round(perSecond))} records per second, below ${grouped(LEAST_PER_SECOND)}`);
  const growth = mostBytes - firstBytes;
  if (growth > MOST_GROWTH_BYTES)
    problems.push(`memory grows by ${mebibytes(growth)} MiB, over ${mebibytes(MOST_GROWTH_BYTES)} MiB`);
  return problems;
}

function figures(result: Result): Figures {
  return {
    columns: [
      { title: 'records', align: 'right' },
      { title: 'time', unit: 's', align: 'right' },
      { title: 'rate', unit: '1/s', align: 'right' },
      { title: 'limit', unit: '1/s', align: 'right' },
      { title: 'CPU', unit: 's', align: 'right' },
      { title: 'memory at 20 %', unit: 'MiB', align: 'right' },
      { title: 'at the end', unit: 'MiB', align: 'right' },
      { title: 'most', unit: 'MiB', align: 'right' },
      { title: 'records and ledger' },
    ],
    rows: [
      {
        cells: [
          grouped(result.records),
          result.seconds.toFixed(1),
          grouped(Math.round(result.perSecond)),
          grouped(LEAST_PER_SECOND),
          result.cpuSeconds.toFixed(1),
          mebibytes(result.firstBytes),
          mebibytes(result.lastBytes),
          mebibytes(result.mostBytes),
          result.differences.length === 0 ? 'exact' : result.differences.join('\n'),
        ],
      },
    ],
  };
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
