// Buys near graduation when others trade before they land: the transactions of trade(), with the program's price rule.
import { expect } from 'chai';
import fc from 'fast-check';
import { buyExactIn, isSlippageError, quoteBuy, type CurveState } from '@curvekit/sdk';
import { GRADUATION_VIRTUAL_TOKEN } from '../src/generated/constants.js';
import { minimumWithin } from '../src/trade/price-bound.js';

const INVARIANT = 30_000_000_000n * 1_073_000_000_000_000n;
/** Base units, 10^6 to the token. */
const tokensLeft = fc.oneof(
  fc.bigInt(1n, 10n ** 4n),
  fc.bigInt(1n, 10n ** 9n),
  fc.bigInt(1n, 400_000_000_000_000n),
);

/** A curve with `left` base units for sale. */
function curveWith(left: bigint, platformFeeBps: number): CurveState {
  const virtualToken = GRADUATION_VIRTUAL_TOKEN + left;
  return { virtualSol: (INVARIANT + virtualToken - 1n) / virtualToken, virtualToken, platformFeeBps };
}

/** The program's result of a buy, or undefined when it refuses the price. */
function land({ virtualSol, virtualToken, platformFeeBps }: CurveState, sol: bigint, minimum: bigint) {
  try {
    return buyExactIn(virtualSol, virtualToken, BigInt(platformFeeBps), sol, minimum);
  } catch (error) {
    if (isSlippageError(error)) return undefined;
    throw error;
  }
}

describe('the price bound of a buy that is quoted again', () => {
  it('follows a price that is better than the first, and never falls below the first limit', () => {
    const solToSpend = 10n ** 9n;
    const { minTokenToReceive: least } = quoteBuy(curveWith(300n * 10n ** 12n, 100), solToSpend, 100);
    const bound = { minTokenToReceive: least, refusal: undefined };
    const better = curveWith(400n * 10n ** 12n, 100);
    const ofToday = quoteBuy(better, solToSpend, 100).minTokenToReceive;
    expect(ofToday > least).to.equal(true);
    expect(minimumWithin(bound, quoteBuy(better, solToSpend), 100)).to.equal(ofToday);
    expect(minimumWithin(bound, quoteBuy(better, solToSpend), 9_000)).to.equal(least);
    expect(minimumWithin(bound, quoteBuy(better, solToSpend))).to.equal(least);
  });

  const cases = fc.record({
    left: tokensLeft,
    leftThen: tokensLeft,
    platformFeeBps: fc.integer({ min: 0, max: 1_000 }),
    slippageBps: fc.integer({ min: 0, max: 2_000 }),
    solToSpend: fc.oneof(fc.bigInt(10n ** 6n, 10n ** 8n), fc.bigInt(10n ** 8n, 10n ** 12n)),
  });

  it('a buy lands within the bound plus two lamports, or is refused with an explanation because its price is worse', () => {
    const outcomes = { first: 0, second: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ({ left, leftThen, platformFeeBps, slippageBps, solToSpend }) => {
        const { minTokenToReceive: least } = quoteBuy(
          curveWith(left, platformFeeBps),
          solToSpend,
          slippageBps,
        );
        const then = curveWith(leftThen, platformFeeBps);
        const isWithin = (spent: bigint, tokens: bigint, extra: bigint) =>
          tokens * solToSpend >= least * (spent - extra);
        const first = land(then, solToSpend, least);
        if (first !== undefined) {
          outcomes.first += 1;
          return isWithin(first.net + first.fee, first.tokenOut, 0n);
        }
        const quote = quoteBuy(then, solToSpend);
        try {
          const minimum = minimumWithin({ minTokenToReceive: least, refusal: undefined }, quote);
          const second = land(then, solToSpend, minimum);
          outcomes.second += 1;
          return second?.graduates === true && isWithin(second.net + second.fee, second.tokenOut, 2n);
        } catch (error) {
          outcomes.refused += 1;
          return (
            /nothing was bought, quote again$/.test((error as Error).message) &&
            !isWithin(quote.solSpent, quote.tokenOut, quote.clipped ? 2n : 0n)
          );
        }
      }),
      { numRuns: 5_000 },
    );
    expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).to.be.greaterThan(50);
  });
});
