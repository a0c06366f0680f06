// `npm run bench -- graduation`: the cost of graduating a curve, on every available build of the AMM.
import { Keypair } from '@solana/web3.js';
import { GRADUATE_ACCOUNTS } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { AMM_BUILDS } from '#tests/graduation/amm-builds.js';
import { OPENED } from '#tests/graduation/initialize.js';
import {
  graduation,
  launchTrading,
  MORE_THAN_A_CURVE,
  priceError,
  sendGraduation,
} from '#tests/graduation/graduating.js';
import { buyTokens } from '#tests/program/tokens.js';
import { grouped } from '#app/operator/table.js';
import { spreadOf, type Spread } from '../driver/measure.js';
import { numberColumns, scenario, whole, type Figures } from '../driver/scenario.js';
import { Stage } from '../driver/stage.js';
import { lifeKeysOf } from './token-life.js';

/** Transaction bytes without a lookup table, and the network fee in lamports. */
const MOST_BYTES = 1_100;
const NETWORK_FEE = 5_000;
const MOST_PRICE_ERROR = 1e-9;
const MOST_UNITS = { plain: 140_000, prefunded: 200_000 } as const;
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

interface Numbers {
  readonly mints: number;
  readonly seed: number;
}

interface Result extends Numbers {
  readonly figures: readonly Figure[];
  readonly problems: readonly string[];
}

scenario('graduation', {
  about: `Compute units, bytes and cost of graduate, once plain and once with lamports already at every address that it creates, and the
difference between the pool's price and the curve's closing price. The same seed gives the same mints and so the same units.`,
  options: {
    mints: whole(20, 'number of curves for each row', 1, 1_000),
    seed: whole(1, 'seed of the mints', 0, 2 ** 32 - 1),
  },
  fails: 'a figure is above its limit',
  run: async (_, { mints, seed }): Promise<Result> => {
    const figures: Figure[] = [];
    for (const { name, so } of AMM_BUILDS) {
      // One cluster after the other.
      const stage = new Stage();
      try {
        const cluster = await stage.cluster({ graduation: { ammSo: so } });
        for (const which of ['plain', 'prefunded'] as const)
          figures.push(await measure(cluster, name, which, mints, `${seed} ${which}`));
      } finally {
        await stage.stop();
      }
    }
    return { mints, seed, figures, problems: figures.flatMap(problemsOf) };
  },
  figures: tableOf,
  problems: ({ problems }) => problems,
});

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
        if (name === 'poolCreator') continue;
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

function tableOf({ figures, problems }: Result): Figures {
  const numbers = ['CU min', 'median', 'max', 'limit', 'bytes', 'cost', 'price error'];
  return {
    columns: [{ title: 'AMM' }, ...numberColumns('case', ...numbers.map((title) => [title] as const))],
    rows: figures.map(({ amm, case: which, computeUnits: { min, median, max }, ...figure }) => ({
      cells: [
        amm,
        which,
        ...[min, median, max, MOST_UNITS[which], figure.bytes, figure.cost].map(grouped),
        figure.priceError.toExponential(1),
      ],
    })),
    notes: problems,
  };
}
