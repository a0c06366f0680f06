// Random pools, and random trades of every magnitude.
import type { PoolSide, PoolState } from '@curvekit/sdk';
import type { Random } from '../../../scripts/random.js';

const SIDES: readonly PoolSide[] = ['sol', 'token'];
/** In millionths. The fee tier of graduated tokens. */
const TIER_0 = { tradeFeeRate: 2_500n, protocolFeeRate: 120_000n, fundFeeRate: 40_000n };
const WHOLE = 1_000_000;
/** Leaves room in a u64 for all traded amounts and for uncollected fees in the vault. */
const MOST = 1n << 60n;

/** A pool on chain: its state, and the uncollected fees in its vaults. */
export interface RandomPool {
  readonly state: PoolState;
  /** Whether the token's mint sorts before wrapped SOL's. */
  readonly tokenFirst: boolean;
  readonly owed: Readonly<Record<PoolSide, OwedFees>>;
}

export interface OwedFees {
  readonly protocol: bigint;
  readonly fund: bigint;
  readonly creator: bigint;
}

/** A trade: pays an exact amount of `input`, or receives an exact amount of the other side. */
export interface Order {
  readonly input: PoolSide;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/** @param creatorFees whether this build of the AMM supports creator fees */
export function randomPool(random: Random, creatorFees: boolean): RandomPool {
  const amount = (): bigint => random.magnitude() >> 6n;
  const owedOne = (): bigint => (random.chance(50) ? 0n : amount() >> 4n);
  const owed = (): OwedFees => ({
    protocol: owedOne(),
    fund: owedOne(),
    creator: creatorFees ? owedOne() : 0n,
  });
  const hasCreatorFee = creatorFees && random.chance(60);
  const creatorFeeRate = hasCreatorFee ? BigInt(random.below(random.chance(80) ? 20_000 : 500_000)) : 0n;
  return {
    state: {
      amm: 'raydium-cpmm',
      sol: amount() + 1n,
      token: amount() + 1n,
      tradable: true,
      openTime: 0n,
      ...(random.chance(40) ? TIER_0 : randomRates(random)),
      creatorFeeRate,
      creatorFeeSide: (['input', 'sol', 'token'] as const)[random.below(3)]!,
    },
    tokenFirst: random.chance(50),
    owed: { sol: owed(), token: owed() },
  };
}

function randomRates(random: Random): typeof TIER_0 {
  const protocolFeeRate = random.below(WHOLE + 1);
  return {
    tradeFeeRate: BigInt(1 + random.below(random.chance(80) ? 50_000 : 499_999)),
    protocolFeeRate: BigInt(protocolFeeRate),
    fundFeeRate: BigInt(random.below(WHOLE + 1 - protocolFeeRate)),
  };
}

export function randomOrder(random: Random, pool: PoolState): Order {
  const input = SIDES[random.below(2)]!;
  const exact = random.chance(30) ? 'out' : 'in';
  const reserve = exact === 'in' ? pool[input] * 2n : pool[input === 'sol' ? 'token' : 'sol'];
  const most = reserve < MOST ? reserve : MOST;
  // Every magnitude is equally likely, so that small trades test rounding as often.
  const amount = (random.shareOf(most) >> BigInt(random.below(most.toString(2).length))) + 1n;
  return { input, exact, amount };
}
