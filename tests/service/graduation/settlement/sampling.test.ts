// The samples of a token's holders: at which moments, what the node lists, what counts, and what a wallet earns that holds for a part
// of a period. threat: momentary-holder
import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { AMM, poolAddress } from '@curvekit/sdk';
import { NodeError } from '#app/chain/node-errors.js';
import type { Context } from '#app/context.js';
import { statement } from '#app/db/database.js';
import { holderWeights } from '#app/graduation/settlement/periods/holder-weights.js';
import { readHoldings, type Holding } from '#app/graduation/settlement/periods/holders.js';
import { elementsOf } from '#app/graduation/settlement/periods/json-elements.js';
import {
  deadlineOf,
  momentOf,
  newSeed,
  nextSample,
  SAMPLES,
  seedHashOf,
  type Period,
} from '#app/graduation/settlement/periods/moments.js';
import { excludedWallets } from '#app/graduation/settlement/periods/sample.js';
import {
  addToSample,
  beginSample,
  finishSample,
  samplesOf,
  sumSamples,
} from '#app/graduation/settlement/periods/samples-repository.js';
import type { SettledToken } from '#app/graduation/settlement/periods/tokens-repository.js';
import { abandonSettlement } from '#app/graduation/settlement/repository.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { DATABASE_KIND, openTestDatabase, useDatabase } from '#tests/database/database.js';
import { addSample, beginPeriod } from '#tests/database/samples.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { startFakeNode, type FakeNode } from '#tests/node/fake-node.js';
import { serveNode } from '#tests/node/serve.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';

const PERIOD_MS = 600_000;
const STRATUM_MS = PERIOD_MS / SAMPLES;
const START = 1_800_000_000_000;

/** The same seeds in every run. */
const seedOf = (index: number) => createHash('sha256').update(`seed ${index}`).digest('hex');
const periodOf = (seed: string, startedAt = START): Period => ({
  seed,
  startedAt,
  periodMs: PERIOD_MS,
  samples: SAMPLES,
});

describe('sample moments of a period', () => {
  it('can be computed by anyone from the documented formula', () => {
    const seed = newSeed();
    const bytes = Buffer.from(seed, 'hex');
    expect(seedHashOf(seed)).to.equal(createHash('sha256').update(bytes).digest('hex'));
    for (let index = 0; index < SAMPLES + 2; index += 1) {
      const hash = createHmac('sha256', bytes).update(String(index)).digest('hex');
      const fraction = Number.parseInt(hash.slice(0, 12), 16) / 2 ** 48;
      const moment = Math.floor(START + (index + fraction) * STRATUM_MS);
      expect(momentOf(periodOf(seed), index)).to.equal(moment);
    }
    expect(newSeed()).to.not.equal(seed);
  });

  it('are taken in order, late ones before their deadline, missed ones after the period, and are always complete', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        // How long each read, or an absence of the settler, takes.
        fc.array(fc.integer({ min: 1, max: 3 * STRATUM_MS }), { minLength: 1, maxLength: 20 }),
        (run, busyMs) => {
          const period = periodOf(seedOf(run));
          const taken = new Map<number, number>();
          let now = START;
          for (let step = 0; taken.size < SAMPLES; step += 1) {
            const index = nextSample(period, new Set(taken.keys()), now)!;
            now = Math.max(now, momentOf(period, index));
            expect(taken.has(index)).to.equal(false);
            expect(now).to.be.at.least(momentOf(period, index));
            expect(now).to.be.below(deadlineOf(period, index));
            taken.set(index, now);
            now += busyMs[step % busyMs.length]!;
          }
          expect(nextSample(period, new Set(taken.keys()), now)).to.equal(undefined);
          // No window of a fraction f of the period contains more than 16 f + 2.4 samples.
          const times = [...taken.values()].sort((a, b) => a - b);
          for (const [from, first] of times.entries())
            for (const [to, last] of times.entries()) {
              if (to < from) continue;
              expect(to - from + 1).to.be.at.most(((last - first) / PERIOD_MS) * SAMPLES + 2.4);
            }
        },
      ),
      { numRuns: 500, seed: 11 },
    );
  });
});

describe(`samples of the holders (${DATABASE_KIND})`, () => {
  const database = useDatabase();

  let mints = 0;
  const begin = () => beginPeriod(database, `mint ${(mints += 1)}`);
  const holdings = [{ owner: 'wallet', balance: 5n }];
  const sum = (id: number, excluded: string[] = []) =>
    database.transaction((tx) => sumSamples(tx, id, excluded));
  const beginOf = (id: number, index: number) =>
    database.transaction((tx) => beginSample(tx, id, index, new Date()));
  const finish = (sample: number, settlementId: number) =>
    database.transaction((tx) => finishSample(tx, { id: sample, settlementId, slot: 9 }));
  const indexesOf = async (id: number) =>
    ((await samplesOf(database.queries, [id])).get(id) ?? []).map(({ index }) => index);
  const chunksOf = (id: number) =>
    statement(database.queries)`
      select 1 from settlement_sample_chunks c join settlement_samples s on s.id = c.sample_id where settlement_id = ${id}`;

  it('each sample counts once, also when several settlers take it', async () => {
    const id = await begin();
    const taken = await Promise.all([0, 0, 0].map((index) => addSample(database, id, index, [holdings])));
    expect(taken.filter(Boolean)).to.have.length(1);
    expect(await addSample(database, id, 0, [holdings])).to.equal(false);
    expect((await sum(id)).held).to.equal(5n);
    expect(await addSample(database, id, 1, [holdings])).to.equal(true);
    expect((await sum(id)).held).to.equal(10n);
  });

  it('samples count only after they are complete; the next settler replaces an incomplete one', async () => {
    const id = await begin();
    const half = (await beginOf(id, 0))!;
    await database.transaction((tx) => addToSample(tx, half, 0, holdings));
    expect((await sum(id)).held).to.equal(0n);
    expect(await addSample(database, id, 0, [holdings, []])).to.equal(true);
    // The first settler returns late.
    expect(await database.transaction((tx) => addToSample(tx, half, 1, holdings))).to.equal(false);
    expect(await finish(half, id)).to.equal(false);
    expect((await sum(id)).held).to.equal(5n);
    expect(await indexesOf(id)).to.deep.equal([0]);
  });

  it('samples take no more holders after the period has ended, and leave no balances behind', async () => {
    const id = await begin();
    await addSample(database, id, 0, [holdings]);
    const sample = (await beginOf(id, 1))!;
    await database.transaction((tx) => addToSample(tx, sample, 0, holdings));
    // Another process ends the period while this one still reads.
    let adding: Promise<boolean> | undefined;
    await database.transaction(async (tx) => {
      await abandonSettlement(tx, id);
      adding = database.transaction((other) => addToSample(other, sample, 1, holdings));
      await sleep(200);
    });
    expect(await adding).to.equal(false);
    expect(await chunksOf(id)).to.have.lengthOf(0);
    expect([await finish(sample, id), await beginOf(id, 2)]).to.deep.equal([false, undefined]);
    expect(await indexesOf(id), 'those that were complete can be verified').to.deep.equal([0]);
  });
});

const RECOVERED_PERIOD_MS = 400;

describe('the weights of holders', () => {
  const [treasury, lp, excluded] = [Keypair.generate(), newAddress(), newAddress()];
  const token = { mint: newAddress(), curve: newAddress() } as SettledToken;
  const [one, two] = [newAddress(), newAddress()];
  let node: FakeNode;
  let context: Context;
  /** Slots that a sample may not precede. */
  const asked: unknown[] = [];

  before(async () => {
    node = await startFakeNode(({ params }) => {
      const count = asked.push((params[1] as { minContextSlot: number }).minContextSlot);
      const balances = [
        [one, count],
        [token.curve, 7],
        [two, 1],
        [two, 2],
      ] as const;
      return {
        context: { slot: 100 + count },
        value: balances.map(([owner, units]) => slicedAccount(owner, units)),
      };
    });
    const environment = {
      ...{ RPC_URL: node.url, TREASURY_KEYPAIR: keyVariable(treasury) },
      ...{ LP_ADDRESS: lp, EXCLUDED_HOLDERS: excluded },
    };
    context = await contextFrom(environment, await openTestDatabase());
  });
  after(async () => {
    await context.database.close();
    await node.stop();
  });

  it('that are sampled anew are sums over all samples, each at a later slot, without those of the platform', async () => {
    const began = performance.now();
    const options = { minContextSlot: 50, periodMs: RECOVERED_PERIOD_MS, signal: NEVER_ABORTED };
    const { slot, weights } = await holderWeights(context, token, options);
    expect(Object.fromEntries(weights)).to.deep.equal({ [one]: 136n, [two]: 48n });
    expect(slot).to.equal(100 + SAMPLES);
    expect(asked).to.deep.equal([50, ...Array.from({ length: SAMPLES - 1 }, (_, index) => 101 + index)]);
    expect(performance.now() - began).to.be.above((RECOVERED_PERIOD_MS * (SAMPLES - 1)) / SAMPLES - 5);
  });

  it('are not those of the curve, the pool, the operator and whom the operator excludes', () => {
    const { deployment } = context;
    const mint = new PublicKey(token.mint);
    const { authority } = AMM.addresses(poolAddress(mint, deployment).address, mint);
    const platform = [treasury.publicKey, authority, deployment.dexOwner, deployment.feeReceiver];
    expect(new Set(excludedWallets(context, token))).to.deep.equal(
      new Set([token.curve, lp, excluded, ...platform.map((key) => key.toBase58())]),
    );
    const bare = { ...context, config: { ...context.config, treasury: undefined } };
    expect(excludedWallets(bare, token)).to.have.lengthOf(6);
  });
});

const [SILENCE_MS, PAUSE_MS, ACCOUNTS, SLOT] = [400, 100, 12, 7];
const BEGIN = `{"result":{"context":{"slot":${SLOT}},"value":[`;

/** What a generator yields, and what it returns. */
async function listOf<T, Result>(generator: AsyncGenerator<T, Result, undefined>): Promise<[T[], Result]> {
  const list: T[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done === true) return [list, next.value];
    list.push(next.value);
  }
}

describe('the holders that a node lists', () => {
  const holder = Keypair.generate().publicKey;
  const accountOf = (balance: number) => JSON.stringify(slicedAccount(holder.toBase58(), balance));

  type Answer = (response: ServerResponse, body: string) => Promise<void> | void;
  /** @returns the batches */
  async function read(answer: Answer): Promise<Holding[][]> {
    const node = await serveNode((body, response) => answer(response, body));
    atEnd(() => node.stop());
    const holdings = readHoldings({
      ...{ rpcUrl: node.url, mint: holder, minContextSlot: 5, silenceMs: SILENCE_MS, signal: NEVER_ABORTED },
    });
    const [batches, slot] = await listOf(holdings);
    expect(slot).to.equal(SLOT);
    return batches;
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
    return listOf(elementsOf(chunks));
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

  it('are no invalid UTF-8', async () => {
    const broken = Buffer.from(answerOf([{ a: '?' }]));
    broken[broken.indexOf('?')] = 0xff;
    await rejection(read(broken, [50]), TypeError);
  });
});

/** A token account in an answer with the holders: only its owner and its amount, as the service asks for them. */
function slicedAccount(owner: string, amount: number | bigint) {
  const data = Buffer.concat([new PublicKey(owner).toBuffer(), Buffer.alloc(8)]);
  data.writeBigUInt64LE(BigInt(amount), 32);
  return { account: { data: [data.toString('base64'), 'base64'] }, pubkey: '' };
}
