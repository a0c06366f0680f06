import { expect } from 'chai';
import bs58 from 'bs58';
import fc from 'fast-check';
import { decodeBase58 } from '#app/base/base58.js';

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
