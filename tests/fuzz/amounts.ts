// The amounts of a step, from the state before it.
import {
  buyExactIn,
  CurvekitError,
  GRADUATION_VIRTUAL_TOKEN,
  leastSolForTokens,
  leastTokensForSol,
  sellExactIn,
  TOKEN_SUPPLY,
  type Buy,
} from '@curvekit/sdk';
import { must, type TokenState } from './state.js';
import type { Amount, Minimum } from './steps.js';

const U64_MAX = 2n ** 64n - 1n;
const MILLION = 1_000_000n;

/** @param has the trader's lamports for a buy, or token units for a sell */
export function amountOf(
  amount: Amount,
  buys: boolean,
  token: TokenState,
  feeBps: bigint,
  has: bigint,
): bigint {
  switch (amount.is) {
    case 'share':
      return (has * BigInt(amount.millionths)) / MILLION;
    case 'value':
      return u64(amount.value);
    case 'all':
      return u64(has + amount.off);
    case 'rest':
      return u64((buys ? costOfRest(token, feeBps) : TOKEN_SUPPLY - token.vault) + amount.off);
    case 'least':
      return leastFor(amount.out, buys, token, feeBps);
  }
}

export function minimumOf(
  minimum: Minimum,
  buys: boolean,
  token: TokenState,
  feeBps: bigint,
  amount: bigint,
): bigint {
  if (minimum.is === 'value') return u64(minimum.value);
  const { virtualSol, virtualToken } = token;
  const quoted = orNothing(() =>
    buys
      ? mostForBuy(buyExactIn(virtualSol, virtualToken, feeBps, amount), amount)
      : sellExactIn(virtualSol, virtualToken, feeBps, amount).solOut,
  );
  return u64(quoted + minimum.off);
}

/** The largest minimum that a buy meets. It binds the price of a clipped one. */
function mostForBuy({ clipped, tokenOut, net, fee }: Buy, amount: bigint): bigint {
  return clipped ? (tokenOut * amount) / (net + fee) : tokenOut;
}

function costOfRest({ virtualSol, virtualToken }: TokenState, feeBps: bigint): bigint {
  return orNothing(() =>
    leastSolForTokens(virtualSol, virtualToken, feeBps, virtualToken - GRADUATION_VIRTUAL_TOKEN),
  );
}

/** The SDK's quote of the least amount. It must yield `out`, and one less must not. */
function leastFor(out: bigint, buys: boolean, token: TokenState, feeBps: bigint): bigint {
  const { virtualSol, virtualToken } = token;
  const of = buys ? leastSolForTokens : leastTokensForSol;
  const least = orNothing(() => of(virtualSol, virtualToken, feeBps, out));
  if (least === 0n) return 0n;
  const yields = (amount: bigint): bigint =>
    orNothing(() =>
      buys
        ? buyExactIn(virtualSol, virtualToken, feeBps, amount).tokenOut
        : sellExactIn(virtualSol, virtualToken, feeBps, amount).solOut,
    );
  must('the least amount yields what was asked for', yields(least) >= out);
  must('one less than the least amount yields less', yields(least - 1n) < out);
  return least;
}

/** 0 for what the SDK refuses to quote. */
function orNothing(quoted: () => bigint): bigint {
  try {
    return quoted();
  } catch (error) {
    if (error instanceof CurvekitError) return 0n;
    throw error;
  }
}

function u64(value: bigint): bigint {
  if (value < 0n) return 0n;
  return value > U64_MAX ? U64_MAX : value;
}
