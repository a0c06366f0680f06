import type { RequestListener } from 'node:http'; // threat: false-sol-price
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { Keypair, PublicKey, type Connection } from '@solana/web3.js';
import { connectNode } from '#app/chain/connection.js';
import { credit } from '#app/ledger/credit.js';
import { RewardsRepository } from '#app/claims/rewards/rewards-repository.js';
import { RewardsService } from '#app/claims/rewards/rewards-service.js';
import {
  FRESH_MS,
  IN_SOL,
  inUsd,
  USABLE_MS,
  type PriceSource,
  type SolPrice,
  type UsdPrice,
} from '#app/claims/rewards/sol-price.js';
import { Peers } from '#app/base/peers.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { accountJson } from '#tests/node/accounts-node.js';
import { startFakeNode } from '#tests/node/fake-node.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { eventually } from '#tests/service/service.js';

const NOW = 1_800_000_000_000;
const RECEIVER = 'rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ';
const SOL_USD = 'ef0d8b6fda2ceba41da15d4095d1da392a0d2f8ed0c6c7bc0f4cfac8c280b56d';

describe(`SOL's price in USD (${DATABASE_KIND})`, () => {
  let server: ServedNode;
  let respond: RequestListener;
  let requests = 0;
  let node: ServedNode;
  let connection: Connection;
  /** The account that the node has. */
  let account: ReturnType<typeof accountJson> | null;

  before(async () => {
    server = await serveHttp((request, response) => {
      requests += 1;
      respond(request, response);
    });
    node = await startFakeNode(({ method }) => {
      if (method !== 'getAccountInfo') throw new Error(`${method} is not expected`);
      return { context: { slot: 1 }, value: account };
    });
    connection = connectNode({ rpcUrl: node.url });
  });
  after(async () => {
    await server.stop();
    await node.stop();
  });
  beforeEach(() => (requests = 0));

  const document =
    (text: string): RequestListener =>
    (_request, response) =>
      response.end(text);

  interface Source {
    readonly price: UsdPrice;
    readonly peers: Peers;
    /** The problems logged so far. */
    readonly problems: () => string[];
    /** Moves the source's clock forward. */
    readonly advance: (ms: number) => void;
  }

  function source(pointer = '/solana/usd', other?: PriceSource): Source {
    let time = NOW;
    const peers = new Peers();
    const problems: string[] = [];
    const sink = {
      write: (line: string) =>
        void problems.push((JSON.parse(line) as { err: { message: string } }).err.message),
    };
    const price = inUsd(other ?? { url: server.url, pointer, token: 'sesame' }, {
      logger: pino({ level: 'warn' }, sink),
      now: () => time,
      connection,
      peers,
      timeoutMs: 200,
    });
    return {
      price,
      peers,
      problems: () => problems,
      advance: (ms) => {
        time += ms;
      },
    };
  }

  const untilPrice = (price: SolPrice, usd: number) =>
    eventually(() => price.current() === usd, `the price ${usd}`, 5_000);
  const untilProblem = ({ price, problems }: Source, count = 1) =>
    eventually(
      () => {
        price.current();
        return Promise.resolve(problems().length === count);
      },
      'a warning',
      5_000,
    );

  const valid: Record<string, [document: string, pointer: string, usd: number]> = {
    'an object in an object': ['{"solana":{"usd":142.07}}', '/solana/usd', 142.07],
    'the document itself': ['17.5', '', 17.5],
    'names with / and ~': ['{"a/b":{"~":3}}', '/a~1b/~0', 3],
  };
  for (const [what, [text, pointer, usd]] of Object.entries(valid))
    it(`is read from ${what}, in the background`, async () => {
      respond = document(text);
      const { price, problems } = source(pointer);
      expect(price.current()).to.equal(undefined);
      await untilPrice(price, usd);
      expect(problems()).to.deep.equal([]);
      expect(requests).to.equal(1);
    });

  const faulty: Record<string, [RequestListener, RegExp]> = {
    'is not JSON': [document('<html>'), /JSON/],
    'has no such field': [document('{"solana":{"eur":1}}'), /no number/],
    'only inherits the field': [document('{"solana":{}}'), /no number/],
    'has a string': [document('{"solana":{"usd":"142"}}'), /no number/],
    'has a negative price': [document('{"solana":{"usd":-1}}'), /is -1, which is not above 0/],
    'has zero': [document('{"solana":{"usd":0}}'), /above 0/],
    'has a price over the limit': [document('{"solana":{"usd":1000000001}}'), /up to 1000000000/],
    'has a number that overflows': [document('{"solana":{"usd":1e400}}'), /up to 1000000000/],
    'is an error': [
      (_request, response) => response.writeHead(500).end('{"solana":{"usd":142}}'),
      /HTTP 500/,
    ],
    redirects: [(_request, response) => response.writeHead(302, { location: server.url }).end(), /failed/],
    'is longer than 256 KiB': [document('{"solana":{"usd":142}}'.padEnd(262_145, ' ')), /262144 bytes/],
    'never arrives': [() => undefined, /did not answer/],
    'never ends': [(_request, response) => response.write('{'), /did not answer/],
  };
  for (const [what, [listener, problem]] of Object.entries(faulty))
    it(`is unknown if the document ${what}, and the log says so once`, async () => {
      respond = listener;
      const broken = source(what.includes('inherits') ? '/solana/constructor' : undefined);
      await untilProblem(broken);
      expect(broken.problems()[0]).to.match(problem);
      expect(broken.price.current()).to.equal(undefined);
      expect(requests).to.equal(1);
    });

  interface Published {
    readonly price?: bigint;
    readonly conf?: bigint;
    readonly expo?: number;
    /** Seconds before now. */
    readonly age?: number;
  }
  /** The answer of Hermes to `/v2/updates/price/latest?ids[]=…`. */
  const hermes = ({ price = 14_207_000_000n, conf = 6_000_000n, expo = -8, age = 7 }: Published = {}) => {
    const published = { price: String(price), conf: String(conf), expo, publish_time: NOW / 1_000 - age };
    return document(
      JSON.stringify({
        binary: { encoding: 'hex', data: ['504e41550100'] },
        parsed: [{ id: SOL_USD, price: published, ema_price: published, metadata: { slot: 1 } }],
      }),
    );
  };
  /** A `PriceUpdateV2` of Pyth's receiver program. */
  const posted = (
    { price = 14_207_000_000n, conf = 6_000_000n, expo = -8, age = 7 }: Published = {},
    { owner = RECEIVER, type = 'PriceUpdateV2', level = 1, feed = SOL_USD, length = 134 } = {},
  ) => {
    const data = Buffer.alloc(134);
    data.set(createHash('sha256').update(`account:${type}`).digest().subarray(0, 8));
    data[40] = level;
    data.set(Buffer.from(feed, 'hex'), 41);
    data.writeBigInt64LE(price, 73);
    data.writeBigUInt64LE(conf, 81);
    data.writeInt32LE(expo, 89);
    data.writeBigInt64LE(BigInt(NOW / 1_000 - age), 93);
    return accountJson(new PublicKey(owner), 1n, data.subarray(0, length));
  };
  const ofAccount = () => source(undefined, { account: Keypair.generate().publicKey });

  for (const [what, published, usd] of [
    ['as text with an exponent', {}, 142.07],
    ['to the last digit', { price: 123_456_789_123n, expo: -9 }, 123.456789123],
    ['with the widest confidence', { price: 10_000n, conf: 200n, expo: -2 }, 100],
  ] as const)
    it(`is read of Pyth ${what}, with its time: from Hermes and from its account`, async () => {
      let sent: string | undefined;
      respond = (request, response) => {
        sent = request.headers.authorization;
        hermes(published)(request, response);
      };
      account = posted(published);
      for (const { price, problems, peers, advance } of [source('/parsed/0/price'), ofAccount()]) {
        price.current();
        await untilPrice(price, usd);
        expect(price.read()).to.deep.equal({ usd, at: NOW - 7_000 });
        expect([problems(), peers.failing]).to.deep.equal([[], []]);
        advance(USABLE_MS - 7_000);
        expect(price.current(), 'ten minutes after its publication').to.equal(undefined);
      }
      expect(sent).to.equal('Bearer sesame');
    });

  const implausible: Record<string, [Published, RegExp]> = {
    'stands still': [{ age: USABLE_MS / 1_000 }, /is 600 seconds old, which is not from -60 to 600/],
    'is of the future': [{ age: -61 }, /is -61 seconds old/],
    'is disputed': [{ price: 10_000n, conf: 201n }, /over 2 %/],
    'is zero': [{ price: 0n, conf: 0n }, /not above 0/],
    'is negative': [{ price: -1n, conf: 0n }, /do not agree/],
    'is absurd': [{ expo: 0 }, /up to 1000000000/],
    'is no number': [{ expo: 2_000_000_000 }, /up to 1000000000/],
  };
  for (const [what, [published, problem]] of Object.entries(implausible))
    it(`is unknown if that of Pyth ${what}, and log and readiness say so`, async () => {
      [respond, account] = [hermes(published), posted(published)];
      for (const broken of [source('/parsed/0/price'), ofAccount()]) {
        await untilProblem(broken);
        expect(broken.problems()[0]).to.match(problem);
        expect([broken.price.read(), broken.peers.failing]).to.deep.equal([undefined, ['price']]);
      }
    });

  const { publicKey: stranger } = Keypair.generate();
  const faultyAccounts: Record<string, [() => typeof account, RegExp]> = {
    'does not exist': [() => null, /there is no account/],
    'belongs to another program': [
      () => posted({}, { owner: stranger.toBase58() }),
      /not to Pyth's receiver program/,
    ],
    'has another type': [() => posted({}, { type: 'TwapUpdate' }), /not a PriceUpdateV2/],
    'is too short': [() => posted({}, { length: 132 }), /not a PriceUpdateV2/],
    'is partly verified': [() => posted({}, { level: 0 }), /only partly verified/],
    'has the price of another thing': [() => posted({}, { feed: '00'.repeat(32) }), /not of SOL in USD/],
  };
  for (const [what, [made, problem]] of Object.entries(faultyAccounts))
    it(`is unknown if the account ${what}`, async () => {
      account = made();
      const broken = ofAccount();
      await untilProblem(broken);
      expect(broken.problems()[0]).to.match(problem);
      expect(broken.price.read()).to.equal(undefined);
    });

  it('is unknown if an object of Hermes lacks a field, or has a number for a text', async () => {
    for (const published of [
      { price: '1', conf: '0', expo: -8 },
      { price: 1, conf: '0', expo: -8, publish_time: NOW / 1_000 },
      { price: '1.5', conf: '0', expo: -8, publish_time: NOW / 1_000 },
    ]) {
      respond = document(JSON.stringify({ price: published }));
      const broken = source('/price');
      await untilProblem(broken);
      expect(broken.problems()[0]).to.match(/no number and no price of Hermes at \/price/);
    }
  });

  it('can be fixed, and is then always of now', () => {
    const { price, advance } = source(undefined, { usd: 142.5 });
    expect(price.read()).to.deep.equal({ usd: 142.5, at: NOW });
    advance(USABLE_MS);
    expect([price.current(), price.read()?.at]).to.deep.equal([142.5, NOW + USABLE_MS]);
  });

  it('is read again after one minute, used until it is ten minutes old, and then unknown', async () => {
    respond = document('{"solana":{"usd":100}}');
    const source_ = source();
    const { price, advance } = source_;
    price.current();
    await untilPrice(price, 100);
    advance(FRESH_MS - 1);
    expect(price.current()).to.equal(100);
    expect(requests).to.equal(1);

    respond = document('{"solana":{"usd":101}}');
    advance(1);
    // No caller waits for the new price.
    expect(price.current()).to.equal(100);
    await untilPrice(price, 101);
    expect(requests).to.equal(2);

    respond = (_request, response) => response.writeHead(503).end();
    advance(FRESH_MS);
    await untilProblem(source_);
    advance(USABLE_MS - FRESH_MS - 1);
    expect(price.current()).to.equal(101);
    await untilProblem(source_, 2);
    advance(1);
    expect(price.current()).to.equal(undefined);
    await untilProblem(source_, 2);

    respond = document('{"solana":{"usd":102}}');
    advance(FRESH_MS);
    await untilPrice(price, 102);
  });

  it("determines a token's price: in USD if it is known, 0 if it is unknown, in SOL without a source", async () => {
    const database = await openTestDatabase();
    atEnd(() => database.close());
    await storeToken(database.queries, {
      mint: 'mint',
      virtualSol: 30_000_000_000n,
      virtualToken: 10n ** 12n,
    });
    const credits = [{ wallet: 'wallet', amount: 1n }];
    await database.transaction((tx) =>
      credit(tx, 'settlement', { key: 'k', mint: 'mint', asset: 'SOL', credits }),
    );
    const repository = new RewardsRepository(database.queries);
    const priceOf = async (price: SolPrice) => {
      const { entries } = await new RewardsService(repository, price).page('wallet', { limit: 1 });
      return entries[0]!.tokenInfo.price;
    };
    respond = document('{"solana":{"usd":200}}');
    const { price } = source();
    expect(await priceOf(price)).to.equal(0);
    await untilPrice(price, 200);
    // 30 SOL per million tokens.
    expect(await priceOf(IN_SOL)).to.equal(0.000_03);
    expect(await priceOf(price)).to.be.closeTo(0.006, 1e-12);
  });
});
