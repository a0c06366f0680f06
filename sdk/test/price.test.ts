import { expect } from 'chai';
import fc from 'fast-check';
import { InvalidArgumentError } from '../src/errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN } from '../src/generated/program.js';
import {
  formatPrice,
  formatSol,
  formatTokens,
  graduationProgress,
  marketCap,
  parseSol,
  parseTokens,
  priceOf,
} from '../src/curve/price.js';

const INITIAL = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };

describe('price', () => {
  it('is written in SOL per token, rounded half up', () => {
    // 30 SOL / 1,073,000,000 tokens = 2.795899347623…e−8 SOL.
    expect(formatPrice(priceOf(INITIAL))).to.equal('0.000000027959');
    expect(formatPrice(priceOf(INITIAL), 20)).to.equal('0.00000002795899347623');
    expect(formatPrice({ lamports: 1_500n, tokenUnits: 1n }, 1)).to.equal('1.5');
    expect(formatPrice({ lamports: 1_500n, tokenUnits: 1n }, 0)).to.equal('2');
  });

  it('gives the market cap of the whole supply', () => {
    // 30 SOL · 1,000,000,000 / 1,073,000,000 = 27.9589934762… SOL.
    expect(marketCap(INITIAL)).to.equal(27_958_993_476n);
  });
});

describe('graduation progress', () => {
  const initial = INITIAL.virtualToken;
  const target = initial - GRADUATION_VIRTUAL_TOKEN;

  it('runs from 0 to 10,000, and only a graduated curve reaches 10,000', () => {
    expect(graduationProgress(initial, initial)).to.deep.equal({ sold: 0n, target, progressBps: 0 });
    expect(graduationProgress(GRADUATION_VIRTUAL_TOKEN + 1n, initial).progressBps).to.equal(9_999);
    expect(graduationProgress(GRADUATION_VIRTUAL_TOKEN, initial)).to.deep.equal({
      sold: target,
      target,
      progressBps: 10_000,
    });
  });

  it('refuses impossible reserves, and names the argument', () => {
    const least = GRADUATION_VIRTUAL_TOKEN;
    for (const [argument, call] of [
      ['virtualToken', () => graduationProgress(initial + 1n, initial)],
      ['virtualToken', () => graduationProgress(least - 1n, initial)],
      ['initialVirtualToken', () => graduationProgress(initial, least)],
      ['virtualToken', () => priceOf({ virtualSol: 1n, virtualToken: 0n })],
      ['virtualToken', () => marketCap({ virtualSol: 1n, virtualToken: 0n })],
    ] as const)
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
  });
});

describe('amounts as text', () => {
  it('are formatted and parsed without loss', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (amount) => {
        expect(parseSol(formatSol(amount))).to.equal(amount);
        expect(parseTokens(formatTokens(amount))).to.equal(amount);
      }),
    );
  });

  it('have no trailing zeros', () => {
    expect(formatSol(0n)).to.equal('0');
    expect(formatSol(1n)).to.equal('0.000000001');
    expect(formatSol(1_500_000_000n)).to.equal('1.5');
    expect(formatSol(100_000_000_000n)).to.equal('100');
    expect(formatSol(-1_500_000_000n)).to.equal('-1.5');
    expect(formatTokens(1_073_000_000_000_000n)).to.equal('1073000000');
  });

  it('refuse other texts, and name the unit', () => {
    const wrong = ['', '-1', '1.', '.5', '1e9', ' 1', '1,5', '0x10', '1.0000000001', '18446744073.709551616'];
    for (const [argument, call] of [
      ...wrong.map((text) => ['sol', () => parseSol(text)] as const),
      ['tokens', () => parseTokens('1.0000001')],
      ['tokens', () => parseTokens(5 as unknown as string)],
    ] as const)
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
  });
});
