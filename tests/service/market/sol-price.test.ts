import type { RequestListener } from 'node:http'; // threat: false-sol-price
import { expect } from 'chai';
import { pino } from 'pino';
import { credit } from '#app/ledger/credit.js';
import { RewardsRepository } from '#app/claims/rewards/rewards-repository.js';
import { RewardsService } from '#app/claims/rewards/rewards-service.js';
import { FRESH_MS, IN_SOL, inUsd, USABLE_MS, type SolPrice } from '#app/claims/rewards/sol-price.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';
import { eventually } from '#tests/service/service.js';

describe(`SOL's price in USD (${DATABASE_KIND})`, () => {
  let server: ServedNode;
  let respond: RequestListener;
  let requests = 0;

  before(async () => {
    server = await serveHttp((request, response) => {
      requests += 1;
      respond(request, response);
    });
  });
  after(() => server.stop());
  beforeEach(() => {
    requests = 0;
  });

  const document =
    (text: string): RequestListener =>
    (_request, response) =>
      response.end(text);

  interface Source {
    readonly price: SolPrice;
    /** The problems logged so far. */
    readonly problems: () => string[];
    /** Moves the source's clock forward. */
    readonly advance: (ms: number) => void;
  }

  function source(pointer = '/solana/usd'): Source {
    let time = 1_000_000;
    const problems: string[] = [];
    const sink = {
      write: (line: string) =>
        void problems.push((JSON.parse(line) as { err: { message: string } }).err.message),
    };
    const price = inUsd(
      { url: server.url, pointer },
      { logger: pino({ level: 'warn' }, sink), now: () => time, timeoutMs: 200 },
    );
    return {
      price,
      problems: () => problems,
      advance: (ms) => {
        time += ms;
      },
    };
  }

  const untilPrice = (price: SolPrice, usd: number) =>
    eventually(() => Promise.resolve(price.current() === usd), `the price ${usd}`, 5_000);
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
  for (const [what, [text, pointer, usd]] of Object.entries(valid)) {
    it(`is read from ${what}, in the background`, async () => {
      respond = document(text);
      const { price, problems } = source(pointer);
      expect(price.current()).to.equal(undefined);
      await untilPrice(price, usd);
      expect(problems()).to.deep.equal([]);
      expect(requests).to.equal(1);
    });
  }

  const faulty: Record<string, [RequestListener, RegExp]> = {
    'is not JSON': [document('<html>'), /JSON/],
    'has no such field': [document('{"solana":{"eur":1}}'), /no number/],
    'only inherits the field': [document('{"solana":{}}'), /no number/],
    'has a string': [document('{"solana":{"usd":"142"}}'), /no number/],
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
  for (const [what, [listener, problem]] of Object.entries(faulty)) {
    it(`is unknown if the document ${what}, and the log says so once`, async () => {
      respond = listener;
      const broken = source(what.includes('inherits') ? '/solana/constructor' : undefined);
      await untilProblem(broken);
      expect(broken.problems()[0]).to.match(problem);
      expect(broken.price.current()).to.equal(undefined);
      expect(requests).to.equal(1);
    });
  }

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
    try {
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
    } finally {
      await database.close();
    }
  });
});
