import { expect } from 'chai'; // threat: sandwich
import fc from 'fast-check';
import { buyExactIn } from '../src/curve/curve.js';
import {
  InvalidArgumentError,
  isProgramError,
  ProgramError,
  TradingMovedError,
} from '../src/errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY } from '../src/generated/program.js';
import {
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  type CurveState,
} from '../src/venue/quotes.js';
import { maximumAfterSlippage, minimumAfterSlippage } from '../src/curve/slippage.js';
import { CurveStatus } from '../src/curve/status.js';

const DEFAULT: CurveState = {
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};
const SOL = 1_000_000_000n;

const curves = fc.record({
  virtualSol: fc.bigInt(SOL, 1_000n * SOL),
  virtualToken: fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 10n ** 9n, DEFAULT.virtualToken),
  platformFeeBps: fc.integer({ min: 0, max: MAX_PLATFORM_FEE_BPS }),
});
const lamports = fc.bigInt(1_000_000n, 500n * SOL);
const slippages = fc.integer({ min: 0, max: 10_000 });

describe('quotes', () => {
  it('quotes of a buy: all fields match the trade', () => {
    const quote = quoteBuy(DEFAULT, SOL, 50);
    expect(quote).to.deep.equal({
      solToSpend: SOL,
      minTokenToReceive: 34_106_442_400_775n,
      tokenOut: 34_277_831_558_567n,
      solSpent: SOL,
      net: 990_000_000n,
      fee: 10_000_000n,
      clipped: false,
      graduates: false,
      priceBefore: { lamports: 30_000_000_000n, tokenUnits: 1_073_000_000_000_000n },
      priceAfter: { lamports: 30_990_000_000n, tokenUnits: 1_038_722_168_441_433n },
      // The average price is 30.99 / 30 of the one before: 1 − 30 / 30.99 = 3.1945… %.
      priceImpactBps: 320,
      virtualSol: 30_990_000_000n,
      virtualToken: 1_038_722_168_441_433n,
    });
  });

  it('quotes of a sell: all fields match the trade', () => {
    const quote = quoteSell({ ...DEFAULT, virtualSol: 40n * SOL }, 10n ** 13n, 100);
    expect(quote).to.include({ gross: 369_344_413n, fee: 3_693_445n, solOut: 365_650_968n });
    expect(quote.minSolToReceive).to.equal(361_994_459n);
    expect(quote.priceAfter).to.deep.equal({
      lamports: 40n * SOL - 369_344_413n,
      tokenUnits: 1_083_000_000_000_000n,
    });
    // 1 − 1,073 / 1,083 = 0.92336… %.
    expect(quote.priceImpactBps).to.equal(93);
  });

  it('quotes of a clipped buy: the minimum limits the price, and the excess is not spent', () => {
    const quote = quoteBuy(DEFAULT, 1_000n * SOL, 0);
    expect(quote).to.include({ clipped: true, graduates: true, tokenOut: 793_000_000_000_000n });
    expect(quote.solSpent).to.equal(85_822_510_824n);
    expect(quote.minTokenToReceive > quote.tokenOut).to.equal(true);
    const feeBps = BigInt(DEFAULT.platformFeeBps);
    const { virtualSol, virtualToken } = DEFAULT;
    // The program accepts this minimum, and refuses one base unit more.
    buyExactIn(virtualSol, virtualToken, feeBps, quote.solToSpend, quote.minTokenToReceive);
    expect(() => buyExactIn(virtualSol, virtualToken, feeBps, quote.solToSpend, quote.minTokenToReceive + 1n))
      .to.throw(ProgramError)
      .with.property('name', 'SlippageError');
  });

  it('6. output ≥ minimum: a quoted minimum holds while the curve is unchanged', () => {
    fc.assert(
      fc.property(curves, lamports, slippages, (curve, amount, slippageBps) => {
        const quote = quoteBuy(curve, amount, slippageBps);
        const { virtualSol, virtualToken, platformFeeBps } = curve;
        const trade = buyExactIn(
          virtualSol,
          virtualToken,
          BigInt(platformFeeBps),
          amount,
          quote.minTokenToReceive,
        );
        expect(trade.tokenOut).to.equal(quote.tokenOut);
      }),
      { numRuns: 5_000 },
    );
  });

  it('quotes of a clipped buy still hold when others sell first, so that it is no longer clipped', () => {
    fc.assert(
      fc.property(curves, lamports, fc.bigInt(10n ** 10n, 10n ** 15n), (curve, amount, sold) => {
        const quote = quoteBuy(curve, amount);
        const cheaper = quoteSell(curve, sold);
        const { virtualSol, virtualToken } = cheaper;
        buyExactIn(virtualSol, virtualToken, BigInt(curve.platformFeeBps), amount, quote.minTokenToReceive);
      }),
      { numRuns: 5_000 },
    );
  });

  it('7. no trade when finalized: TradingClosed, as on chain', () => {
    for (const initialized of [CurveStatus.Finalized, CurveStatus.Migrated, 0, 4]) {
      const closed = { ...DEFAULT, initialized };
      const trades = [
        () => quoteBuy(closed, SOL),
        () => quoteSell(closed, SOL),
        () => quoteBuyExactOut(closed, SOL),
        () => quoteSellExactOut(closed, SOL),
      ];
      for (const trade of trades) {
        expect(trade)
          .to.throw(ProgramError)
          .that.satisfies((error: unknown) => isProgramError(error, 'TradingClosed'));
      }
    }
    expect(quoteBuy({ ...DEFAULT, initialized: CurveStatus.Trading }, SOL)).to.deep.equal(
      quoteBuy(DEFAULT, SOL),
    );
  });

  it('exact out: without slippage they return the cheapest trade, exact to the lamport and the base unit', () => {
    fc.assert(
      fc.property(curves, fc.bigInt(10n ** 8n, 10n ** 9n), lamports, (curve, tokens, sol) => {
        const bought = quoteBuyExactOut(curve, tokens);
        expect(bought.tokenOut >= tokens).to.equal(true);
        expect(quoteBuy(curve, bought.solToSpend - 1n).tokenOut < tokens).to.equal(true);
        const rich = { ...curve, virtualSol: curve.virtualSol + 2n * sol };
        const sold = quoteSellExactOut(rich, sol / 10n);
        expect(sold.solOut >= sol / 10n).to.equal(true);
        expect(quoteSell(rich, sold.tokenToSpend - 1n).solOut < sol / 10n).to.equal(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('exact out: the slippage raises the limit to spend, and the wanted amount stays the minimum', () => {
    const [tokens, curve] = [10n ** 12n, { ...DEFAULT, virtualSol: 40n * SOL }];
    const [exact, bought] = [quoteBuyExactOut(DEFAULT, tokens), quoteBuyExactOut(DEFAULT, tokens, 100)];
    expect(bought.minTokenToReceive).to.equal(tokens);
    expect(bought.solToSpend).to.equal((exact.solToSpend * 101n) / 100n);
    expect(bought.tokenOut).to.equal(quoteBuy(DEFAULT, bought.solToSpend).tokenOut);
    const [cheap, sold] = [quoteSellExactOut(curve, SOL), quoteSellExactOut(curve, SOL, 100)];
    expect(sold.minSolToReceive).to.equal(SOL);
    expect(sold.tokenToSpend).to.equal((cheap.tokenToSpend * 101n) / 100n);
  });

  it('exact out: the trade still yields the amount after a price change within the slippage, and is refused after a larger one', () => {
    const tokens = 10n ** 12n;
    const { solToSpend, minTokenToReceive } = quoteBuyExactOut(DEFAULT, tokens, 100);
    const after = (sol: bigint) => {
      const { virtualSol, virtualToken } = quoteBuy(DEFAULT, sol);
      return () => buyExactIn(virtualSol, virtualToken, 100n, solToSpend, minTokenToReceive);
    };
    expect(after(SOL / 10n)().tokenOut >= tokens).to.equal(true);
    expect(after(SOL)).to.throw(ProgramError).with.property('name', 'SlippageError');
  });

  it('exact out: a late buy of the last tokens yields the remaining tokens at no higher price', () => {
    const all = DEFAULT.virtualToken - GRADUATION_VIRTUAL_TOKEN;
    const { solToSpend, minTokenToReceive } = quoteBuyExactOut(DEFAULT, all, 1_000);
    const { virtualSol, virtualToken } = quoteBuyExactOut(DEFAULT, all / 50n);
    const late = buyExactIn(virtualSol, virtualToken, 100n, solToSpend, minTokenToReceive);
    expect(late).to.include({ clipped: true, graduates: true });
    expect(late.tokenOut).to.equal(virtualToken - GRADUATION_VIRTUAL_TOKEN);
  });

  it('refuse to sell more tokens than circulate', () => {
    const bought = quoteBuy({ ...DEFAULT, highestVirtualToken: DEFAULT.virtualToken }, 10n * SOL);
    const { virtualSol, virtualToken, tokenOut } = bought;
    const curve = { ...DEFAULT, virtualSol, virtualToken, highestVirtualToken: DEFAULT.virtualToken };
    const all = quoteSell(curve, tokenOut);
    expect(all.virtualToken).to.equal(DEFAULT.virtualToken);
    expect(all.gross <= bought.net).to.equal(true, 'more than the curve holds');
    for (const sale of [
      () => quoteSell(curve, tokenOut + 1n),
      () => quoteSellExactOut(curve, all.solOut + 10n),
      () => quoteSell(DEFAULT, TOKEN_SUPPLY + 1n),
    ]) {
      expect(sale).to.throw(ProgramError, 'circulate').with.property('argument', 'tokenToSpend');
    }
    // The slippage does not raise the amount beyond the circulating tokens.
    expect(quoteSellExactOut(curve, all.solOut, 100).tokenToSpend).to.equal(tokenOut);
  });

  it('detect a sold-out curve by its reserve when its status is not given', () => {
    const soldOut = { ...DEFAULT, virtualToken: GRADUATION_VIRTUAL_TOKEN };
    for (const quote of [quoteBuy, quoteSell, quoteBuyExactOut, quoteSellExactOut])
      expect(() => quote(soldOut, SOL)).to.throw(TradingMovedError);
  });

  it('price impact: it grows with the amount and stays within 0 and 10,000', () => {
    fc.assert(
      fc.property(curves, lamports, lamports, (curve, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const small = quoteBuy(curve, less);
        const large = quoteBuy(curve, more);
        // Rounding of a few base units can be one basis point.
        expect(small.priceImpactBps).to.be.at.most(large.priceImpactBps + 1);
        expect(large.priceImpactBps).to.be.within(0, 10_000);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('maximumAfterSlippage', () => {
  it('rounds down: the result is never above the tolerance', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), slippages, (amount, slippageBps) => {
        const maximum = maximumAfterSlippage(amount, slippageBps);
        const exact = amount * BigInt(10_000 + slippageBps);
        expect(maximum * 10_000n <= exact && (maximum + 1n) * 10_000n > exact).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('minimumAfterSlippage', () => {
  it('rounds up: the result is never below the tolerance', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), slippages, (amount, slippageBps) => {
        const minimum = minimumAfterSlippage(amount, slippageBps);
        const exact = amount * BigInt(10_000 - slippageBps);
        expect(minimum * 10_000n >= exact && (minimum - 1n) * 10_000n < exact).to.equal(true);
        expect(minimum <= amount).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
    expect(minimumAfterSlippage(1n, 100)).to.equal(1n);
    expect(minimumAfterSlippage(1_000n, 50)).to.equal(995n);
    expect(minimumAfterSlippage(1_000n, 10_000)).to.equal(0n);
  });

  const nonsense: [string, string, () => unknown][] = [
    ['a negative slippage', 'slippageBps', () => minimumAfterSlippage(1n, -1)],
    ['a slippage above a whole', 'slippageBps', () => minimumAfterSlippage(1n, 10_001)],
    ['half a basis point', 'slippageBps', () => minimumAfterSlippage(1n, 0.5)],
    ['a negative amount', 'amount', () => minimumAfterSlippage(-1n, 0)],
    ['a fee above the maximum', 'platformFeeBps', () => quoteBuy({ ...DEFAULT, platformFeeBps: 1_001 }, 1n)],
    ['a fee of NaN', 'platformFeeBps', () => quoteSell({ ...DEFAULT, platformFeeBps: NaN }, 1n)],
    ['tokens beyond graduation', 'tokenToReceive', () => quoteBuyExactOut(DEFAULT, 793_000_000_000_001n)],
  ];
  for (const [what, argument, call] of nonsense) {
    it(`${what}: an InvalidArgumentError that names ${argument}`, () => {
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
    });
  }
});
