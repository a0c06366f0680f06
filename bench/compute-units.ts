// `npm run bench -- cu`: compute units and transaction bytes of every instruction, over many mints and wallets.
import { parseArgs } from 'node:util';
import { MAX_TRANSACTION_SIZE } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/sdk/testing';
import { clusterName, runCommand, wholeNumber } from '../scripts/command-line.js';
import { grouped, renderTable, showsColour, type Column } from '../scripts/table.js';
import { readConditions, type Conditions } from './conditions.js';
import { spreadOf, type Spread } from './statistics.js';
import { measureTokenLife, type MeasuredName, type Measurement } from './token-life.js';

const DEFAULT_MINTS = 50;
const MOST_MINTS = 1_000;

const HELP = `npm run bench -- cu [OPTIONS]

Compute units of every instruction, from the cluster's log, and bytes of its transaction, each sent with a compute-unit
limit and price; the creation with the longest name, symbol and uri, trades with existing token accounts.

  --mints N        how many tokens, each with wallets of its own, 1 to ${MOST_MINTS}; ${DEFAULT_MINTS} when left out
  --cluster WHERE  surfpool (the default), validator, or an RPC URL
  --json           one JSON document
  --check          exit code 1 when a median or a size is above its limit
  --help           print this`;

/** What the medians must not exceed, in compute units. */
const LIMITS = {
  createToken: 95_000,
  buyToken: 16_000,
  sellToken: 13_000,
  migrate: 9_000,
  'log record': 500,
};

type FigureName = MeasuredName | 'log record';

interface Figure {
  readonly name: FigureName;
  readonly runs: number;
  readonly computeUnits: Spread;
  /** Limit of the median. */
  readonly limit: number;
  /** Of the transaction; none for the call inside one. */
  readonly bytes: Spread | undefined;
  readonly withinLimits: boolean;
}

async function main(): Promise<void> {
  const { mints, cluster: backend, json, check, help } = options();
  if (help === true) {
    console.log(HELP);
    return;
  }
  const log = (line: string) => console.error(`bench cu: ${line}`);
  const cluster = await startLocalCluster({ backend, log });
  try {
    const measurements = await measure(cluster, mints, log);
    const [transfer] = measurements.find(({ name }) => name === 'buyToken')?.tokenCalls ?? [];
    const conditions = await readConditions(cluster, transfer?.computeUnits ?? 0);
    const figures = figuresOf(measurements);
    const withinLimits = figures.every((figure) => figure.withinLimits);
    if (json === true) console.log(JSON.stringify({ mints, conditions, figures, withinLimits }, null, 2));
    else console.log(`${tableOf(figures)}\n\n${textOf(conditions, mints)}`);
    if (check === true && !withinLimits) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}

function options() {
  const { values } = parseArgs({
    options: {
      mints: { type: 'string', default: `${DEFAULT_MINTS}` },
      cluster: { type: 'string', default: 'surfpool' },
      json: { type: 'boolean' },
      check: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const mints = wholeNumber('--mints', values.mints, 1, MOST_MINTS);
  return { ...values, mints, cluster: clusterName(values.cluster) };
}

async function measure(
  cluster: LocalCluster,
  mints: number,
  log: (line: string) => void,
): Promise<Measurement[]> {
  let done = 0;
  const lives = Array.from({ length: mints }, async () => {
    const life = await measureTokenLife(cluster);
    done += 1;
    if (done % 10 === 0) log(`${done} of ${mints} mints`);
    return life;
  });
  return (await Promise.all(lives)).flat();
}

function figuresOf(measurements: readonly Measurement[]): Figure[] {
  const instructions = (['createToken', 'buyToken', 'sellToken', 'migrate'] as const).map((name) => {
    const own = measurements.filter((measurement) => measurement.name === name);
    return figure(
      name,
      own.map(({ computeUnits }) => computeUnits),
      own.map(({ bytes }) => bytes),
    );
  });
  const logRecords = measurements.flatMap(({ logRecordUnits }) => logRecordUnits ?? []);
  return [...instructions, figure('log record', logRecords)];
}

function figure(name: FigureName, units: readonly number[], sizes?: readonly number[]): Figure {
  const computeUnits = spreadOf(units);
  const bytes = sizes === undefined ? undefined : spreadOf(sizes);
  const withinLimits =
    computeUnits.median <= LIMITS[name] && (bytes === undefined || bytes.max <= MAX_TRANSACTION_SIZE);
  return { name, runs: units.length, computeUnits, limit: LIMITS[name], bytes, withinLimits };
}

const NUMBERS = ['runs', 'min', 'median', 'max', 'limit', 'bytes', 'limit'];
const UNITS = ['', 'CU', 'CU', 'CU', 'CU, median', 'max', 'bytes'];
const COLUMNS: readonly Column[] = [
  { title: 'instruction' },
  ...NUMBERS.map((title, index): Column => ({ title, unit: UNITS[index] ?? '', align: 'right' })),
  { title: '' },
];

function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map(
    ({ name, runs, computeUnits: { min, median, max }, limit, bytes, withinLimits }) => ({
      cells: [
        name,
        ...[runs, min, median, max, limit].map(grouped),
        ...(bytes === undefined ? ['', ''] : [bytes.max, MAX_TRANSACTION_SIZE].map(grouped)),
        withinLimits ? 'ok' : 'ABOVE THE LIMIT',
      ],
      style: withinLimits ? undefined : ('red' as const),
    }),
  );
  return renderTable(COLUMNS, rows, showsColour(process.stdout));
}

function textOf({ cluster, program, compiler, tokenProgram }: Conditions, mints: number): string {
  return [
    `${mints} mints with two wallets each, on ${cluster}`,
    `program        SHA-256 ${program}`,
    `compiler       ${compiler}`,
    `token program  ${tokenProgram.name} (a Transfer takes ${tokenProgram.transferUnits} CU), SHA-256 ${tokenProgram.sha256}`,
  ].join('\n');
}

runCommand(HELP, main);
