// `npm run bench -- cu`: compute units and transaction bytes of every instruction, over many mints and wallets.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MAX_TRANSACTION_SIZE } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { clusterName, runCommand, UsageError, wholeNumber } from '../scripts/command-line.js';
import { readDeployedProgram } from '../scripts/deployed-program.js';
import { randomStream } from '../scripts/random.js';
import { grouped, renderTable, showsColour, type Column } from '#app/cli/table.js';
import { BASELINE_PATH, growthOver, readBaseline, type Baseline } from './baseline.js';
import { lifeKeysOf } from './life-keys.js';
import { LIMITS, type FigureName } from './compute-unit-limits.js';
import { readConditions } from './conditions.js';
import { spreadOf, type Spread } from './statistics.js';
import { measureTokenLife, type Measurement } from './token-life.js';

const DEFAULT_MINTS = 50;
const MOST_MINTS = 1_000;
const DEFAULT_SEED = 1;
const MOST_BINARY_BYTES = 275_000;

const HELP = `npm run bench -- cu [OPTIONS]

Measures compute units of every instruction, from the cluster's log, and bytes of its transaction. Each transaction has a
compute-unit limit and price. The creation has the longest name, symbol and uri; traders already have token accounts. The
same seed gives the same addresses and amounts and so the same units.

  --mints N        number of tokens, each with its own wallets, 1 to ${MOST_MINTS}; default ${DEFAULT_MINTS}
  --seed N         seed of tokens and wallets, 0 to 4294967295; default ${DEFAULT_SEED}
  --cluster WHERE  surfpool (the default), validator, or an RPC URL (random keys, as money may be real there)
  --json           one JSON document
  --check          exit code 1 when a figure is above its limit, or a median more than 1 % above that in
                   bench/compute-units.json
  --update         write the result to bench/compute-units.json
  --help           print this`;

interface Figure {
  readonly name: FigureName;
  readonly runs: number;
  readonly computeUnits: Spread;
  /** Bytes of the transaction. Undefined for an inner call. */
  readonly bytes: Spread | undefined;
  readonly withinLimits: boolean;
}

interface Options {
  readonly mints: number;
  readonly seed: number;
  readonly cluster: string;
  readonly json: boolean;
  readonly check: boolean;
  readonly update: boolean;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) {
    console.log(HELP);
    return;
  }
  const { json, check, update } = options;
  const { figures, run } = await measureAll(options);
  const growth = check ? growthOver(readBaseline(), run) : [];
  const aboveLimits = figures
    .filter(({ withinLimits }) => !withinLimits)
    .map(({ name }) => `${name}: above its limit`);
  if (run.programBytes > MOST_BINARY_BYTES) {
    aboveLimits.push(`the binary has ${run.programBytes} bytes, the limit is ${MOST_BINARY_BYTES}`);
  }
  const problems = [...aboveLimits, ...growth];
  if (json) console.log(JSON.stringify({ ...run, problems }, null, 2));
  else console.log([tableOf(figures), textOf(run), problems.join('\n')].join('\n\n').trimEnd());
  if (update) writeFileSync(BASELINE_PATH, `${JSON.stringify(run, null, 2)}\n`);
  if (check && problems.length > 0) process.exitCode = 1;
}

/** @returns undefined for `--help`. @throws UsageError */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      mints: { type: 'string', default: `${DEFAULT_MINTS}` },
      seed: { type: 'string', default: `${DEFAULT_SEED}` },
      cluster: { type: 'string', default: 'surfpool' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return undefined;
  if (values.check && values.update) throw new UsageError('--check and --update exclude each other');
  return {
    ...values,
    mints: wholeNumber('--mints', values.mints, 1, MOST_MINTS),
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1),
    cluster: clusterName(values.cluster),
  };
}

async function measureAll(options: Options): Promise<{ figures: Figure[]; run: Baseline }> {
  const { mints, seed } = options;
  const log = (line: string) => console.error(`bench cu: ${line}`);
  const cluster = await startLocalCluster({ backend: options.cluster, log, graduation: false });
  try {
    const measurements = await measureLives(cluster, options, log);
    const [transfer] = measurements.find(({ name }) => name === 'buyToken')?.tokenCalls ?? [];
    const conditions = await readConditions(cluster, transfer?.computeUnits ?? 0);
    const { binary } = await readDeployedProgram(cluster.connection, cluster.programId);
    const figures = figuresOf(measurements);
    const committed = figures.map(({ name, computeUnits, bytes }) => ({
      name,
      computeUnits,
      bytes: bytes?.max ?? null,
    }));
    const run = { mints, seed, conditions, programBytes: binary.length, figures: committed };
    return { figures, run };
  } finally {
    await cluster.stop();
  }
}

async function measureLives(
  cluster: LocalCluster,
  { mints, seed, cluster: where }: Options,
  log: (line: string) => void,
): Promise<Measurement[]> {
  const isLocal = where === 'surfpool' || where === 'validator';
  const keys = isLocal ? `${seed}` : randomBytes(32).toString('hex');
  let done = 0;
  const lives = Array.from({ length: mints }, async (_, index) => {
    const life = await measureTokenLife(cluster, lifeKeysOf(keys, index), randomStream(seed, index));
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
  const { median, max = Infinity } = LIMITS[name];
  const withinLimits =
    computeUnits.median <= median &&
    computeUnits.max <= max &&
    (bytes === undefined || bytes.max <= MAX_TRANSACTION_SIZE);
  return { name, runs: units.length, computeUnits, bytes, withinLimits };
}

const NUMBERS = ['runs', 'floor', 'min', 'median', 'limit', 'max', 'limit', 'bytes', 'limit'];
const UNITS = ['', 'CU', 'CU', 'CU', 'CU', 'CU', 'CU', 'max', 'bytes'];
const COLUMNS: readonly Column[] = [
  { title: 'instruction' },
  ...NUMBERS.map((title, index): Column => ({ title, unit: UNITS[index] ?? '', align: 'right' })),
  { title: '' },
];

function tableOf(figures: readonly Figure[]): string {
  const number = (value: number | undefined) => (value === undefined ? '' : grouped(value));
  const rows = figures.map(({ name, runs, computeUnits, bytes, withinLimits }) => {
    const { floor, median, max } = LIMITS[name];
    const byteLimit = bytes === undefined ? undefined : MAX_TRANSACTION_SIZE;
    const { min } = computeUnits;
    const numbers = [
      runs,
      floor,
      min,
      computeUnits.median,
      median,
      computeUnits.max,
      max,
      bytes?.max,
      byteLimit,
    ];
    return {
      cells: [name, ...numbers.map(number), withinLimits ? 'ok' : 'ABOVE THE LIMIT'],
      style: withinLimits ? undefined : ('red' as const),
    };
  });
  return renderTable(COLUMNS, rows, showsColour(process.stdout));
}

function textOf({ mints, seed, conditions, programBytes }: Baseline): string {
  const { cluster, program, compiler, tokenProgram } = conditions;
  return [
    `${mints} mints with two wallets each (seed ${seed}), on ${cluster}`,
    `program        ${grouped(programBytes)} bytes, SHA-256 ${program}`,
    `compiler       ${compiler}`,
    `token program  ${tokenProgram.name} (a Transfer takes ${tokenProgram.transferUnits} CU), SHA-256 ${tokenProgram.sha256}`,
  ].join('\n');
}

runCommand(HELP, main);
