// Computes the amounts of a step from the current state.
import {
  decodeProperties,
  decodeTokenOwnerData,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  leastSolForTokens,
  sellExactIn,
  TOKEN_OWNER_DATA_SIZE,
} from '@curvekit/sdk';
import type { Arena, ArenaToken } from './arena.js';
import { keyOf, type Key } from './call.js';
import type { TradeArgs } from './instructions.js';
import type { Pair } from './pair.js';
import type { Amount, Step } from './steps.js';
import type { StoredAccount } from './svm.js';
import { amountIn } from './token-account.js';

const SETTINGS = keyOf(DEFAULT_DEPLOYMENT.properties.address);
const U64_MAX = 2n ** 64n - 1n;

export type TradeStep = Extract<Step, { is: 'buyToken' | 'sellToken' }>;

/** At any price. */
export function tradeArgs(pair: Pair, arena: Arena, step: TradeStep): TradeArgs {
  const token = arena.tokens[step.token]!;
  const trader = arena.traders[step.trader]!;
  const balance =
    step.is === 'buyToken'
      ? (pair.account(trader)?.lamports ?? 0n)
      : tokensOf(pair, token.held[step.trader]!);
  return { amount: u64(amountOf(step.amount, balance, () => costOfRest(pair, token))), minimum: 0n };
}

/** Token units in a token account, or 0 when there is no such account. */
export function tokensOf(pair: Pair, key: Key): bigint {
  return amountIn(pair.account(key)?.data ?? new Uint8Array());
}

/** The share of its tokens that the first trader sells in tests of a curve with few lamports. */
export const SOLD: Amount = { is: 'share', millionths: 1_000 };

/** Lamports that leave the curve when the first trader sells `amount`. */
export function soldFor(pair: Pair, { tokens }: Arena, token: number, amount: Amount): bigint {
  const { curve, held } = tokens[token]!;
  const sold = amountOf(amount, tokensOf(pair, held[0]!), () => 0n);
  return orNothing(() => {
    const { virtualSol, virtualToken, feeBps } = stateOf(pair, { curve });
    const { solOut, fee } = sellExactIn(virtualSol, virtualToken, feeBps, sold);
    return solOut + fee;
  });
}

function amountOf(amount: Amount, balance: bigint, rest: () => bigint): bigint {
  switch (amount.is) {
    case 'share':
      return (balance * BigInt(amount.millionths)) / 1_000_000n;
    case 'rest':
      return rest();
  }
}

function costOfRest(pair: Pair, token: ArenaToken): bigint {
  return orNothing(() => {
    const { virtualSol, virtualToken, feeBps } = stateOf(pair, token);
    return leastSolForTokens(virtualSol, virtualToken, feeBps, virtualToken - GRADUATION_VIRTUAL_TOKEN);
  });
}

const NO_RESERVES = { virtualSol: 0n, virtualToken: 0n };

/** With a rent of 0, `migrate` empties and thus removes the curve account. Its address can receive lamports later. */
export function isCurve(account: StoredAccount | undefined): account is StoredAccount {
  return account?.data.length === TOKEN_OWNER_DATA_SIZE;
}

function stateOf(
  pair: Pair,
  token: Pick<ArenaToken, 'curve'>,
): { virtualSol: bigint; virtualToken: bigint; feeBps: bigint } {
  const curve = pair.account(keyOf(token.curve.address));
  const { virtualSol, virtualToken } = isCurve(curve) ? decodeTokenOwnerData(curve.data) : NO_RESERVES;
  const { platformFeeBps } = decodeProperties(pair.account(SETTINGS)!.data);
  return { virtualSol, virtualToken, feeBps: BigInt(platformFeeBps) };
}

/** 0 for a trade that cannot be quoted. The program will refuse it. */
function orNothing(quoted: () => bigint): bigint {
  try {
    return quoted();
  } catch {
    return 0n;
  }
}

/** The nearest u64. */
export function u64(value: bigint): bigint {
  if (value < 0n) return 0n;
  return value > U64_MAX ? U64_MAX : value;
}
