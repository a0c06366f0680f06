import { expect } from 'chai';
import fc from 'fast-check';
import { buyExactIn, leastSolForTokens, leastTokensForSol, sellExactIn } from '../src/curve/curve.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY } from '../src/generated/program.js';
import { U64_MAX } from '../src/checks/keys.js';
import { type Curve, buy, sell, accepted, codeOf } from './curve-trades.js';

const RUNS = { numRuns: 10_000 };
const MAX_VIRTUAL_TOKEN = TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n;

/** Any curve state that the program's invariants allow. */
const curves = fc.record({
  virtualSol: fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(10n ** 9n, 10n ** 12n), fc.bigInt(1n, U64_MAX)),
  virtualToken: fc.oneof(
    fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 1n, GRADUATION_VIRTUAL_TOKEN + 1_000n),
    fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 1n, MAX_VIRTUAL_TOKEN),
  ),
  feeBps: fc.oneof(fc.constantFrom(0n, 1n, 100n), fc.bigInt(0n, BigInt(MAX_PLATFORM_FEE_BPS))),
});
const amounts = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, U64_MAX));

describe('curve: invariants, as property tests', () => {
  it('1. vS · vT never decreases', () => {
    fc.assert(
      fc.property(curves, amounts, fc.boolean(), (curve, amount, isBuy) => {
        const after = accepted(() => (isBuy ? buy(curve, amount) : sell(curve, amount)));
        if (after === undefined) return;
        expect(after.virtualSol * after.virtualToken >= curve.virtualSol * curve.virtualToken).to.equal(true);
      }),
      RUNS,
    );
  });

  it('2. buying and selling back never makes a profit, in any number of sells', () => {
    const splits = fc.array(fc.bigInt(1n, 100n), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(curves, amounts, splits, splits, (curve, amount, buySplit, sellSplit) => {
        let now: Curve = curve;
        let paid = 0n;
        let held = 0n;
        for (const part of split(amount, buySplit)) {
          const bought = accepted(() => buy(now, part));
          if (bought === undefined) continue;
          paid += bought.net + bought.fee;
          held += bought.tokenOut;
          now = { ...bought, feeBps: curve.feeBps };
          if (bought.graduates) break;
        }
        let received = 0n;
        for (const part of split(held, sellSplit)) {
          const sold = accepted(() => sell(now, part));
          if (sold === undefined) continue;
          received += sold.solOut;
          now = { ...sold, feeBps: curve.feeBps };
        }
        expect(received <= paid, `${received} lamports back for ${paid}`).to.equal(true);
      }),
      RUNS,
    );
  });

  it('5. fee + net = gross; the fee rounds up; fee ≤ maximum', () => {
    fc.assert(
      fc.property(curves, amounts, fc.boolean(), (curve, amount, isBuy) => {
        const bought = isBuy ? accepted(() => buy(curve, amount)) : undefined;
        const sold = isBuy ? undefined : accepted(() => sell(curve, amount));
        if (bought !== undefined) {
          const gross = bought.net + bought.fee;
          expect(gross <= amount).to.equal(true);
          if (!bought.clipped) expect(gross).to.equal(amount);
          expect(bought.fee).to.equal(ceilDiv(gross * curve.feeBps, 10_000n));
          expect(bought.virtualSol - curve.virtualSol).to.equal(bought.net);
        }
        if (sold !== undefined) {
          expect(sold.solOut + sold.fee).to.equal(sold.gross);
          expect(sold.fee).to.equal(ceilDiv(sold.gross * curve.feeBps, 10_000n));
          expect(curve.virtualSol - sold.virtualSol).to.equal(sold.gross);
        }
      }),
      RUNS,
    );
  });

  it('6. output ≥ minimum, or the whole trade fails', () => {
    fc.assert(
      fc.property(curves, amounts, amounts, fc.boolean(), (curve, amount, minimum, isBuy) => {
        const free = accepted(() => (isBuy ? buy(curve, amount) : sell(curve, amount)));
        const code = codeOf(() => (isBuy ? buy(curve, amount, minimum) : sell(curve, amount, minimum)));
        if (free === undefined) {
          expect(code).to.be.oneOf([6003, 6005]);
        } else if ('clipped' in free && free.clipped) {
          const cheapEnough = free.tokenOut * amount >= minimum * (free.net + free.fee);
          expect(code).to.equal(cheapEnough ? undefined : 6003);
        } else {
          const output = 'tokenOut' in free ? free.tokenOut : free.solOut;
          expect(code).to.equal(output >= minimum ? undefined : 6003);
        }
      }),
      RUNS,
    );
  });

  it('7. no trade passes the graduation reserve; a buy graduates exactly when vT reaches it', () => {
    const nearTheEnd = fc.record({
      virtualSol: fc.bigInt(1n, 10n ** 12n),
      virtualToken: fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 1n, GRADUATION_VIRTUAL_TOKEN + 10n ** 12n),
      feeBps: fc.bigInt(0n, BigInt(MAX_PLATFORM_FEE_BPS)),
    });
    fc.assert(
      fc.property(fc.oneof(curves, nearTheEnd), amounts, (curve, amount) => {
        const bought = accepted(() => buy(curve, amount));
        if (bought === undefined) return;
        expect(bought.virtualToken >= GRADUATION_VIRTUAL_TOKEN).to.equal(true);
        expect(bought.graduates).to.equal(bought.virtualToken === GRADUATION_VIRTUAL_TOKEN);
        if (bought.clipped) expect(bought.graduates).to.equal(true);
      }),
      RUNS,
    );
  });
});

describe('curve: exact out', () => {
  it('finds the fewest lamports: they buy enough, and one less does not', () => {
    fc.assert(
      fc.property(curves, fc.bigInt(0n, U64_MAX), (curve, seed) => {
        const wanted = 1n + (seed % (curve.virtualToken - GRADUATION_VIRTUAL_TOKEN));
        const least = leastOrNone(() =>
          leastSolForTokens(curve.virtualSol, curve.virtualToken, curve.feeBps, wanted),
        );
        if (least === undefined) {
          expect(accepted(() => buy(curve, U64_MAX, 0n))?.tokenOut ?? 0n).satisfies(
            (out: bigint) => out < wanted,
          );
          return;
        }
        expect(buy(curve, least).tokenOut >= wanted).to.equal(true);
        expect(buy(curve, least, wanted).tokenOut >= wanted).to.equal(true);
        if (least > 1n) {
          const less = accepted(() => buy(curve, least - 1n));
          expect(less === undefined || less.tokenOut < wanted).to.equal(true);
        }
      }),
      RUNS,
    );
  });

  it('finds the fewest token units: they sell for enough, and one less does not', () => {
    fc.assert(
      fc.property(curves, fc.bigInt(0n, U64_MAX), (curve, seed) => {
        const wanted = 1n + (seed % curve.virtualSol);
        const least = leastOrNone(() =>
          leastTokensForSol(curve.virtualSol, curve.virtualToken, curve.feeBps, wanted),
        );
        if (least === undefined) {
          const most = U64_MAX - curve.virtualToken;
          expect(accepted(() => sell(curve, most))?.solOut ?? 0n).satisfies((out: bigint) => out < wanted);
          return;
        }
        expect(sell(curve, least).solOut >= wanted).to.equal(true);
        if (least > 1n) {
          const less = accepted(() => sell(curve, least - 1n));
          expect(less === undefined || less.solOut < wanted).to.equal(true);
        }
      }),
      RUNS,
    );
  });

  it('buys exactly the remaining tokens of a curve, and refuses one base unit more', () => {
    const [virtualSol, virtualToken] = [30_000_000_000n, 1_073_000_000_000_000n];
    const rest = virtualToken - GRADUATION_VIRTUAL_TOKEN;
    const least = leastSolForTokens(virtualSol, virtualToken, 100n, rest);
    expect(buyExactIn(virtualSol, virtualToken, 100n, least)).to.include({ tokenOut: rest, graduates: true });
    expect(() => leastSolForTokens(virtualSol, virtualToken, 100n, rest + 1n))
      .to.throw(InvalidArgumentError, `sells only ${rest} more`)
      .with.property('argument', 'tokenToReceive');
  });
});

describe('curve: trades calculated by hand', () => {
  // 1 SOL into the default curve: fee 0.01, net 0.99; out = ⌊1.073e15 · 0.99e9 / 30.99e9⌋.
  it('buys', () => {
    expect(buyExactIn(30_000_000_000n, 1_073_000_000_000_000n, 100n, 1_000_000_000n)).to.deep.equal({
      tokenOut: 34_277_831_558_567n,
      net: 990_000_000n,
      fee: 10_000_000n,
      virtualSol: 30_990_000_000n,
      virtualToken: 1_038_722_168_441_433n,
      graduates: false,
      clipped: false,
    });
  });

  it('clips a buy that would go beyond the graduation reserve', () => {
    // 793e12 of 1,073e12 tokens are left: net = ⌈30e9 · 793 / 280⌉, fee = ⌈net · 100 / 9,900⌉.
    expect(buyExactIn(30_000_000_000n, 1_073_000_000_000_000n, 100n, 1_000_000_000_000n)).to.deep.equal({
      tokenOut: 793_000_000_000_000n,
      net: 84_964_285_715n,
      fee: 858_225_109n,
      virtualSol: 114_964_285_715n,
      virtualToken: GRADUATION_VIRTUAL_TOKEN,
      graduates: true,
      clipped: true,
    });
  });

  it('sells', () => {
    expect(sellExactIn(30_990_000_000n, 1_038_722_168_441_433n, 100n, 34_277_831_558_567n)).to.deep.equal({
      gross: 989_999_999n,
      fee: 9_900_000n,
      solOut: 980_099_999n,
      virtualSol: 30_000_000_001n,
      virtualToken: 1_073_000_000_000_000n,
    });
  });
});

/** Splits an amount into parts proportional to the weights. */
function split(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const parts = weights.map((weight) => (amount * weight) / total);
  const rest = amount - parts.reduce((sum, part) => sum + part, 0n);
  return [...parts, rest].filter((part) => part > 0n);
}

function leastOrNone(find: () => bigint): bigint | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
