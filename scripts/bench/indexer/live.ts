// Indexes live trades into PostgreSQL at the rate of a busy market, and measures the delay of the index.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '#app/operator/table.js';
import { SLOT_MS } from './chain.js';
import type { IndexerState } from './process.js';
import { percentile } from '../driver/measure.js';
import { numberColumns, oneOf, scenario, whole, type Figures } from '../driver/scenario.js';
import { Stage } from '../driver/stage.js';
import { DRAIN_MS, EARNERS, startIndexer, TRADERS, USERS, type Running } from './run.js';

const PER_SECOND = 2_000;
const SECONDS = 60;
/** The indexer starts after the chain and has to catch up first. */
const WARM_UP_SECONDS = 10;
/** The maximum delay of an indexer that keeps up. */
const MOST_BEHIND_MS = 3_000;
const SAMPLE_EVERY_MS = 100;
/** Half a GiB a million trades. */
const MOST_BYTES_PER_TRADE = 537;
/** In the second half of the time. */
const MOST_GROWTH_BYTES = 128 * 1_048_576;

interface Result {
  readonly source: Source;
  readonly perSecond: number;
  readonly seconds: number;
  /** Waiting time of the oldest confirmed trade that is not in the tables. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly largestMs: number;
  /** CPU share of the indexer process, of one core. */
  readonly cpuShare: number;
  /** CPU time of the indexer and of PostgreSQL for each trade that was indexed, in microseconds. */
  readonly cpuPerTrade: number;
  /** The same of PostgreSQL's processes together; undefined where the system does not tell it. */
  readonly databaseShare: number | undefined;
  /** The same of the stand-in node. */
  readonly nodeShare: number;
  /** Of all cores together. Without idle time the machine is the limit. */
  readonly idleShare: number;
  /** Resident memory at half of the time, and at the end. */
  readonly halfBytes: number;
  readonly residentBytes: number;
  /** What a trade takes on disk: records, trades, candles, positions, rewards and their indexes. */
  readonly bytesPerTrade: number;
  readonly differences: readonly string[];
}

type Source = 'rpc' | 'grpc';

interface Numbers {
  readonly source: Source | 'both';
  readonly share: (typeof EARNERS)[number];
  readonly rate: number;
  readonly seconds: number;
}

scenario('live', {
  about: `A stand-in node confirms trades slot by slot and finalizes them 32 slots later. The indexer stores them with candles, positions
and events, and books a referral reward for one trade in ${TRADERS / USERS}. Measures how long a confirmed trade waits until it
is in the tables. At the end it compares records, totals and ledger with the chain.`,
  options: {
    source: oneOf(
      ['rpc', 'grpc', 'both'],
      'what the indexer takes transactions from: the RPC node (rpc), a gRPC feed, or both in turn',
    ),
    share: oneOf(EARNERS, "who earns half of each trade's fee"),
    rate: whole(PER_SECOND, 'trades per second', 10),
    seconds: whole(
      SECONDS,
      `for how long; the first ${WARM_UP_SECONDS} are not measured`,
      WARM_UP_SECONDS + 1,
    ),
  },
  fails: `a record is missing or duplicated, a trade waits longer than ${grouped(MOST_BEHIND_MS)} ms, or takes more than ${MOST_BYTES_PER_TRADE} bytes`,
  run: async (_, numbers) => {
    const results: Result[] = [];
    for (const source of numbers.source === 'both' ? (['rpc', 'grpc'] as const) : [numbers.source]) {
      const stage = new Stage();
      try {
        results.push(await measure(await start(stage, numbers, source), numbers, source));
      } finally {
        await stage.stop();
      }
    }
    return results;
  },
  figures,
  problems: (results) =>
    results.flatMap(({ differences, largestMs, halfBytes, residentBytes, bytesPerTrade }) => [
      ...differences,
      ...(largestMs <= MOST_BEHIND_MS
        ? []
        : [`a trade waited ${grouped(largestMs)} ms; ${grouped(MOST_BEHIND_MS)} at most`]),
      ...(residentBytes - halfBytes <= MOST_GROWTH_BYTES
        ? []
        : [`memory grew by ${mebibytes(residentBytes - halfBytes)} in the second half`]),
      ...(bytesPerTrade <= MOST_BYTES_PER_TRADE
        ? []
        : [`a trade takes ${bytesPerTrade} bytes on disk; ${MOST_BYTES_PER_TRADE} at most`]),
    ]),
});

function start(stage: Stage, { rate, seconds, share }: Numbers, source: Source): Promise<Running> {
  const size = {
    records: rate * seconds,
    perSlot: Math.round((rate * SLOT_MS) / 1_000),
    firstTime: Math.floor(Date.now() / 1_000),
  };
  return startIndexer(stage, size, source, share);
}

async function measure(
  { indexer, node, whenFinalized, storedBytes, nodeCpu, databaseCpu }: Running,
  { rate: perSecond, seconds }: Numbers,
  source: Source,
): Promise<Result> {
  const empty = await storedBytes();
  const startedAt = performance.now();
  const waits: number[] = [];
  let warm: Moment | undefined;
  const moment = async ({ cpuSeconds, records }: IndexerState): Promise<Moment> => ({
    ...{ at: performance.now(), records, indexer: cpuSeconds, cores: coreTimes() },
    ...{ database: await databaseCpu(), node: await nodeCpu() },
  });
  let halfBytes: number | undefined;
  let state = await indexer.ask<IndexerState>('state');
  const elapsed = () => performance.now() - startedAt;
  while (state.records < perSecond * seconds && elapsed() < seconds * 1_000 + DRAIN_MS) {
    await sleep(SAMPLE_EVERY_MS);
    state = await indexer.ask<IndexerState>('state');
    if (elapsed() < WARM_UP_SECONDS * 1_000) continue;
    if (elapsed() > (seconds * 1_000) / 2) halfBytes ??= state.residentBytes;
    warm ??= await moment(state);
    waits.push(await node.ask<number>(state.records));
  }
  const shares = sharesBetween(warm!, await moment(state));
  const { residentBytes } = state;
  const found = await whenFinalized();
  return {
    source,
    perSecond,
    seconds,
    medianMs: percentile(waits, 0.5)!,
    p99Ms: percentile(waits, 0.99)!,
    largestMs: Math.max(...waits),
    ...shares,
    halfBytes: halfBytes ?? residentBytes,
    residentBytes,
    bytesPerTrade: Math.round(((await storedBytes()) - empty) / state.records),
    differences: found,
  };
}

/** CPU times so far, in seconds. */
interface Moment {
  readonly at: number;
  readonly records: number;
  readonly indexer: number;
  readonly node: number;
  readonly database: number | undefined;
  readonly cores: { readonly idle: number; readonly all: number };
}

/** Of all cores together, in milliseconds. */
function coreTimes(): Moment['cores'] {
  const times = cpus().map(({ times: { user, nice, sys, irq, idle } }) => ({
    idle,
    all: user + nice + sys + irq + idle,
  }));
  return times.reduce((sum, { idle, all }) => ({ idle: sum.idle + idle, all: sum.all + all }));
}

function sharesBetween(from: Moment, to: Moment) {
  const seconds = (to.at - from.at) / 1_000;
  const used = to.indexer - from.indexer + ((to.database ?? 0) - (from.database ?? 0));
  return {
    cpuPerTrade: (used * 1_000_000) / (to.records - from.records),
    cpuShare: (to.indexer - from.indexer) / seconds,
    nodeShare: (to.node - from.node) / seconds,
    databaseShare:
      to.database === undefined || from.database === undefined
        ? undefined
        : (to.database - from.database) / seconds,
    idleShare: (to.cores.idle - from.cores.idle) / (to.cores.all - from.cores.all),
  };
}

function figures(results: readonly Result[]): Figures {
  const row = (what: string, of: (result: Result) => string, limit = '') => ({
    cells: [what, ...results.map(of), limit],
  });
  const ms = (value: number) => `${grouped(Math.round(value))} ms`;
  const [{ perSecond, seconds }] = results as [Result];
  return {
    title: `${grouped(perSecond)} trades a second for ${seconds} s`,
    columns: numberColumns('what', ...results.map(({ source: name }) => [name] as const), ['limit']),
    rows: [
      row('a confirmed trade waits: median', ({ medianMs }) => ms(medianMs)),
      row('p99', ({ p99Ms }) => ms(p99Ms)),
      row('longest', ({ largestMs }) => ms(largestMs), ms(MOST_BEHIND_MS)),
      row("the indexer's share of a core", ({ cpuShare }) => `${(cpuShare * 100).toFixed(0)} %`),
      row("PostgreSQL's share of a core", ({ databaseShare }) =>
        databaseShare === undefined ? '' : `${(databaseShare * 100).toFixed(0)} %`,
      ),
      row('both together, for each trade', ({ cpuPerTrade }) => `${cpuPerTrade.toFixed(0)} µs`),
      row("the stand-in node's share of a core", ({ nodeShare }) => `${(nodeShare * 100).toFixed(0)} %`),
      row(`idle, of ${cpus().length} cores`, ({ idleShare }) => `${(idleShare * 100).toFixed(0)} %`),
      row('memory of the indexer at half of the time', ({ halfBytes }) => mebibytes(halfBytes)),
      row('and at the end', ({ residentBytes }) => mebibytes(residentBytes)),
      row(
        'a trade takes on disk',
        ({ bytesPerTrade }) => `${grouped(bytesPerTrade)} bytes`,
        `${MOST_BYTES_PER_TRADE} bytes`,
      ),
      row(
        'records and ledger',
        ({ differences }) => (differences.length === 0 ? 'exact' : differences.join('\n')),
        'exact',
      ),
    ],
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}
