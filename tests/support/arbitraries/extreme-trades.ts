// Random curve states and trades: ordinary ones, and those at every edge.
import {
  buyExactIn,
  GRADUATION_VIRTUAL_TOKEN,
  leastSolForTokens,
  ProgramError,
  sellExactIn,
  TOKEN_SUPPLY,
  type Buy,
  type Sell,
} from '@curvekit/sdk';
import type { Random } from '../../../scripts/random.js';
import type { LaneState, TradeOrder } from '#tests/program/curve-lane.js';
import { U64_MAX } from '#tests/constants.js';

const DEFAULT_VIRTUAL_SOL = 30_000_000_000n;

/** Close to the total supply of lamports on mainnet. The lane's accounts can move this amount several times. */
const MOST_LAMPORTS_MOVED = 2n ** 57n;
const LAMPORTS_HELD = 2n ** 61n;
/** More than the rent of a curve's account. */
const SPARE_LAMPORTS = 10_000_000n;

/** The SDK's result of a trade: the error code of the refusal, or the amounts. */
export type Quoted =
  | { readonly refusal: number }
  | { readonly refusal: undefined; readonly buy: Buy }
  | { readonly refusal: undefined; readonly sell: Sell };

export type Reserves = Pick<LaneState, 'virtualSol' | 'virtualToken'>;

/** A state in which every account has enough tokens and lamports, so that only the program can refuse a trade. */
export function randomState(random: Random): LaneState {
  const virtualSol = random.chance(30) ? DEFAULT_VIRTUAL_SOL : random.magnitude();
  const virtualToken = GRADUATION_VIRTUAL_TOKEN + tokensLeft(random);
  return {
    virtualSol,
    virtualToken,
    curveLamports: SPARE_LAMPORTS + (virtualSol < LAMPORTS_HELD ? virtualSol : LAMPORTS_HELD),
    traderLamports: LAMPORTS_HELD,
    vaultTokens: virtualToken - GRADUATION_VIRTUAL_TOKEN,
    // As many as the virtual reserve can take.
    traderTokens: U64_MAX - virtualToken,
  };
}

/** A trade that a lane in that state can make. */
export function randomOrder(random: Random, reserves: Reserves, feeBps: number): TradeOrder {
  for (;;) {
    const isBuy = random.chance(55);
    const amount = isBuy ? randomSpend(random, reserves, feeBps) : randomSale(random, reserves);
    const order = { isBuy, amount, minimum: 0n };
    const quoted = quote(reserves, feeBps, order);
    if (lamportsMoved(quoted) > MOST_LAMPORTS_MOVED) continue;
    return { ...order, minimum: randomMinimum(random, order, quoted) };
  }
}

/** The SDK's result of a trade on a curve that still trades. */
export function quote({ virtualSol, virtualToken }: Reserves, feeBps: number, order: TradeOrder): Quoted {
  const { isBuy, amount, minimum } = order;
  const bps = BigInt(feeBps);
  try {
    if (isBuy) return { refusal: undefined, buy: buyExactIn(virtualSol, virtualToken, bps, amount, minimum) };
    return { refusal: undefined, sell: sellExactIn(virtualSol, virtualToken, bps, amount, minimum) };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { refusal: error.code };
  }
}

/** Number of tokens that the curve still sells. */
function tokensLeft(random: Random): bigint {
  const kind = random.below(10);
  if (kind < 5) return random.shareOf(TOKEN_SUPPLY);
  if (kind < 8) return 1n + (random.magnitude() >> 30n);
  if (kind < 9) return 1n + (random.magnitude() >> 2n);
  return U64_MAX - GRADUATION_VIRTUAL_TOKEN - BigInt(random.below(100));
}

function randomSpend(random: Random, { virtualSol, virtualToken }: Reserves, feeBps: number): bigint {
  if (random.chance(50)) return random.magnitude();
  const tokens = random.chance(60)
    ? virtualToken - GRADUATION_VIRTUAL_TOKEN
    : random.shareOf(virtualToken - GRADUATION_VIRTUAL_TOKEN);
  try {
    return near(random, leastSolForTokens(virtualSol, virtualToken, BigInt(feeBps), tokens));
  } catch {
    // Exceeds u64.
    return U64_MAX;
  }
}

function randomSale(random: Random, { virtualToken }: Reserves): bigint {
  const most = U64_MAX - virtualToken;
  if (random.chance(70) || most === 0n) return random.magnitude();
  return random.chance(50) ? random.shareOf(most) : near(random, most);
}

function randomMinimum(random: Random, { amount }: TradeOrder, quoted: Quoted): bigint {
  if (random.chance(30)) return 0n;
  if (random.chance(10)) return random.magnitude();
  if ('buy' in quoted) {
    const { tokenOut, net, fee } = quoted.buy;
    return near(random, (tokenOut * amount) / (net + fee));
  }
  return 'sell' in quoted ? near(random, quoted.sell.solOut) : BigInt(random.below(2));
}

function lamportsMoved(quoted: Quoted): bigint {
  if ('buy' in quoted) return quoted.buy.net + quoted.buy.fee;
  return 'sell' in quoted ? quoted.sell.gross : 0n;
}

/** Differs from `value` by at most one, and fits an instruction's amount. */
function near(random: Random, value: bigint): bigint {
  const moved = value - 1n + BigInt(random.below(3));
  return moved < 1n ? 1n : moved > U64_MAX ? U64_MAX : moved;
}
