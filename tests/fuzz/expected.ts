// What a trade must do, by the SDK's exact quotes and the runtime's rules.
import { buyExactIn, ProgramError, sellExactIn } from '@curvekit/sdk';
import type { TokenState } from './state.js';
import type { World } from './world.js';

export const CURVE_BYTES = 29;
/** An amount that a wallet or a token account does not have, to the system and the token program. */
const TOO_FEW = '1';
const TRADING_CLOSED = '6001';
const LOGICAL_ERROR = '6005';
export const NO_RENT = 'InsufficientFundsForRent';

/** A trade's effect. All in lamports and token units, each positive. */
export interface Effect {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly tokens: bigint;
  /** Lamports that the curve receives or pays out, fee included in what it pays out. */
  readonly curve: bigint;
  /** Lamports that the trader pays or receives. */
  readonly trader: bigint;
  readonly fee: bigint;
  readonly graduates: boolean;
}

/** The number of the error, or the effect. */
export type Expected = string | Effect;

export function expectedBuy(
  world: World,
  token: TokenState,
  trader: number,
  amount: bigint,
  minimum: bigint,
): Expected {
  if (token.status !== 1) return TRADING_CLOSED;
  const { virtualSol, virtualToken } = token;
  const buy = orCode(() => buyExactIn(virtualSol, virtualToken, world.settings!.feeBps, amount, minimum));
  if (typeof buy === 'string') return buy;
  const paid = buy.net + buy.fee;
  const has = world.traders[trader]!;
  if (has < paid) return TOO_FEW;
  const rests =
    isExempt(world, 0, has, has - paid) &&
    isExempt(world, CURVE_BYTES, token.curveLamports, token.curveLamports + buy.net) &&
    isExempt(world, 0, world.feeReceiver, world.feeReceiver + buy.fee);
  if (!rests) return NO_RENT;
  return {
    virtualSol: buy.virtualSol,
    virtualToken: buy.virtualToken,
    tokens: buy.tokenOut,
    curve: buy.net,
    trader: paid,
    fee: buy.fee,
    graduates: buy.graduates,
  };
}

export function expectedSell(
  world: World,
  token: TokenState,
  trader: number,
  amount: bigint,
  minimum: bigint,
): Expected {
  if (token.status !== 1) return TRADING_CLOSED;
  const { virtualSol, virtualToken } = token;
  const sell = orCode(() => sellExactIn(virtualSol, virtualToken, world.settings!.feeBps, amount, minimum));
  if (typeof sell === 'string') return sell;
  if (token.held[trader]! < amount) return TOO_FEW;
  const left = token.curveLamports - sell.gross;
  if (left < world.rentOf(CURVE_BYTES)) return LOGICAL_ERROR;
  const has = world.traders[trader]!;
  const rests =
    isExempt(world, 0, has, has + sell.solOut) &&
    isExempt(world, 0, world.feeReceiver, world.feeReceiver + sell.fee);
  if (!rests) return NO_RENT;
  return {
    virtualSol: sell.virtualSol,
    virtualToken: sell.virtualToken,
    tokens: amount,
    curve: sell.gross,
    trader: sell.solOut,
    fee: sell.fee,
    graduates: false,
  };
}

/** Whether the runtime lets an account's balance change so: it must be exempt from rent, or not lose anything. */
function isExempt(world: World, bytes: number, before: bigint, after: bigint): boolean {
  if (after === 0n || after === before) return true;
  return after >= world.rentOf(bytes) || (before > 0n && after >= before);
}

function orCode<T>(quote: () => T): T | string {
  try {
    return quote();
  } catch (error) {
    if (error instanceof ProgramError) return String(error.code);
    throw error;
  }
}
