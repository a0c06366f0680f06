import { expect } from 'chai';
import fc from 'fast-check';
import { buyExactIn } from '../src/curve.js';
import { InvalidArgumentError, isProgramError, ProgramError } from '../src/errors.js';
import { GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS } from '../src/generated/program.js';
import { quoteBuy, quoteBuyExactOut, quoteSell, quoteSellExactOut, type CurveState } from '../src/quotes.js';
import { minimumAfterSlippage } from '../src/slippage.js';
import { CurveStatus } from '../src/status.js';

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
  it('of a buy: everything follows from the trade', () => {
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

  it('of a sell: everything follows from the trade', () => {
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

  it('of a clipped buy: the minimum binds the price, the rest is not spent', () => {
    const quote = quoteBuy(DEFAULT, 1_000n * SOL, 0);
    expect(quote).to.include({ clipped: true, graduates: true, tokenOut: 793_000_000_000_000n });
    expect(quote.solSpent).to.equal(85_822_510_824n);
    expect(quote.minTokenToReceive > quote.tokenOut).to.equal(true);
    const feeBps = BigInt(DEFAULT.platformFeeBps);
    const { virtualSol, virtualToken } = DEFAULT;
    // The program accepts this minimum, and not one unit more.
    buyExactIn(virtualSol, virtualToken, feeBps, quote.solToSpend, quote.minTokenToReceive);
    expect(() => buyExactIn(virtualSol, virtualToken, feeBps, quote.solToSpend, quote.minTokenToReceive + 1n))
      .to.throw(ProgramError)
      .with.property('name', 'SlippageError');
  });

  it('6. output ≥ minimum: a quoted minimum holds as long as the curve is as quoted', () => {
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

  it('of a clipped buy still hold when others sell first and it is not clipped any more', () => {
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

  it('exact out: the cheapest trade, its minimum the wanted amount', () => {
    const bought = quoteBuyExactOut(DEFAULT, 10n ** 12n, 100);
    expect(bought.tokenOut >= 10n ** 12n).to.equal(true);
    expect(bought.minTokenToReceive).to.equal(99n * 10n ** 10n);
    expect(quoteBuy(DEFAULT, bought.solToSpend - 1n).tokenOut < 10n ** 12n).to.equal(true);
    const curve = { ...DEFAULT, virtualSol: 40n * SOL };
    const sold = quoteSellExactOut(curve, SOL, 100);
    expect(sold.solOut >= SOL).to.equal(true);
    expect(sold.minSolToReceive).to.equal(990_000_000n);
    expect(quoteSell(curve, sold.tokenToSpend - 1n).solOut < SOL).to.equal(true);
  });

  it('price impact: none for the smallest trade at a fair price, more for more', () => {
    fc.assert(
      fc.property(curves, lamports, lamports, (curve, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const small = quoteBuy(curve, less);
        const large = quoteBuy(curve, more);
        // Rounding a few units away may count as one basis point.
        expect(small.priceImpactBps).to.be.at.most(large.priceImpactBps + 1);
        expect(large.priceImpactBps).to.be.within(0, 10_000);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('minimumAfterSlippage', () => {
  it('rounds up: never below what the tolerance allows', () => {
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
