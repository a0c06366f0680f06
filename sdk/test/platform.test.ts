// What the SDK does itself where the platform lacks it.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { abortReason, limit, throwIfAborted } from '../src/platform/abort.js';
import { sha256Hex, uniqueId } from '../src/platform/crypto.js';
import { decodeUtf8, encodeUtf8 } from '../src/platform/utf8.js';

/** Runs `work` on a platform without these globals. */
async function without<T>(names: readonly string[], work: () => T | Promise<T>): Promise<T> {
  const had = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)!] as const);
  for (const name of names) Object.defineProperty(globalThis, name, { value: undefined, configurable: true });
  try {
    return await work();
  } finally {
    for (const [name, descriptor] of had) Object.defineProperty(globalThis, name, descriptor);
  }
}

describe('a platform with less than Node', () => {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

  it('decodes any bytes as TextDecoder does', async () => {
    // Bytes that begin, continue and break sequences.
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xef, 0xbb, 0xf0, 0xf4),
    );
    await without(['TextDecoder'], () =>
      fc.assert(
        fc.property(fc.array(byte, { maxLength: 40 }), (list) => {
          const bytes = Uint8Array.from(list);
          expect(decodeUtf8(bytes)).to.equal(decoder.decode(bytes));
        }),
        { numRuns: 5_000 },
      ),
    );
  });

  it('encodes any text as TextEncoder does', async () => {
    await without(['TextEncoder'], () =>
      fc.assert(
        fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 0, max: 0xffff }), (text, unit) => {
          const given = text + String.fromCharCode(unit);
          expect(encodeUtf8(given)).to.deep.equal(Uint8Array.from(encoder.encode(given)));
        }),
        { numRuns: 2_000 },
      ),
    );
  });

  it('hashes bytes of every length and makes unique names, with crypto and without', async () => {
    const hashes = async () => {
      for (let length = 0; length <= 150; length++) {
        const bytes = Uint8Array.from({ length }, (_, index) => index);
        expect(await sha256Hex(bytes)).to.equal(createHash('sha256').update(bytes).digest('hex'));
      }
    };
    await hashes();
    await without(['crypto'], async () => {
      await hashes();
      const names = Array.from({ length: 1_000 }, uniqueId);
      expect(new Set(names).size).to.equal(1_000);
      for (const name of names) expect(name).to.match(/^[0-9a-f]{32}$/);
    });
  });

  it('keeps the reason of a signal, and the timeout apart from it', async () => {
    const reason = new Error('enough');
    expect(abortReason(AbortSignal.abort(reason))).to.equal(reason);
    expect(() => throwIfAborted(AbortSignal.abort(reason))).to.throw(reason);
    const given = new AbortController();
    const byCaller = limit(60_000, given.signal);
    given.abort(reason);
    expect([byCaller.signal.reason, byCaller.isLate]).to.deep.equal([reason, false]);
    byCaller.end();
    const byTime = limit(1, undefined);
    await new Promise((resolve) => byTime.signal.addEventListener('abort', resolve));
    expect(byTime.isLate).to.equal(true);
    const ended = limit(60_000, new AbortController().signal);
    ended.end();
    expect(ended.signal.aborted).to.equal(false);
  });
});
