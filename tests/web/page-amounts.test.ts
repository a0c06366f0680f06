// Amounts as people type and paste them into the page's fields.
import { expect } from 'chai';
import { amountText, parseAmount, whyNoAmount } from '../../web/src/trade/amount-text.js';
import { change, exactTokens, tokens } from '../../web/src/format.js';

const SOL_DECIMALS = 9;
const TOKEN_DECIMALS = 6;

describe('an amount in a field of the page', () => {
  for (const [text, lamports] of [
    ['0.5', 500_000_000n],
    ['0,5', 500_000_000n],
    ['.5', 500_000_000n],
    ['12', 12_000_000_000n],
    ['1,234.5', 1_234_500_000_000n],
    ['1.234,5', 1_234_500_000_000n],
    ['1 234,5', 1_234_500_000_000n],
    ['1\u202f234.5', 1_234_500_000_000n],
    ['1’234.5', 1_234_500_000_000n],
    ['1,234,567', 1_234_567_000_000_000n],
    ['1.234.567', 1_234_567_000_000_000n],
    ['0,500', 500_000_000n],
    ['1,0005', 1_000_500_000n],
    ['1.000', 1_000_000_000n],
    ['1.5K', 1_500_000_000_000n],
    ['0.000000001', 1n],
    [' 0.3 SOL ', 300_000_000n],
  ] as const) {
    it(`${JSON.stringify(text)} is ${lamports} lamports`, () => {
      expect(parseAmount(text, SOL_DECIMALS)).to.equal(lamports);
    });
  }

  for (const text of [
    '',
    '.',
    'abc',
    'm',
    '-1',
    '1e3',
    '0x10',
    '0.0000000001',
    '1 5',
    '1,23,456',
    '1,2.3',
    '1,234.567.8',
    '1..5',
  ]) {
    it(`${JSON.stringify(text)} is no amount`, () => {
      expect(parseAmount(text, SOL_DECIMALS)).to.equal(undefined);
      expect(whyNoAmount(text)).to.match(/^Enter a number/);
    });
  }

  for (const text of ['1,000', '12,345', '999,999 SOL']) {
    it(`${JSON.stringify(text)} is not guessed: the page asks which one is meant`, () => {
      expect(parseAmount(text, SOL_DECIMALS)).to.equal(undefined);
      expect(whyNoAmount(text)).to.match(/^Do you mean \d+( SOL)? or \d+\.\d{3}( SOL)?\?$/);
    });
  }

  it('can be one that the page prints', () => {
    for (const units of [
      1n,
      999_999n,
      1_500_000n,
      6_990_000_000_000n,
      123_456_789_012n,
      1_000_000_000_000_000n,
    ]) {
      expect(parseAmount(exactTokens(units), TOKEN_DECIMALS)).to.equal(units);
      const rounded = parseAmount(tokens(units), TOKEN_DECIMALS);
      expect(Number(rounded)).to.be.closeTo(Number(units), Number(units) / 100);
      expect(parseAmount(amountText(units, TOKEN_DECIMALS), TOKEN_DECIMALS)).to.equal(units);
    }
  });
});

describe('changes on the page', () => {
  it('are neither a rise nor a fall when they are shown as 0, and no fall but that of all is 100 %', () => {
    const shown = [4, -4, 5, -9_989, -9_999, -10_000, 1_840].map(change);
    expect(shown).to.deep.equal(['0 %', '0 %', '+0.1 %', '−99.9 %', '−99.99 %', '−100 %', '+18.4 %']);
  });
});
