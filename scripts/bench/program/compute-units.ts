// `npm run bench -- cu`: compute units and transaction bytes of every instruction, over many mints and wallets.
import { writeFileSync } from 'node:fs';
import { MAX_TRANSACTION_SIZE } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { UsageError } from '../../command-line.js';
import { readDeployedProgram } from '../../deployed-program.js';
import { randomStream } from '../../random.js';
import { grouped } from '#app/operator/table.js';
import { spreadOf, type Spread } from '../driver/measure.js';
import {
  flag,
  numberColumns,
  oneOf,
  say,
  scenario,
  whole,
  type Chosen,
  type Figures,
  type Given,
} from '../driver/scenario.js';
import { BASELINE_PATH, growthOver, readBaseline, type Baseline } from './baseline.js';
import { LIMITS, type FigureName } from './compute-unit-limits.js';
import { readConditions } from './conditions.js';
import { lifeKeysOf, measureTokenLife, type Measurement } from './token-life.js';

const DEFAULT_MINTS = 50;
const MOST_MINTS = 1_000;
const DEFAULT_SEED = 1;
const MOST_BINARY_BYTES = 275_000;

interface Figure {
  readonly name: FigureName;
  readonly runs: number;
  readonly computeUnits: Spread;
  /** Bytes of the transaction. Undefined for an inner call. */
  readonly bytes: Spread | undefined;
  readonly withinLimits: boolean;
}

interface Result {
  readonly figures: readonly Figure[];
  readonly run: Baseline;
  readonly problems: readonly string[];
}

const OPTIONS = {
  mints: whole(DEFAULT_MINTS, 'number of tokens, each with its own wallets', 1, MOST_MINTS),
  seed: whole(DEFAULT_SEED, 'seed of tokens and wallets', 0, 2 ** 32 - 1),
  cluster: oneOf(['surfpool', 'validator'], 'the cluster'),
  update: flag('write the result to scripts/bench/program/compute-units.json'),
};

scenario('cu', {
  about: `Measures compute units of every instruction, from the cluster's log, and bytes of its transaction. Each transaction has a
compute-unit limit and price. The creation has the longest name, symbol and uri; traders already have token accounts. The
same seed gives the same addresses and amounts and so the same units.`,
  options: OPTIONS,
  fails:
    'a figure is above its limit, or a median more than 1 % above that in\nbench/program/compute-units.json',
  run: async (stage, given) => {
    if (given.check && given.update) throw new UsageError('--check and --update exclude each other');
    return measure(await stage.cluster({ backend: given.cluster, log: say, graduation: false }), given);
  },
  figures: tableOf,
  problems: ({ problems }) => problems,
});

async function measure(cluster: LocalCluster, options: Given<typeof OPTIONS>): Promise<Result> {
  const { mints, seed, check, update } = options;
  const measurements = await measureLives(cluster, options);
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
  if (update) writeFileSync(BASELINE_PATH, `${JSON.stringify(run, null, 2)}\n`);
  const problems = [
    ...figures.filter(({ withinLimits }) => !withinLimits).map(({ name }) => `${name}: above its limit`),
    ...(binary.length > MOST_BINARY_BYTES
      ? [`the binary has ${binary.length} bytes, the limit is ${MOST_BINARY_BYTES}`]
      : []),
    ...(check ? growthOver(readBaseline(), run) : []),
  ];
  return { figures, run, problems };
}

async function measureLives(
  cluster: LocalCluster,
  { mints, seed }: Chosen<typeof OPTIONS>,
): Promise<Measurement[]> {
  let done = 0;
  const lives = Array.from({ length: mints }, async (_, index) => {
    const life = await measureTokenLife(cluster, lifeKeysOf(`${seed}`, index), randomStream(seed, index));
    done += 1;
    if (done % 10 === 0) say(`${done} of ${mints} mints`);
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

const COLUMNS = [
  ...['floor', 'min', 'median', 'limit', 'max', 'limit'].map((title) => [title, 'CU'] as const),
  ...([
    ['bytes', 'max'],
    ['limit', 'bytes'],
  ] as const),
];

function tableOf({ figures, run, problems }: Result): Figures {
  const number = (value: number | undefined) => (value === undefined ? '' : grouped(value));
  return {
    columns: [...numberColumns('instruction', ['runs'], ...COLUMNS), ''],
    rows: figures.map(({ name, runs, computeUnits, bytes, withinLimits }) => {
      const { floor, median, max } = LIMITS[name];
      const limits = [
        computeUnits.max,
        max,
        bytes?.max,
        bytes === undefined ? undefined : MAX_TRANSACTION_SIZE,
      ];
      const numbers = [runs, floor, computeUnits.min, computeUnits.median, median, ...limits];
      return {
        cells: [name, ...numbers.map(number), withinLimits ? 'ok' : 'ABOVE THE LIMIT'],
        style: withinLimits ? undefined : ('red' as const),
      };
    }),
    notes: [...textOf(run), ...(problems.length > 0 ? ['', ...problems] : [])],
  };
}

function textOf({ mints, seed, conditions, programBytes }: Baseline): string[] {
  const { cluster, program, compiler, tokenProgram } = conditions;
  return [
    `${mints} mints with two wallets each (seed ${seed}), on ${cluster}`,
    `program        ${grouped(programBytes)} bytes, SHA-256 ${program}`,
    `compiler       ${compiler}`,
    `token program  ${tokenProgram.name} (a Transfer takes ${tokenProgram.transferUnits} CU), SHA-256 ${tokenProgram.sha256}`,
  ];
}
