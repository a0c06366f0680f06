// Indexes live trades into PostgreSQL at the rate of a busy market, and measures the delay of the index.
import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '#app/operator/table.js';
import { SLOT_MS } from './chain.js';
import type { IndexerState } from './process.js';
import { percentile } from '../driver/measure.js';
import { numberColumns, oneOf, scenario, whole, type Figures } from '../driver/scenario.js';
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
  /** Waiting time of the oldest confirmed trade that is not in the tables. */
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly largestMs: number;
  /** CPU time of the indexer and of PostgreSQL for each trade that was indexed, in microseconds. */
  readonly cpuPerTrade: number;
  /** Resident memory at half of the time, and at the end. */
  readonly halfBytes: number;
  readonly residentBytes: number;
  /** What a trade takes on disk: records, trades, candles, positions, rewards and their indexes. */
  readonly bytesPerTrade: number;
  readonly differences: readonly string[];
}

scenario('live', {
  about: `A stand-in node confirms trades slot by slot and finalizes them 32 slots later. The indexer stores them with candles, positions
and events, and books a referral reward for one trade in ${TRADERS / USERS}. Measures how long a confirmed trade waits until it
is in the tables. At the end it compares records, totals and ledger with the chain.`,
  options: {
    source: oneOf(['rpc', 'grpc'], 'what the indexer takes transactions from: the RPC node or a gRPC feed'),
    share: oneOf(EARNERS, "who earns half of each trade's fee"),
    rate: whole(PER_SECOND, 'trades per second', 10),
    seconds: whole(
      SECONDS,
      `for how long; the first ${WARM_UP_SECONDS} are not measured`,
      WARM_UP_SECONDS + 1,
    ),
  },
  fails: `a record is missing or duplicated, a trade waits longer than ${grouped(MOST_BEHIND_MS)} ms, or takes more than ${MOST_BYTES_PER_TRADE} bytes`,
  run: async (stage, { source, share, rate, seconds }): Promise<Result> => {
    const records = rate * seconds;
    const perSlot = Math.round((rate * SLOT_MS) / 1_000);
    const size = { records, perSlot, firstTime: Math.floor(Date.now() / 1_000) };
    const running = await startIndexer(stage, size, source, share);
    return measure(running, records, seconds);
  },
  figures,
  problems: ({ differences, largestMs, halfBytes, residentBytes, bytesPerTrade }) => [
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
  ],
});

async function measure(
  { indexer, node, whenFinalized, storedBytes, databaseCpu }: Running,
  records: number,
  seconds: number,
): Promise<Result> {
  const empty = await storedBytes();
  const startedAt = performance.now();
  const waits: number[] = [];
  /** CPU seconds of the indexer and of PostgreSQL; NaN where the system does not tell it. */
  const cpuOf = async ({ cpuSeconds }: IndexerState) => cpuSeconds + ((await databaseCpu()) ?? NaN);
  let warm: { readonly cpu: number; readonly records: number } | undefined;
  let halfBytes: number | undefined;
  let state = await indexer.ask<IndexerState>('state');
  const elapsed = () => performance.now() - startedAt;
  while (state.records < records && elapsed() < seconds * 1_000 + DRAIN_MS) {
    await sleep(SAMPLE_EVERY_MS);
    state = await indexer.ask<IndexerState>('state');
    if (elapsed() < WARM_UP_SECONDS * 1_000) continue;
    if (elapsed() > (seconds * 1_000) / 2) halfBytes ??= state.residentBytes;
    warm ??= { cpu: await cpuOf(state), records: state.records };
    waits.push(await node.ask<number>(state.records));
  }
  const cpu = (await cpuOf(state)) - warm!.cpu;
  const { residentBytes } = state;
  const found = await whenFinalized();
  return {
    medianMs: percentile(waits, 0.5)!,
    p99Ms: percentile(waits, 0.99)!,
    largestMs: Math.max(...waits),
    cpuPerTrade: (cpu * 1_000_000) / (state.records - warm!.records),
    halfBytes: halfBytes ?? residentBytes,
    residentBytes,
    bytesPerTrade: Math.round(((await storedBytes()) - empty) / state.records),
    differences: found,
  };
}

function figures(found: Result): Figures {
  const ms = (value: number) => `${grouped(Math.round(value))} ms`;
  const rows: readonly (readonly [what: string, value: string, limit?: string])[] = [
    ['a confirmed trade waits: median', ms(found.medianMs)],
    ['p99', ms(found.p99Ms)],
    ['longest', ms(found.largestMs), ms(MOST_BEHIND_MS)],
    ['CPU time of indexer and PostgreSQL for each trade', `${found.cpuPerTrade.toFixed(0)} µs`],
    ['memory of the indexer at half of the time', mebibytes(found.halfBytes)],
    ['and at the end', mebibytes(found.residentBytes)],
    ['a trade takes on disk', `${found.bytesPerTrade} bytes`, `${MOST_BYTES_PER_TRADE} bytes`],
    ['records and ledger', found.differences.join('\n') || 'exact', 'exact'],
  ];
  return {
    columns: numberColumns('what', ['measured'], ['limit']),
    rows: rows.map(([what, value, limit = '']) => ({ cells: [what, value, limit] })),
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}
