// tests/differential/amm-quotes.test.ts compares these amounts with the AMM's binaries.
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { build } from 'esbuild';
import fc from 'fast-check';
import { fileURLToPath } from 'node:url';
import { AMM, poolTrade, type PoolState } from '../src/amm/index.js';
import {
  InvalidArgumentError,
  isProgramError,
  ProgramError,
  TradingMovedError,
} from '../src/errors/index.js';
import { PROGRAM_ADDRESS } from '../src/generated/program.js';
import type { Market } from '../src/venue/market.js';
import { quoteBuy, quoteBuyExactOut, quoteSell, quoteSellExactOut } from '../src/venue/quotes.js';
import { CurveStatus } from '../src/curve/status.js';
import { U64_MAX } from '../src/checks/keys.js';

const SOL = 1_000_000_000n;
const MINT = PROGRAM_ADDRESS;
const POOL_ADDRESS = new PublicKey(new Uint8Array(32).fill(7));
const ADDRESSES = AMM.addresses(POOL_ADDRESS, MINT);

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
const CURVE = {
  initialized: CurveStatus.Migrated as number,
  virtualSol: 114_964_285_715n,
  virtualToken: 280_000_000_000_000n,
  afterMigrationFee: 0,
  afterMigrationBurnBp: 0,
  platformFeeBps: 100,
};

function market(pool: PoolState = POOL): Market {
  return { venue: 'pool', mint: MINT, curve: CURVE, pool, addresses: ADDRESSES };
}

const pools = fc
  .record({
    sol: fc.bigInt(SOL, 10_000n * SOL),
    token: fc.bigInt(10n ** 12n, 10n ** 15n),
    creatorFeeRate: fc.constantFrom(0n, 5_000n),
    creatorFeeSide: fc.constantFrom('input' as const, 'sol' as const, 'token' as const),
  })
  .map((changed): PoolState => ({ ...POOL, ...changed }));
const lamports = fc.bigInt(1_000_000n, 500n * SOL);

describe('quotes of a pool', () => {
  it('quotes of a buy have the fields of a curve’s quote, and the pool’s fee', () => {
    const quote = quoteBuy(market(), SOL, 100);
    expect(quote).to.deep.equal({
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

  it('quotes of a sell have them too, and a creator fee in SOL is part of the fee', () => {
    const quote = quoteSell(market({ ...POOL, creatorFeeRate: 5_000n, creatorFeeSide: 'sol' }), 10n ** 12n);
    expect(quote).to.include({
      gross: 407_591_863n,
      fee: 2_037_960n,
      solOut: 405_553_903n,
      tokenFee: 2_500_000_000n,
    });
    expect(quote.minSolToReceive).to.equal(quote.solOut);
  });

  it('exact out: return the cheapest trade, with the wanted amount as its minimum', () => {
    fc.assert(
      fc.property(pools, fc.bigInt(1n, 10n ** 8n), (pool, wanted) => {
        const bought = quoteBuyExactOut(market(pool), wanted);
        expect(bought.tokenOut >= wanted).to.equal(true);
        expect(bought.minTokenToReceive).to.equal(wanted);
        const bounded = quoteBuyExactOut(market(pool), wanted, 100);
        expect(bounded.minTokenToReceive).to.equal(wanted);
        expect(bounded.solToSpend).to.equal((bought.solToSpend * 101n) / 100n);
        expect(poolTrade(pool, 'sol', bought.solToSpend - 1n).amountOut < wanted).to.equal(true);
        const sold = quoteSellExactOut(market(pool), wanted);
        expect(sold.solOut >= wanted).to.equal(true);
        expect(sold.minSolToReceive).to.equal(wanted);
        expect(poolTrade(pool, 'token', sold.tokenToSpend - 1n).amountOut < wanted).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('buying and selling back is never a gain, and the pool never loses', () => {
    fc.assert(
      fc.property(pools, lamports, (pool, amount) => {
        const bought = poolTrade(pool, 'sol', amount);
        const { amountOut, after } = poolTrade(bought.after, 'token', bought.amountOut);
        expect(amountOut < amount).to.equal(true);
        expect(after.sol * after.token >= pool.sol * pool.token).to.equal(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('the price impact grows with the amount and stays within 0 and 10,000', () => {
    fc.assert(
      fc.property(pools, lamports, lamports, (pool, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const [small, large] = [quoteBuy(market(pool), less), quoteBuy(market(pool), more)];
        // Rounding to one base unit can be one basis point of a small amount.
        expect(small.priceImpactBps).to.be.at.most(large.priceImpactBps + 1);
        expect(large.priceImpactBps).to.be.within(0, 10_000);
      }),
      { numRuns: 2_000 },
    );
  });

  const refused: [what: string, name: 'LogicalError' | 'TradingClosed', call: () => unknown][] = [
    ['a buy of nothing', 'LogicalError', () => quoteBuy(market(), 0n)],
    ['a buy of less than a unit', 'LogicalError', () => quoteBuy(market({ ...POOL, token: 1n }), SOL)],
    ['a sell of nothing', 'LogicalError', () => quoteSell(market(), 0n)],
    ['a sell beyond u64', 'LogicalError', () => quoteSell(market(), U64_MAX)],
    [
      'a pool that the AMM stopped',
      'TradingClosed',
      () => quoteBuy(market({ ...POOL, tradable: false }), SOL),
    ],
    [
      'an exact amount from such a pool',
      'TradingClosed',
      () => quoteSellExactOut(market({ ...POOL, tradable: false }), 1n),
    ],
  ];
  for (const [what, name, call] of refused) {
    it(`${what}: ${name}`, () => {
      expect(call)
        .to.throw(ProgramError)
        .that.satisfies((error: unknown) => isProgramError(error, name));
    });
  }

  const nonsense: [what: string, argument: string, call: () => unknown][] = [
    ['all tokens of the pool', 'tokenToReceive', () => quoteBuyExactOut(market(), POOL.token)],
    ['all SOL of the pool', 'solToReceive', () => quoteSellExactOut(market(), POOL.sol)],
    ['an exact nothing', 'solToReceive', () => quoteSellExactOut(market(), 0n)],
    ['a negative amount', 'solToSpend', () => quoteBuy(market(), -1n)],
    ['a slippage above a whole', 'slippageBps', () => quoteBuy(market(), SOL, 10_001)],
  ];
  for (const [what, argument, call] of nonsense) {
    it(`${what}: an InvalidArgumentError that names ${argument}`, () => {
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
    });
  }
});

describe('the module of the pool maths', () => {
  it('imports no other module: no web3.js, no codec', async () => {
    const entry = fileURLToPath(new URL('../src/amm/maths.ts', import.meta.url));
    const { metafile } = await build({ entryPoints: [entry], bundle: true, write: false, metafile: true });
    for (const file of Object.keys(metafile.inputs))
      expect(file).to.match(/^sdk\/src\/amm\/(?:[\w-]+\/)?(?:maths|trade)\.ts$/);
  });
});

describe('a quote for a curve that does not trade', () => {
  const curve = { ...CURVE, initialized: CurveStatus.Finalized };
  const cases: [
    what: string,
    from: Market | typeof CURVE,
    venue: string,
    poolAddress: PublicKey | undefined,
  ][] = [
    ['a graduated curve', curve, 'graduating', undefined],
    ['a migrated curve', CURVE, 'unknown', undefined],
    ['a migrated curve whose pool is known', { ...CURVE, poolAddress: POOL_ADDRESS }, 'pool', POOL_ADDRESS],
    [
      'a graduating market',
      { venue: 'graduating', mint: MINT, curve, poolAddress: POOL_ADDRESS },
      'graduating',
      POOL_ADDRESS,
    ],
    ["a market of the operator's", { venue: 'unknown', mint: MINT, curve: CURVE }, 'unknown', undefined],
  ];
  for (const [what, from, venue, poolAddress] of cases) {
    it(`${what}: TradingClosed, with where the token trades`, () => {
      for (const quote of [quoteBuy, quoteSell, quoteBuyExactOut, quoteSellExactOut]) {
        expect(() => (quote as (from: object, amount: bigint) => unknown)(from, SOL))
          .to.throw(TradingMovedError)
          .that.satisfies((error: unknown) => isProgramError(error, 'TradingClosed'))
          .and.includes({ venue, poolAddress, code: 6001 });
      }
    });
  }

  it('says in its error what to do', () => {
    expect(() => quoteBuy(curve, SOL)).to.throw('trades again when the operator has opened its pool');
    expect(() => quoteBuy({ ...CURVE, poolAddress: POOL_ADDRESS }, SOL)).to.throw(
      `the token trades in its pool ${POOL_ADDRESS.toBase58()}; quote what fetchMarket returns`,
    );
  });

  it('equals the quote of the curve for a market that trades on its curve', () => {
    const trading = { ...CURVE, initialized: CurveStatus.Trading, virtualToken: 500_000_000_000_000n };
    expect(quoteBuy({ venue: 'curve', mint: MINT, curve: trading }, SOL)).to.deep.equal(
      quoteBuy(trading, SOL),
    );
    expect(quoteSell({ venue: 'curve', mint: MINT, curve: trading }, SOL)).to.deep.equal(
      quoteSell(trading, SOL),
    );
  });
});
