// The SDK's quotes, to compare with the Rust client's. The trades come from the program's own curve.
import {
  CurveStatus,
  InvalidArgumentError,
  ProgramError,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  type CurveState,
} from '@curvekit/sdk';
import { rustVectors, type Vector } from '#tests/arbitraries/vectors.js';

const SLIPPAGES = [0, 50, 100, 10_000] as const;

/**
 * A quote as JSON, with amounts as decimal strings. `refusal` is the program's code, or null for an argument out of
 * range.
 */
export type QuoteCase = Readonly<Record<string, unknown>>;

/** Two quotes of each trade: exact-in, and exact-out for the trade's result. */
export async function quoteCases(trades: number, seed: bigint): Promise<QuoteCase[]> {
  const cases: QuoteCase[] = [];
  let index = 0;
  for await (const vector of rustVectors(trades, seed)) {
    const slippageBps = SLIPPAGES[index++ % SLIPPAGES.length]!;
    cases.push(
      quoteCase(vector, 'in', vector.amount, slippageBps),
      quoteCase(vector, 'out', yieldOf(vector), slippageBps),
    );
  }
  return cases;
}

/** Tokens out of a buy, lamports out of a sell; for a refused trade, the amount that it would spend. */
function yieldOf({ isBuy, amount, outcome }: Vector): bigint {
  if (outcome.refusal !== undefined) return amount;
  return outcome.amounts[isBuy ? 0 : 2];
}

function quoteCase(vector: Vector, exact: 'in' | 'out', amount: bigint, slippageBps: number): QuoteCase {
  const { isBuy, virtualSol, virtualToken, feeBps } = vector;
  const curve = { virtualSol, virtualToken, platformFeeBps: feeBps, initialized: CurveStatus.Trading };
  return {
    side: isBuy ? 'buy' : 'sell',
    exact,
    virtualSol: `${virtualSol}`,
    virtualToken: `${virtualToken}`,
    feeBps,
    amount: `${amount}`,
    slippageBps,
    ...outcomeOf(() => quote(curve, isBuy, exact, amount, slippageBps)),
  };
}

function quote(curve: CurveState, isBuy: boolean, exact: 'in' | 'out', amount: bigint, slippageBps: number) {
  if (isBuy) {
    const buy = (exact === 'in' ? quoteBuy : quoteBuyExactOut)(curve, amount, slippageBps);
    const { tokenOut, net, fee, clipped, graduates, solToSpend, minTokenToReceive, priceImpactBps } = buy;
    const amounts = [solToSpend, minTokenToReceive, tokenOut, net, fee, buy.virtualSol, buy.virtualToken];
    return { amounts: amounts.map(String), priceImpactBps, clipped, graduates };
  }
  const sell = (exact === 'in' ? quoteSell : quoteSellExactOut)(curve, amount, slippageBps);
  const { gross, fee, solOut, tokenToSpend, minSolToReceive, priceImpactBps } = sell;
  const amounts = [tokenToSpend, minSolToReceive, solOut, gross, fee, sell.virtualSol, sell.virtualToken];
  return { amounts: amounts.map(String), priceImpactBps };
}

function outcomeOf(make: () => object): object {
  try {
    return { quote: make() };
  } catch (error) {
    if (error instanceof ProgramError) return { refusal: error.code };
    if (error instanceof InvalidArgumentError) return { refusal: null };
    throw error;
  }
}
