import { expect } from 'chai';
import bs58 from 'bs58';
import fc from 'fast-check';
import { decodeBase58 } from '#app/base/base58.js';
import { toJson } from '#app/http/json.js';

describe('decodeBase58', () => {
  const LENGTHS = [0, 1, 2, 7, 8, 31, 32, 33, 64] as const;

  it('returns the same result as bs58 for any text and any expected length', () => {
    const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...DIGITS), maxLength: 100 }),
      fc.string({ unit: fc.constantFrom(...'1z', '0', 'O', 'é', '😀', ' '), maxLength: 50 }),
      fc.string({ unit: fc.constant('z'), maxLength: 200 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...LENGTHS), (digits, length) => {
        const bytes = bs58.decodeUnsafe(digits);
        const expected = bytes?.length === length ? Uint8Array.from(bytes) : undefined;
        expect(decodeBase58(digits, length)).to.deep.equal(expected);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('toJson', () => {
  it('returns the same text as JSON.stringify, and every digit of a bigint', () => {
    expect(toJson({ sum: 2n ** 64n + 1n, of: [0n, undefined] })).to.equal(
      '{"sum":18446744073709551617,"of":[0,null]}',
    );
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        expect(toJson(value)).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    );
    for (const value of ['"', '\\', '\u2028', '\u0000', '\ud800', 'é', '[]', { a: undefined, __proto__: 1 }])
      expect(toJson(value)).to.equal(JSON.stringify(value));
  });
});
