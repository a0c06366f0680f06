import bs58 from 'bs58';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBase58, encodeBase58 } from '../src/encoding/base58.js';
import { DecodeError } from '../src/errors/index.js';

describe('base58', () => {
  it('encodes and decodes as bs58 does, leading zeros included', () => {
    const zeros = fc.nat({ max: 5 }).map((count) => new Uint8Array(count));
    fc.assert(
      fc.property(zeros, fc.uint8Array({ maxLength: 300 }), (prefix, rest) => {
        const bytes = Uint8Array.from([...prefix, ...rest]);
        expect(decodeBase58(bs58.encode(bytes))).to.deep.equal(bytes);
        expect(encodeBase58(bytes)).to.equal(bs58.encode(bytes));
      }),
      { numRuns: 5_000 },
    );
  });

  it('decodes the largest values of every length', () => {
    for (let length = 0; length < 100; length++) {
      const bytes = new Uint8Array(length).fill(0xff);
      expect(decodeBase58(bs58.encode(bytes))).to.deep.equal(bytes);
    }
  });

  for (const text of ['0', 'O', 'I', 'l', 'abc def', 'é', 'a\u0000', '-1']) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => decodeBase58(text)).to.throw(DecodeError, 'not a base58 character');
    });
  }
});
