import { expect } from 'chai';
import bs58 from 'bs58';
import fc from 'fast-check';
import { decodeBase58, encodeBase58 } from '#app/base58.js';
import { toJson } from '#app/http/json.js';

describe('encodeBase58', () => {
  it('encodes as bs58 does, including leading zeros', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(40), (bytes, zeros) => {
        bytes.fill(0, 0, zeros);
        expect(encodeBase58(bytes)).to.equal(bs58.encode(bytes));
      }),
      { numRuns: 5_000 },
    );
    const largest = new Uint8Array(64).fill(255);
    expect(encodeBase58(largest)).to.equal(bs58.encode(largest));
  });
});

describe('decodeBase58', () => {
  const LENGTHS = [0, 1, 2, 7, 8, 31, 32, 33, 64] as const;

  it('decodes what bs58 encoded, including leading zeros', () => {
    fc.assert(
      fc.property(
        fc
          .constantFrom(...LENGTHS)
          .chain((length) => fc.uint8Array({ minLength: length, maxLength: length })),
        fc.nat(40),
        (bytes, zeros) => {
          bytes.fill(0, 0, zeros);
          expect(decodeBase58(bs58.encode(bytes), bytes.length)).to.deep.equal(bytes);
        },
      ),
      { numRuns: 5_000 },
    );
    for (const length of LENGTHS) {
      const largest = new Uint8Array(length).fill(255);
      expect(decodeBase58(bs58.encode(largest), length)).to.deep.equal(largest);
    }
  });

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
  it('returns the same text as JSON.stringify', () => {
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
