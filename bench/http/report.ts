// The printed report of `npm run bench -- http`, and its limits.
import { grouped, renderTable } from '#app/cli/table.js';
import { numberColumns, type Figures } from '../driver/scenario.js';
import type { RewardRows } from './reward-rows.js';

export const LEAST_OF_BARE = 0.9;
export const LEAST_OF_VERIFYING = 0.6;
export const MOST_P99_MS = 50;

/** The results for one server and path. */
export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server process per request, in microseconds. */
  readonly cpuMicroseconds: number;
}

/** CPU time of the server process per request, in microseconds. */
export interface PartCost {
  readonly part: string;
  readonly withIt: number;
  readonly cpuMicroseconds: number;
}

export interface Result {
  readonly rewards: RewardRows;
  readonly connections: number;
  readonly bare: Measured;
  readonly version: Measured;
  readonly rewardsOfWallet: Measured;
  /** Signatures that one thread verifies per second. */
  readonly verifiedPerSecond: number;
  /** Medians of the ratios of consecutive rounds. */
  readonly ofBare: number;
  readonly ofVerifying: number;
  /** Only with `--parts`. */
  readonly parts: readonly PartCost[];
}

export function figures({ bare, version, rewardsOfWallet, verifiedPerSecond, ...result }: Result): Figures {
  const row = (name: string, measured: Measured, ratio: string, limit: string) => ({
    cells: [
      name,
      grouped(Math.round(measured.perSecond)),
      ratio,
      limit,
      measured.p50.toFixed(1),
      measured.p99.toFixed(1),
      measured.cpuMicroseconds.toFixed(0),
    ],
  });
  const { rows, wallets } = result.rewards;
  return {
    columns: [
      ...numberColumns('', ['requests', '1/s']),
      ...numberColumns('of the rate', ['limit'], ['p50', 'ms'], ['p99', 'ms'], ['CPU', 'µs']),
    ],
    rows: [
      row('bare Express', bare, '', ''),
      row('GET /v1/internal', version, `${percent(result.ofBare)} of bare Express`, percent(LEAST_OF_BARE)),
      row(
        'GET /rewards/:address',
        rewardsOfWallet,
        `${percent(result.ofVerifying)} of ${grouped(Math.round(verifiedPerSecond))} verified`,
        percent(LEAST_OF_VERIFYING),
      ),
    ],
    notes: [
      ...(result.parts.length === 0 ? [] : [partsTable(result.parts), '']),
      `${result.connections} connections; ${grouped(rows)} rewards of ${grouped(wallets)} wallets; medians of the rounds`,
    ],
  };
}

function partsTable(parts: readonly PartCost[]): string {
  return renderTable(
    numberColumns('part', ['CPU', 'µs'], ['so far', 'µs']),
    parts.map(({ part, cpuMicroseconds, withIt }) => ({
      cells: [part, cpuMicroseconds.toFixed(0), withIt.toFixed(0)],
    })),
  );
}

/** The medians that are outside their limits. */
export function problemsOf({ ofBare, ofVerifying, version, rewardsOfWallet }: Result): string[] {
  return [
    ofBare < LEAST_OF_BARE &&
      `GET /v1/internal: ${percent(ofBare)} of bare Express, below ${percent(LEAST_OF_BARE)}`,
    ofVerifying < LEAST_OF_VERIFYING &&
      `GET /rewards/:address: ${percent(ofVerifying)} of the verifying rate, below ${percent(LEAST_OF_VERIFYING)}`,
    ...[version, rewardsOfWallet].map(
      ({ p99 }) => p99 > MOST_P99_MS && `p99 is ${p99.toFixed(1)} ms, over ${MOST_P99_MS} ms`,
    ),
  ].filter((problem) => problem !== false);
}

/** A share as a percentage. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
