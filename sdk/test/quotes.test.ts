// Quotes on curves and in pools. tests/program/parity.test.ts compares the curve's amounts with the Rust program's,
// tests/differential/amm-quotes.test.ts a pool's with the AMM's binaries. threat: sandwich
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { build } from 'esbuild';
import fc from 'fast-check';
import { fileURLToPath } from 'node:url';
import {
  AMM,
  buyExactIn,
  CurveStatus,
  InvalidArgumentError,
  isProgramError,
  maximumAfterSlippage,
  minimumAfterSlippage,
  poolTrade,
  priceImpactBps,
  ProgramError,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  quoteSellExactOut,
  sellExactIn,
  TradingMovedError,
  type CurveState,
  type Market,
  type PoolState,
} from '@curvekit/sdk';
import { U64_MAX } from '../src/checks/keys.js';
import { leastSolForTokens, leastTokensForSol } from '../src/curve/curve.js';
import {
  GRADUATION_VIRTUAL_TOKEN,
  MAX_PLATFORM_FEE_BPS,
  PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
} from '../src/generated/program.js';

const SOL = 1_000_000_000n;
const MINT = PROGRAM_ADDRESS;
const POOL_ADDRESS = new PublicKey(new Uint8Array(32).fill(7));
const CURVE: CurveState = {
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};
/** A pool as after a graduation. */
const POOL: PoolState = {
  amm: 'raydium-cpmm',
  sol: 84_774_000_000n,
  token: 206_470_000_000_000n,
  tradable: true,
  openTime: 0n,
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 0n,
  creatorFeeSide: 'input',
};
const MIGRATED = {
  ...{ initialized: CurveStatus.Migrated, virtualSol: 114_964_285_715n, virtualToken: 280_000_000_000_000n },
  ...{ afterMigrationFee: 0, afterMigrationBurnBp: 0, platformFeeBps: 100 },
};

const addresses = AMM.addresses(POOL_ADDRESS, MINT);

function market(pool: PoolState = POOL): Market {
  return { venue: 'pool', mint: MINT, curve: MIGRATED, pool, addresses };
}

const curves = fc.record({
  virtualSol: fc.bigInt(SOL, 1_000n * SOL),
  virtualToken: fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 10n ** 9n, CURVE.virtualToken),
  platformFeeBps: fc.integer({ min: 0, max: MAX_PLATFORM_FEE_BPS }),
});
const pools = fc
  .record({
    sol: fc.bigInt(SOL, 10_000n * SOL),
    token: fc.bigInt(10n ** 12n, 10n ** 15n),
    creatorFeeRate: fc.constantFrom(0n, 5_000n),
    creatorFeeSide: fc.constantFrom('input' as const, 'sol' as const, 'token' as const),
  })
  .map((changed): PoolState => ({ ...POOL, ...changed }));
const venues = fc.oneof(
  curves.map((curve): Market => {
    const trading = { ...MIGRATED, ...curve, initialized: CurveStatus.Trading };
    return { venue: 'curve', mint: MINT, curve: trading };
  }),
  pools.map(market),
);
const lamports = fc.bigInt(1_000_000n, 500n * SOL);
const slippages = fc.integer({ min: 0, max: 10_000 });
/** Any curve state that the program's invariants allow. */
const anyCurves = fc.record({
  virtualSol: fc.oneof(fc.bigInt(1n, 10n ** 6n), fc.bigInt(10n ** 9n, 10n ** 12n), fc.bigInt(1n, U64_MAX)),
  virtualToken: fc.oneof(
    fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 1n, GRADUATION_VIRTUAL_TOKEN + 1_000n),
    fc.bigInt(GRADUATION_VIRTUAL_TOKEN + 1n, TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n),
  ),
  feeBps: fc.oneof(fc.constantFrom(0n, 1n, 100n), fc.bigInt(0n, BigInt(MAX_PLATFORM_FEE_BPS))),
});

/** The amount, or 0 when the program would refuse the trade. */
function outOf(trade: () => bigint): bigint {
  try {
    return trade();
  } catch (error) {
    if (error instanceof ProgramError) return 0n;
    throw error;
  }
}

describe('quotes', () => {
  it('quotes of a buy: all fields match the trade', () => {
    expect(quoteBuy(CURVE, SOL, 50)).to.deep.equal({
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
    expect(quoteBuy(market(), SOL, 100)).to.deep.equal({
      solToSpend: SOL,
      minTokenToReceive: 2_377_179_911_159n,
      tokenOut: 2_401_191_829_453n,
      solSpent: SOL,
      net: 997_500_000n,
      fee: 2_500_000n,
      tokenFee: 0n,
      clipped: false,
      graduates: false,
      priceBefore: { lamports: POOL.sol, tokenUnits: POOL.token },
      priceAfter: { lamports: 85_773_600_000n, tokenUnits: 204_068_808_170_547n },
      priceImpactBps: 117,
      pool: { ...POOL, sol: 85_773_600_000n, token: 204_068_808_170_547n },
    });
  });

  it('quotes of a sell: all fields match the trade, and a creator fee in SOL is part of the fee', () => {
    const quote = quoteSell({ ...CURVE, virtualSol: 40n * SOL }, 10n ** 13n, 100);
    expect(quote).to.include({ gross: 369_344_413n, fee: 3_693_445n, solOut: 365_650_968n });
    expect(quote.minSolToReceive).to.equal(361_994_459n);
    const after = { lamports: 40n * SOL - 369_344_413n, tokenUnits: 1_083_000_000_000_000n };
    expect(quote.priceAfter).to.deep.equal(after);
    // 1 − 1,073 / 1,083 = 0.92336… %.
    expect(quote.priceImpactBps).to.equal(93);
    const pool = { ...POOL, creatorFeeRate: 5_000n, creatorFeeSide: 'sol' } as const;
    const sold = { gross: 407_591_863n, fee: 2_037_960n, solOut: 405_553_903n, tokenFee: 2_500_000_000n };
    expect(quoteSell(market(pool), 10n ** 12n)).to.include({ ...sold, minSolToReceive: sold.solOut });
  });

  it('quotes of a clipped buy: the minimum limits the price, and the excess is not spent', () => {
    const quote = quoteBuy(CURVE, 1_000n * SOL, 0);
    expect(quote).to.include({ clipped: true, graduates: true, tokenOut: 793_000_000_000_000n });
    expect(quote.solSpent).to.equal(85_822_510_824n);
    const land = (minimum: bigint) =>
      buyExactIn(CURVE.virtualSol, CURVE.virtualToken, 100n, quote.solToSpend, minimum);
    land(quote.minTokenToReceive);
    expect(() => land(quote.minTokenToReceive + 1n))
      .to.throw(ProgramError)
      .with.property('name', 'SlippageError');
  });

  it('a quoted minimum holds while the curve is unchanged, and when others sell first', () => {
    const holds = fc.property(
      ...[curves, lamports, slippages, fc.bigInt(10n ** 10n, 10n ** 15n)],
      (curve, amount, slippageBps, sold) => {
        const quote = quoteBuy(curve, amount, slippageBps);
        for (const { virtualSol, virtualToken } of [curve, quoteSell(curve, sold)])
          buyExactIn(virtualSol, virtualToken, BigInt(curve.platformFeeBps), amount, quote.minTokenToReceive);
      },
    );
    fc.assert(holds, { numRuns: 5_000 });
  });

  it('exact out: the fewest lamports and units that pay for the wanted amount, on any curve', () => {
    const wantedSeed = fc.bigInt(0n, U64_MAX);
    const least = (find: () => bigint): bigint => {
      try {
        return find();
      } catch (error) {
        if (error instanceof InvalidArgumentError) return 0n;
        throw error;
      }
    };
    const cheapest = fc.property(anyCurves, wantedSeed, ({ virtualSol, virtualToken, feeBps }, seed) => {
      const curve = [virtualSol, virtualToken, feeBps] as const;
      const bought = (sol: bigint) => outOf(() => buyExactIn(...curve, sol).tokenOut);
      const sold = (tokens: bigint) => outOf(() => sellExactIn(...curve, tokens).solOut);
      const tokens = 1n + (seed % (virtualToken - GRADUATION_VIRTUAL_TOKEN));
      const sol = 1n + (seed % virtualSol);
      for (const [given, most, trade, wanted] of [
        [least(() => leastSolForTokens(...curve, tokens)), U64_MAX, bought, tokens],
        [least(() => leastTokensForSol(...curve, sol)), U64_MAX - virtualToken, sold, sol],
      ] as const) {
        if (given === 0n) return void expect(trade(most) < wanted).to.equal(true);
        expect(trade(given) >= wanted && (given === 1n || trade(given - 1n) < wanted)).to.equal(true);
      }
    });
    fc.assert(cheapest, { numRuns: 10_000 });
  });

  it('exact out: the wanted amount is the minimum, and the slippage raises what may be spent', () => {
    const exact = fc.property(venues, fc.bigInt(10n ** 7n, 10n ** 8n), (venue, wanted) => {
      const bought = quoteBuyExactOut(venue, wanted);
      expect(bought.tokenOut >= wanted && bought.minTokenToReceive === wanted).to.equal(true);
      const { solToSpend, minTokenToReceive } = quoteBuyExactOut(venue, wanted, 100);
      expect([solToSpend, minTokenToReceive]).to.deep.equal([(bought.solToSpend * 101n) / 100n, wanted]);
      const sold = quoteSellExactOut(venue, wanted);
      expect(sold.solOut >= wanted && sold.minSolToReceive === wanted).to.equal(true);
      if (venue.venue !== 'pool') return;
      expect(poolTrade(venue.pool, 'sol', bought.solToSpend - 1n).amountOut < wanted).to.equal(true);
      expect(poolTrade(venue.pool, 'token', sold.tokenToSpend - 1n).amountOut < wanted).to.equal(true);
    });
    fc.assert(exact, { numRuns: 2_000 });
  });

  it('refuse to sell more tokens than circulate', () => {
    const bought = quoteBuy({ ...CURVE, highestVirtualToken: CURVE.virtualToken }, 10n * SOL);
    const { virtualSol, virtualToken, tokenOut } = bought;
    const curve = { ...CURVE, virtualSol, virtualToken, highestVirtualToken: CURVE.virtualToken };
    const all = quoteSell(curve, tokenOut);
    expect(all.gross <= bought.net).to.equal(true, 'more than the curve holds');
    for (const sale of [
      () => quoteSell(curve, tokenOut + 1n),
      () => quoteSellExactOut(curve, all.solOut + 10n),
      () => quoteSell(CURVE, TOKEN_SUPPLY + 1n),
    ])
      expect(sale).to.throw(ProgramError, 'circulate').with.property('argument', 'tokenToSpend');
    // The slippage does not raise the amount beyond the circulating tokens.
    expect(quoteSellExactOut(curve, all.solOut, 100).tokenToSpend).to.equal(tokenOut);
  });

  it('buying and selling back is never a gain', () => {
    const noGain = fc.property(venues, lamports, (venue, amount) => {
      const bought = quoteBuy(venue, amount);
      if (bought.graduates) return;
      const after = 'pool' in bought ? market(bought.pool) : { ...venue.curve, ...bought };
      expect(quoteSell(after as CurveState, bought.tokenOut).solOut < amount).to.equal(true);
    });
    fc.assert(noGain, { numRuns: 2_000 });
  });

  it('the price impact grows with the amount and stays within 0 and 10,000', () => {
    const grows = fc.property(venues, lamports, lamports, (venue, a, b) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      const [small, large] = [quoteBuy(venue, less), quoteBuy(venue, more)];
      // Rounding of a few base units can be one basis point.
      expect(small.priceImpactBps).to.be.at.most(large.priceImpactBps + 1);
      expect(large.priceImpactBps).to.be.within(0, 10_000);
    });
    fc.assert(grows, { numRuns: 2_000 });
  });

  it('the price impact is exact, also where rounded numbers would be a basis point off', () => {
    const exact = fc.property(lamports, fc.bigInt(1n, 1_000n), (amount, share) => {
      const curve = { ...CURVE, platformFeeBps: 0 };
      // Of these reserves the impact is a whole number of basis points, or nearly one.
      const whole = { ...curve, virtualSol: amount * share, virtualToken: 10n ** 15n };
      for (const from of [curve, whole]) {
        const { net, tokenOut, priceImpactBps: impact } = quoteBuy(from, amount);
        expect(impact).to.equal(priceImpactBps(net * from.virtualToken, tokenOut * from.virtualSol));
      }
    });
    fc.assert(exact, { numRuns: 2_000, examples: [[SOL, 99n]] });
  });

  it('the limits after the slippage are rounded against the trade, not against the trader', () => {
    const rounded = fc.property(fc.bigInt(0n, U64_MAX), slippages, (amount, slippageBps) => {
      const [most, least] = [
        maximumAfterSlippage(amount, slippageBps),
        minimumAfterSlippage(amount, slippageBps),
      ];
      const above = amount * BigInt(10_000 + slippageBps);
      const below = amount * BigInt(10_000 - slippageBps);
      expect(most * 10_000n <= above && (most + 1n) * 10_000n > above).to.equal(true);
      expect(least * 10_000n >= below && (least - 1n) * 10_000n < below).to.equal(true);
    });
    fc.assert(rounded, { numRuns: 5_000 });
    expect(minimumAfterSlippage(1_000n, 50)).to.equal(995n);
  });

  const stopped = market({ ...POOL, tradable: false });
  const refused: [what: string, error: string, call: () => unknown][] = [
    ['a buy of nothing', 'LogicalError', () => quoteBuy(market(), 0n)],
    ['a buy of less than a unit', 'LogicalError', () => quoteBuy(market({ ...POOL, token: 1n }), SOL)],
    ['a sell of nothing', 'LogicalError', () => quoteSell(market(), 0n)],
    ['a sell beyond u64', 'LogicalError', () => quoteSell(market(), U64_MAX)],
    ['a pool that the AMM stopped', 'TradingClosed', () => quoteBuy(stopped, SOL)],
    ['an exact amount from such a pool', 'TradingClosed', () => quoteSellExactOut(stopped, 1n)],
    ['all tokens of a pool', 'tokenToReceive', () => quoteBuyExactOut(market(), POOL.token)],
    ['all SOL of a pool', 'solToReceive', () => quoteSellExactOut(market(), POOL.sol)],
    ['an exact nothing', 'solToReceive', () => quoteSellExactOut(market(), 0n)],
    ['a negative amount of a pool', 'solToSpend', () => quoteBuy(market(), -1n)],
    ['a negative amount', 'solToSpend', () => quoteBuy(CURVE, -1n)],
    ['an amount above u64', 'solToSpend', () => quoteBuy(CURVE, U64_MAX + 1n)],
    ['a number', 'tokenToSpend', () => quoteSell(CURVE, 1 as unknown as bigint)],
    ['reserves above u64', 'virtualSol', () => quoteBuy({ ...CURVE, virtualSol: U64_MAX + 1n }, 1n)],
    ['a curve without SOL', 'virtualSol', () => quoteBuyExactOut({ ...CURVE, virtualSol: 0n }, 1n)],
    ['a slippage above a whole', 'slippageBps', () => quoteBuy(market(), SOL, 10_001)],
    ['half a basis point', 'slippageBps', () => minimumAfterSlippage(1n, 0.5)],
    ['a fee above the maximum', 'platformFeeBps', () => quoteBuy({ ...CURVE, platformFeeBps: 1_001 }, 1n)],
    ['a fee of NaN', 'platformFeeBps', () => quoteSell({ ...CURVE, platformFeeBps: NaN }, 1n)],
    ['tokens beyond graduation', 'tokenToReceive', () => quoteBuyExactOut(CURVE, 793_000_000_000_001n)],
  ];
  for (const [what, problem, call] of refused) {
    it(`refuse ${what}: ${problem}`, () => {
      expect(call).to.throw(/^[A-Z]/.test(problem) ? ProgramError : InvalidArgumentError);
      expect(call)
        .to.throw()
        .that.satisfies((error: ProgramError & InvalidArgumentError) =>
          [error.name, error.argument].includes(problem),
        );
    });
  }

  const graduated = { ...MIGRATED, initialized: CurveStatus.Finalized };
  const closed: [what: string, from: Market | CurveState, venue: string, poolAddress?: PublicKey][] = [
    ['a graduated curve', graduated, 'graduating'],
    [
      'a sold-out curve of unknown status',
      { ...CURVE, virtualToken: GRADUATION_VIRTUAL_TOKEN },
      'graduating',
    ],
    ['a migrated curve', MIGRATED, 'unknown'],
    [
      'a migrated curve whose pool is known',
      { ...MIGRATED, poolAddress: POOL_ADDRESS },
      'pool',
      POOL_ADDRESS,
    ],
    [
      'a graduating market',
      { venue: 'graduating', mint: MINT, curve: graduated, poolAddress: POOL_ADDRESS },
      'graduating',
      POOL_ADDRESS,
    ],
    ["a market of the operator's", { venue: 'unknown', mint: MINT, curve: MIGRATED }, 'unknown'],
  ];
  for (const [what, from, venue, poolAddress] of closed) {
    it(`refuse ${what}: TradingClosed, with where the token trades`, () => {
      for (const quote of [quoteBuy, quoteSell, quoteBuyExactOut, quoteSellExactOut]) {
        expect(() => (quote as (from: object, amount: bigint) => unknown)(from, SOL))
          .to.throw(TradingMovedError)
          .that.satisfies((error: unknown) => isProgramError(error, 'TradingClosed'))
          .and.includes({ venue, poolAddress, code: 6001 });
      }
    });
  }

  it('say in their error what to do', () => {
    expect(() => quoteBuy(graduated, SOL)).to.throw('trades again when the operator has opened its pool');
    expect(() => quoteBuy({ ...MIGRATED, poolAddress: POOL_ADDRESS }, SOL)).to.throw(
      `the token trades in its pool ${POOL_ADDRESS.toBase58()}; quote what fetchMarket returns`,
    );
  });

  it('need no web3.js and no codec: the maths of pools imports no other module', async () => {
    const entry = fileURLToPath(new URL('../src/amm/maths.ts', import.meta.url));
    const { metafile } = await build({ entryPoints: [entry], bundle: true, write: false, metafile: true });
    for (const file of Object.keys(metafile.inputs))
      expect(file).to.match(/^sdk\/src\/amm\/(?:[\w-]+\/)?(?:maths|trade)\.ts$/);
  });
});
