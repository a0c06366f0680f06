// Random episodes.
import {
  AFTER_MIGRATION_FEES,
  GRADUATE_ACCOUNTS,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { randomStream } from '../../scripts/random.js';
import { CHEATS } from './graduations.js';
import { ANY_STATE, OPENED_PLACES, PLACES, TOKENS, TRADERS } from './keys.js';
import type { Alteration, Amount, Episode, EpisodeSpec, Minimum, Step } from './steps.js';

export const STEPS_OF_EPISODE = 200;
const SOL = 1_000_000_000n;
/** Of a trader. All traders' together fit u64. */
const MOST_LAMPORTS = 5n * 10n ** 18n;
const USUAL_TOKENS = 1_073_000_000_000_000n;

/** What steps of a kind occur, in a thousand. The rest are trades. */
const KINDS = [
  [40, 'create'],
  [25, 'graduate'],
  [8, 'sweep'],
  [6, 'migrate'],
  [10, 'settings'],
  [30, 'gift'],
  [20, 'gift of tokens'],
  [8, 'burn'],
  [4, 'close'],
  [8, 'reopen'],
  [3, 'close storage'],
  [15, 'wallet'],
  [4, 'pool fee'],
  [3, 'rent'],
] as const satisfies readonly (readonly [number, Step['is']])[];
/** Hostile calls in a thousand. */
const HOSTILE_TRADES = 80;
const HOSTILE_CALLS = 300;

function randomOf(seed: number, stream: number) {
  const random = randomStream(seed, stream);
  const below = (limit: number): number => random.below(limit);
  return {
    below,
    /** True in `of` of a thousand cases. */
    perMille: (of: number) => below(1_000) < of,
    pick: <T>(values: readonly T[]): T => values[below(values.length)]!,
    /** Any number of up to `bits` bits. Every length is equally likely. */
    ofBits: (bits: number): bigint => {
      const all = (BigInt(below(2 ** 32)) << 32n) | BigInt(below(2 ** 32));
      return all & ((1n << BigInt(below(bits + 1))) - 1n);
    },
  };
}
type Random = ReturnType<typeof randomOf>;

/** Episode number `index` of a seed. @param amms how many there are; the last one cheats */
export function episodeOf(seed: number, index: number, steps: number, amms: number): Episode {
  const random = randomOf(seed, index);
  const spec = specOf(random, amms);
  const first: Step[] = [
    { is: 'settings', virtualSol: spec.virtualSol, virtualToken: spec.virtualToken, feeBps: spec.feeBps },
    creation(random, 0),
    creation(random, 1),
  ];
  const rest = Array.from({ length: Math.max(0, steps - first.length) }, () => stepOf(random));
  return { spec, steps: [...first, ...rest].slice(0, steps) };
}

function specOf(random: Random, amms: number): EpisodeSpec {
  const virtualSol = random.perMille(900)
    ? 10n * SOL + random.ofBits(40)
    : random.pick([1n, 1_000n, 4_813_689_040_669_780_477n]);
  const amm = random.below(amms);
  return {
    amm,
    cheat: amm === amms - 1 ? random.below(Object.keys(CHEATS).length) : 0,
    virtualSol,
    virtualToken: random.perMille(700) ? USUAL_TOKENS : virtualTokens(random),
    feeBps: random.pick([100, 0, 1, 25, 500, 1_000, random.below(1_001)]),
    traderLamports: random.perMille(800)
      ? least(20n * SOL + virtualSol * BigInt(1 + random.below(4)), MOST_LAMPORTS)
      : 2n * SOL + random.ofBits(60),
    feeReceiverLamports: SOL + random.ofBits(50),
  };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function virtualTokens(random: Random): bigint {
  return TOKEN_SUPPLY + 1n + (random.ofBits(62) % (GRADUATION_VIRTUAL_TOKEN - 1n));
}

function creation(random: Random, token: number): Step {
  return {
    is: 'create',
    token,
    trader: random.below(TRADERS),
    afterMigrationFee: random.pick(AFTER_MIGRATION_FEES),
  };
}

function stepOf(random: Random): Step {
  const step = plainStep(random);
  const isCall = ['buy', 'sell', 'create', 'graduate', 'sweep', 'settings'].includes(step.is);
  const hostile = step.is === 'buy' || step.is === 'sell' ? HOSTILE_TRADES : HOSTILE_CALLS;
  return isCall && random.perMille(hostile)
    ? ({ ...step, alteration: alterationOf(random, step.is) } as Step)
    : step;
}

function kindOf(random: Random): (typeof KINDS)[number][1] | 'trade' {
  let roll = random.below(1_000);
  for (const [share, kind] of KINDS) {
    if (roll < share) return kind;
    roll -= share;
  }
  return 'trade';
}

function plainStep(random: Random): Step {
  const token = random.below(TOKENS);
  const trader = random.below(TRADERS);
  const byStranger = random.perMille(200) ? { trader } : {};
  const is = kindOf(random);
  switch (is) {
    case 'trade':
      return trade(random, random.perMille(50) ? ANY_STATE + token : token, trader);
    case 'create':
      return creation(random, random.perMille(300) ? ANY_STATE + token : token);
    case 'graduate':
    case 'close':
      return { is, token, trader };
    case 'reopen':
      return { is, trader };
    case 'sweep':
      return { is, ...byStranger };
    case 'migrate':
      return { is, token };
    case 'settings':
      return {
        is,
        ...byStranger,
        virtualSol: random.perMille(800) ? 1n + random.ofBits(40) : random.ofBits(64),
        virtualToken: random.perMille(800) ? virtualTokens(random) : random.ofBits(64),
        feeBps: random.perMille(900) ? random.below(1_001) : random.below(65_536),
      };
    case 'gift':
      return { is, ...gift(random) };
    case 'gift of tokens':
      return { is, token, trader, to: random.below(6), millionths: random.below(1_000_001) };
    case 'burn':
      return { is, token, trader, millionths: random.below(1_000_001) };
    case 'close storage':
      return { is, token, side: random.pick(['wsol', 'token']) };
    case 'wallet':
      return {
        is,
        trader,
        lamports: random.perMille(700) ? 100n * SOL + random.ofBits(62) : random.ofBits(33),
      };
    case 'pool fee':
      return { is, lamports: random.perMille(920) ? random.ofBits(28) : 300_000_000n + random.ofBits(30) };
    case 'rent':
      return { is, lamportsPerByte: random.pick([6_960n, 3_480n, 7_000n, 13_920n]) };
  }
}

/** Half of them go where accounts are opened later, and half are about the rent of one, which then needs the rest. */
function gift(random: Random): { to: number; lamports: bigint } {
  const to = random.perMille(500) ? random.pick(OPENED_PLACES) : random.below(PLACES.length);
  return { to, lamports: random.ofBits(random.perMille(500) ? 22 : 40) };
}

function trade(random: Random, token: number, trader: number): Step {
  const buys = random.perMille(550);
  return {
    is: buys ? 'buy' : 'sell',
    token,
    trader,
    amount: amount(random, buys),
    minimum: minimum(random),
  };
}

function amount(random: Random, buys: boolean): Amount {
  const roll = random.below(1_000);
  const off = BigInt(random.below(5) - 2);
  if (roll < 900) return { is: 'share', millionths: random.below(buys ? 60_000 : 1_000_001) };
  if (roll < 930) return { is: 'value', value: random.ofBits(buys ? 31 : 50) };
  if (roll < 936) return { is: 'value', value: random.ofBits(64) };
  if (roll < 940) return { is: 'all', off };
  if (roll < 960) return { is: 'rest', off };
  return { is: 'least', out: random.ofBits(buys ? 50 : 35) };
}

function minimum(random: Random): Minimum {
  const roll = random.below(100);
  if (roll < 75) return { is: 'value', value: 0n };
  if (roll < 98) return { is: 'quote', off: BigInt(random.below(4) - 2) };
  return { is: 'value', value: random.ofBits(64) };
}

function alterationOf(random: Random, is: Step['is']): Alteration {
  const roll = random.below(100);
  const account = random.below(64);
  // The account that is easiest to forget: nothing but the program itself stops another configuration.
  if (is === 'graduate' && roll < 20)
    return { is: 'substitute', account: GRADUATE_ACCOUNTS.ammConfig, by: random.below(PLACES.length) };
  if (roll < 70) return { is: 'substitute', account, by: random.below(PLACES.length) };
  if (roll < 78) return { is: 'unsigned', account };
  if (roll < 84) return { is: 'read-only', account };
  if (roll < 89) return { is: 'fewer accounts', left: account };
  if (roll < 94) return { is: 'shorter data', left: account };
  return { is: 'other bump', flip: 1 + random.below(255) };
}
