// The page's numbers and times are those of `Intl`, for any value.
import fc from 'fast-check';
import { expect } from 'chai';
import { compact, decimals, grouped, significant } from '../../web/src/english-numbers.js';
import * as times from '../../web/src/words/times.js';
import * as chinese from '../../web/src/words/zh/times.js';

const RUNS = { numRuns: 5_000 };
/** Numbers of every size that the page shows: shares of a lamport to supplies in base units, and ties. */
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e17, max: 1e17 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -2_000, max: 2_000 }),
  fc
    .tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: -12, max: 12 }))
    .map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
);

describe("the page's numbers", () => {
  const same = (ours: (value: number) => string, options: Intl.NumberFormatOptions) => {
    const theirs = new Intl.NumberFormat('en', options);
    fc.assert(
      fc.property(number, (value) => {
        // `Intl` writes a minus before zero. The page shows no zero with a sign, and nothing smaller than a share of a lamport.
        fc.pre(theirs.format(value) !== '-0' && (value === 0 || Math.abs(value) > 1e-15));
        expect(ours(value), String(value)).to.equal(theirs.format(value));
      }),
      RUNS,
    );
  };

  it('have decimals as Intl rounds them', () => {
    for (const most of [0, 1, 2]) same((value) => decimals(value, most), { maximumFractionDigits: most });
  });

  it('have significant digits as Intl rounds them', () => {
    for (const most of [3, 4]) same((value) => significant(value, most), { maximumSignificantDigits: most });
  });

  it('are compact as in Intl', () => {
    same(compact, { notation: 'compact', maximumSignificantDigits: 4 });
  });

  it('show a dash for NaN and Infinity', () => {
    for (const value of [NaN, Infinity])
      for (const text of [decimals(value, 1), significant(value, 3), compact(value)])
        expect(text).to.equal('—');
  });

  it('are grouped as in Intl', () => {
    const theirs = new Intl.NumberFormat('en');
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), (value) => {
        expect(grouped(String(value))).to.equal(theirs.format(value));
      }),
    );
  });

  it('are times as in Intl, in each language', () => {
    for (const [language, dateTime] of Object.entries({ en: times.dateTime, zh: chinese.dateTime })) {
      const theirs = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
          expect(dateTime(seconds * 1_000)).to.equal(theirs.format(seconds * 1_000));
        }),
        RUNS,
      );
    }
  });
});
