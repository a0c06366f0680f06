// The elements of a JSON-RPC answer, however the answer is cut into chunks.
import { expect } from 'chai';
import fc from 'fast-check';
import { elementsOf } from '#app/graduation/settlement/periods/json-elements.js';
import { rejection } from '#tests/mocha/failures.js';

const ELEMENTS = [
  { pubkey: 'first', account: { data: ['AAEC', 'base64'], lamports: 5 } },
  { text: 'brackets ] } [ { and , in a string', quoted: 'a "quote", a \\ and \\" at the end \\' },
  {},
  [1, [2, { three: '3' }], []],
  { of: 'more than one byte: é, 漢, 🚀', escape: '\u0001\n' },
  { nested: [[{ a: [] }], { b: {} }] },
];
const REST = { jsonrpc: '2.0', id: 'a, {b} [c]', list: [{ no: 1 }] };

const CONTEXT = { slot: 7, apiVersion: '[{"4.1"}]', more: [{ no: 1 }] };

/** An answer as nodes write it. The context can be before the elements or after them. */
const answerOf = (value: readonly unknown[], contextFirst = true) =>
  JSON.stringify({
    ...REST,
    result: contextFirst ? { context: CONTEXT, value, after: [] } : { value, after: [], context: CONTEXT },
    last: '',
  });

async function* between(bytes: Uint8Array, ends: readonly number[]) {
  let from = 0;
  for (const end of [...ends, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(from, end));
    from = end;
  }
}

/** @param ends of the chunks. @returns the lists of elements, and the rest */
async function read(text: string | Uint8Array, ends: readonly number[]): Promise<[unknown[][], unknown]> {
  const elements = elementsOf(between(Buffer.from(text), ends));
  const lists: unknown[][] = [];
  for (;;) {
    const next = await elements.next();
    if (next.done === true) return [lists, next.value];
    lists.push(next.value);
  }
}

/** Ends of chunks of a size. */
const every = (size: number, text: string) =>
  Array.from({ length: Math.floor(Buffer.byteLength(text) / size) }, (_, index) => (index + 1) * size);

/** Milliseconds to read an answer in one chunk. */
async function timeOf(value: readonly unknown[]): Promise<number> {
  const text = answerOf(value);
  const from = performance.now();
  const [lists] = await read(text, []);
  const time = performance.now() - from;
  expect(lists.flat()).to.have.lengthOf(value.length);
  return time;
}

describe('elements of a long answer', () => {
  it('are those of the whole answer, in chunks of any size, with or without white space', async () => {
    for (const count of [0, 1, ELEMENTS.length]) {
      const value = ELEMENTS.slice(0, count);
      const rest = JSON.parse(answerOf([])) as object;
      for (const text of [answerOf(value), JSON.stringify(JSON.parse(answerOf(value)), null, 1)]) {
        for (const size of [...Array(40).keys()].map((at) => at + 1)) {
          const [lists, others] = await read(text, every(size, text));
          expect(lists.flat(), `${size}: ${text}`).to.deep.equal(value);
          expect(others).to.deep.equal(rest);
          // No list is empty.
          expect(lists.every(({ length }) => length > 0)).to.equal(true);
        }
      }
    }
  });

  it('are those of any answer, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        fc.boolean(),
        async (value, cuts, contextFirst) => {
          const text = answerOf(value, contextFirst);
          const ends = cuts.map((cut) => cut % (Buffer.byteLength(text) + 1)).sort((a, b) => a - b);
          const [lists, rest] = await read(text, ends);
          // JSON changes some values: −0 becomes 0.
          expect(lists.flat()).to.deep.equal(JSON.parse(JSON.stringify(value)));
          expect(rest).to.deep.equal(JSON.parse(answerOf([])));
        },
      ),
    );
  });

  it('an error has none, and is returned whole', async () => {
    const error = { jsonrpc: '2.0', error: { code: -32_016, message: 'Minimum context slot' }, id: 1 };
    expect(await read(JSON.stringify(error), [20])).to.deep.equal([[], error]);
  });

  it('come as soon as a chunk completes them', async () => {
    const text = answerOf(ELEMENTS);
    const size = Buffer.from(text).indexOf(JSON.stringify(ELEMENTS[2])) + 1;
    const [lists] = await read(text, [size]);
    expect(lists[0]).to.deep.equal(ELEMENTS.slice(0, 2));
  });

  it('are not taken out of an object', async () => {
    const answer = { result: { value: { a: { b: 1 }, c: [{ d: 2 }] } }, id: 1 };
    expect(await read(JSON.stringify(answer), [5, 10, 15])).to.deep.equal([[], answer]);
  });

  it('take time by the length of the answer', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ a: 'x' }));
    const times: [number, number][] = [];
    for (let round = 0; round < 3; round += 1) {
      times.push([await timeOf(many(5_000)), await timeOf(many(40_000))]);
    }
    const least = (of: 0 | 1) => Math.min(...times.map((time) => time[of]));
    // Eight times as much. Time by the square of the length would be sixty times as much.
    expect(least(1)).to.be.below(30 * least(0));
  });

  it('end with an error when the answer ends early, is no JSON, or is no UTF-8', async () => {
    const whole = Buffer.from(answerOf(ELEMENTS));
    const inElement = whole.subarray(0, whole.indexOf('lamports'));
    for (const part of [
      whole.subarray(0, -1),
      whole.subarray(0, 60),
      inElement,
      Buffer.from('<html>'),
      Buffer.from(''),
    ])
      await rejection(read(part, [50]), SyntaxError);
    const broken = Buffer.from(answerOf([{ a: '?' }]));
    broken[broken.indexOf('?')] = 0xff;
    await rejection(read(broken, [50]), TypeError);
  });
});
