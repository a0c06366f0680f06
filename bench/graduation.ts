// `npm run bench -- graduation`: the cost of graduating a curve, on every available build of the AMM.
import { Keypair } from '@solana/web3.js';
import { parseArgs } from 'node:util';
import { GRADUATE_ACCOUNTS } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { runCommand, wholeNumber } from '../scripts/command-line.js';
import { AMM_BUILDS } from '#tests/graduation/amm-builds.js';
import {
  graduation,
  launchTrading,
  MORE_THAN_A_CURVE,
  priceError,
  sendGraduation,
} from '#tests/graduation/graduating.js';
import { buyTokens } from '#tests/program/tokens.js';
import { grouped, renderTable, showsColour } from '#app/cli/table.js';
import { lifeKeysOf } from './life-keys.js';
import { spreadOf, type Spread } from './statistics.js';

const HELP = `npm run bench -- graduation [OPTIONS]

Compute units, bytes and cost of graduate, once plain and once with lamports already at every address that it creates, and the
difference between the pool's price and the curve's closing price. The same seed gives the same mints and so the same units.

  --mints N  number of curves for each row, 1 to 1000; default 20
  --seed N   seed of the mints; default 1
  --json     one JSON document
  --check    exit code 1 when a figure is above its limit
  --help     print this`;

/** Transaction bytes without a lookup table, and the network fee in lamports. */
const MOST_BYTES = 1_100;
const NETWORK_FEE = 5_000;
const MOST_PRICE_ERROR = 1e-9;
const MOST_UNITS = { plain: 170_000, prefunded: 200_000 } as const;
const SENT_AHEAD = 900_000n;
const CALLER_LAMPORTS = 20_000_000n;

type Case = keyof typeof MOST_UNITS;

interface Figure {
  readonly amm: string;
  readonly case: Case;
  readonly computeUnits: Spread;
  readonly bytes: number;
  /** The cost for the caller, in lamports. */
  readonly cost: number;
  readonly priceError: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mints: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return;
  }
  const mints = wholeNumber('--mints', values.mints, 1, 1_000);
  const seed = wholeNumber('--seed', values.seed, 0, 2 ** 32 - 1);
  const figures: Figure[] = [];
  for (const { name, so } of AMM_BUILDS) {
    const cluster = await startLocalCluster({ graduation: { ammSo: so } });
    try {
      for (const which of ['plain', 'prefunded'] as const)
        figures.push(await measure(cluster, name, which, mints, `${seed} ${which}`));
    } finally {
      await cluster.stop();
    }
  }
  const problems = figures.flatMap(problemsOf);
  if (values.json) console.log(JSON.stringify({ mints, seed, figures, problems }, null, 2));
  else console.log([tableOf(figures), ...problems].join('\n'));
  if (values.check && problems.length > 0) process.exitCode = 1;
}

async function measure(
  cluster: LocalCluster,
  amm: string,
  which: Case,
  mints: number,
  seed: string,
): Promise<Figure> {
  const units: number[] = [];
  const [sizes, costs, errors]: number[][] = [[], [], []];
  for (let index = 0; index < mints; index += 1) {
    const { mint } = lifeKeysOf(seed, index);
    const token = await launchTrading(cluster, { afterMigrationFee: 500 }, mint);
    await buyTokens(cluster, token, cluster.payer, MORE_THAN_A_CURVE);
    const caller = Keypair.generate();
    await cluster.fund(caller.publicKey, CALLER_LAMPORTS);
    if (which === 'prefunded') {
      const [, call] = graduation(cluster, token, caller.publicKey);
      for (const name of OPENED) {
        const { pubkey } = call!.keys[GRADUATE_ACCOUNTS[name]]!;
        await cluster.fund(pubkey, SENT_AHEAD);
      }
    }
    const sent = await sendGraduation(cluster, token, caller);
    units.push(sent.computeUnits);
    sizes!.push(sent.bytes);
    costs!.push(Number(CALLER_LAMPORTS) - (await cluster.connection.getBalance(caller.publicKey)));
    errors!.push(Math.abs(await priceError(cluster, token)));
  }
  return {
    amm,
    case: which,
    computeUnits: spreadOf(units),
    bytes: Math.max(...sizes!),
    cost: Math.max(...costs!),
    priceError: Math.max(...errors!),
  };
}

const OPENED = [
  'tokens',
  'wrappedSol',
  'pool',
  'lpMint',
  'lpTokens',
  'poolVault0',
  'poolVault1',
  'observation',
] as const;

function problemsOf({ amm, case: which, computeUnits, bytes, cost, priceError: error }: Figure): string[] {
  const limits: [what: string, value: number, limit: number][] = [
    ['compute units, median', computeUnits.median, MOST_UNITS[which]],
    ['bytes', bytes, MOST_BYTES],
    ['lamports that the caller pays', cost, NETWORK_FEE],
    ['relative error of the price', error, MOST_PRICE_ERROR],
  ];
  return limits
    .filter(([, value, limit]) => value > limit)
    .map(([what, value, limit]) => `AMM ${amm}, ${which}: ${what}: ${value}, the limit is ${limit}`);
}

function tableOf(figures: readonly Figure[]): string {
  const columns = ['AMM', 'case', 'CU min', 'median', 'max', 'limit', 'bytes', 'cost', 'price error'].map(
    (title, index) => ({ title, ...(index > 1 ? { align: 'right' as const } : {}) }),
  );
  const rows = figures.map(({ amm, case: which, computeUnits: { min, median, max }, ...figure }) => ({
    cells: [
      amm,
      which,
      ...[min, median, max, MOST_UNITS[which], figure.bytes, figure.cost].map(grouped),
      figure.priceError.toExponential(1),
    ],
  }));
  return renderTable(columns, rows, showsColour(process.stdout));
}

runCommand(HELP, main);
