// The holders that a node lists: read while the answer comes, however it is cut into chunks; a node that falls silent, breaks off or
// lies is an error.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeError } from '#app/chain/node-errors.js';
import { readHoldings, type Holding } from '#app/graduation/settlement/periods/holders.js';
import { elementsOf } from '#app/graduation/settlement/periods/json-elements.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { serveNode } from '#tests/node/serve.js';

const [SILENCE_MS, PAUSE_MS, ACCOUNTS, SLOT] = [400, 100, 12, 7];
const BEGIN = `{"result":{"context":{"slot":${SLOT}},"value":[`;

describe('the holders that a node lists', () => {
  const holder = Keypair.generate().publicKey;
  const accountOf = (balance: number) => JSON.stringify(slicedAccount(holder.toBase58(), balance));

  type Answer = (response: ServerResponse, body: string) => Promise<void> | void;
  /** @returns the batches */
  async function read(answer: Answer, signal = NEVER_ABORTED): Promise<Holding[][]> {
    const node = await serveNode((body, response) => answer(response, body));
    const holdings = readHoldings({
      ...{ rpcUrl: node.url, mint: holder, minContextSlot: 5, silenceMs: SILENCE_MS, signal },
    });
    const batches: Holding[][] = [];
    try {
      for (;;) {
        const next = await holdings.next();
        if (next.done !== true) batches.push(next.value);
        else {
          expect(next.value).to.equal(SLOT);
          return batches;
        }
      }
    } finally {
      await node.stop();
    }
  }
  async function sendSlowly(response: ServerResponse, accounts: number): Promise<void> {
    response.write(BEGIN);
    for (let balance = 1; balance <= accounts; balance += 1) {
      response.write((balance === 1 ? '' : ',') + accountOf(balance));
      await sleep(PAUSE_MS);
    }
  }

  it('are those of one token at a slot or later, read while the node sends them, however long it takes', async () => {
    let asked: unknown;
    const [holdings = []] = await read(async (response, body) => {
      asked = JSON.parse(body);
      await sendSlowly(response, ACCOUNTS);
      response.end(']}}');
    });
    const expected = Array.from({ length: ACCOUNTS }, (_, index) => BigInt(index + 1));
    expect(holdings).to.deep.equal(expected.map((balance) => ({ owner: holder.toBase58(), balance })));
    const options = {
      ...{ commitment: 'finalized', encoding: 'base64', withContext: true, minContextSlot: 5 },
      dataSlice: { offset: 32, length: 40 },
      filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: holder.toBase58() } }],
    };
    expect(asked).to.deep.equal({
      ...{ jsonrpc: '2.0', id: 0, method: 'getProgramAccounts' },
      params: ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', options],
    });
  });

  it('come in batches of 5,000 or more, without empty accounts', async () => {
    const batches = await read(async (response) => {
      response.write(BEGIN + accountOf(0));
      for (let part = 0; part < 12; part += 1) {
        response.write(`,${Array.from({ length: 1_000 }, () => accountOf(1)).join()}`);
        await sleep(5);
      }
      response.end(']}}');
    });
    expect(batches.flat().filter(({ balance }) => balance === 1n)).to.have.lengthOf(12_000);
    expect(batches.flat()).to.have.lengthOf(12_000);
    expect(batches.length).to.be.within(2, 3);
    for (const { length } of batches.slice(0, -1)) expect(length).to.be.at.least(5_000);
  });

  const ended =
    (text: string): Answer =>
    (response) =>
      void response.end(text);
  const refused: Readonly<Record<string, readonly [Answer, RegExp]>> = {
    'is silent before its answer': [() => undefined, /^http:\/\/127\.0\.0\.1:\d+ sends nothing for 0\.4 s$/],
    'falls silent in its answer': [(response) => sendSlowly(response, 3), /sends nothing for 0\.4 s$/],
    'refuses the method': [
      ended('{"error":{"code":-32010,"message":"excluded from the index"}}'),
      /answers getProgramAccounts with error -32010: .*excluded from the index.*; settlements need this method: set RPC_URL/,
    ],
    'does not say of which slot it is': [ended('{"result":{"value":[]}}'), /does not say of which slot/],
    'does not slice the accounts': [
      ended(`${BEGIN}{"account":{"data":["${'A'.repeat(220)}","base64"]}}]}}`),
      /^the node does not slice the data of token accounts$/,
    ],
    'breaks off its answer': [
      async (response) => {
        await sendSlowly(response, 1);
        response.destroy();
      },
      /breaks off its answer to getProgramAccounts: /,
    ],
    'ends its answer early': [
      ended(BEGIN + accountOf(1)),
      /breaks off its answer to getProgramAccounts: Syntax/,
    ],
    'is a web page': [ended('<html>'), /breaks off its answer to getProgramAccounts: Syntax/],
  };
  for (const [name, [answer, message]] of Object.entries(refused))
    it(`are refused of a node that ${name}`, async () => {
      expect((await rejection(read(answer), NodeError)).message).to.match(message);
    });

  it('are not read any more after a stop, which is no failure of the node', async () => {
    const stopping = new AbortController();
    const answer: Answer = async (response) => {
      await sendSlowly(response, 1);
      stopping.abort(new Error('the process ends'));
    };
    expect((await rejection(read(answer, stopping.signal), Error)).message).to.equal('the process ends');
  });
});

describe('elements of a long JSON-RPC answer', () => {
  const REST = { jsonrpc: '2.0', id: 'a, {b} [c]', list: [{ no: 1 }] };
  const CONTEXT = { slot: 7, apiVersion: '[{"4.1"}]', more: [{ no: 1 }] };
  /** An answer as nodes write it. The context can be before the elements or after them. */
  const answerOf = (value: readonly unknown[], contextFirst = true, indent = 0) =>
    JSON.stringify(
      {
        ...REST,
        result: contextFirst
          ? { context: CONTEXT, value, after: [] }
          : { value, after: [], context: CONTEXT },
        last: '',
      },
      null,
      indent,
    );
  /** @param ends of the chunks. @returns the lists of elements, and the rest */
  async function read(text: string | Uint8Array, ends: readonly number[]): Promise<[unknown[][], unknown]> {
    const bytes = Buffer.from(text);
    const chunks = (async function* () {
      for (const [index, end] of [...ends, bytes.length].entries())
        yield await Promise.resolve(bytes.subarray(ends[index - 1] ?? 0, end));
    })();
    const elements = elementsOf(chunks);
    const lists: unknown[][] = [];
    for (;;) {
      const next = await elements.next();
      if (next.done === true) return [lists, next.value];
      lists.push(next.value);
    }
  }

  it('are those of any answer, wherever it is cut, and are taken out of the rest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.array(fc.jsonValue())),
          { maxLength: 8 },
        ),
        fc.array(fc.nat(), { maxLength: 40 }),
        fc.boolean(),
        fc.nat(1),
        async (value, cuts, contextFirst, indent) => {
          const text = answerOf(value, contextFirst, indent);
          const ends = cuts.map((cut) => cut % (Buffer.byteLength(text) + 1)).sort((a, b) => a - b);
          const [lists, rest] = await read(text, ends);
          // JSON changes some values: −0 becomes 0.
          expect(lists.flat()).to.deep.equal(JSON.parse(JSON.stringify(value)));
          expect(lists.every(({ length }) => length > 0)).to.equal(true);
          expect(rest).to.deep.equal(JSON.parse(answerOf([])));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('come as soon as a chunk completes them', async () => {
    const text = answerOf([{ a: 1 }, [2, { b: '\\"]' }], { last: 'é, 漢, 🚀' }]);
    const [lists] = await read(text, [text.indexOf('last') - 2]);
    expect(lists[0]).to.deep.equal([{ a: 1 }, [2, { b: '\\"]' }]]);
  });

  it('are not read from an error or an object: the answer is returned whole', async () => {
    for (const answer of [
      { jsonrpc: '2.0', error: { code: -32_016, message: 'Minimum context slot' }, id: 1 },
      { result: { value: { a: { b: 1 }, c: [{ d: 2 }] } }, id: 1 },
    ])
      expect(await read(JSON.stringify(answer), [5, 10, 15])).to.deep.equal([[], answer]);
  });

  it('take time by the length of the answer, and are no invalid UTF-8', async () => {
    const timeOf = async (count: number) => {
      const text = answerOf(Array.from({ length: count }, () => ({ a: 'x' })));
      const from = performance.now();
      await read(text, []);
      return performance.now() - from;
    };
    const times: [number, number][] = [];
    for (let round = 0; round < 3; round += 1) times.push([await timeOf(5_000), await timeOf(40_000)]);
    const least = (of: 0 | 1) => Math.min(...times.map((time) => time[of]));
    // Eight times as much. Time by the square of the length would be sixty times as much.
    expect(least(1)).to.be.below(30 * least(0));
    const broken = Buffer.from(answerOf([{ a: '?' }]));
    broken[broken.indexOf('?')] = 0xff;
    await rejection(read(broken, [50]), TypeError);
  });
});
