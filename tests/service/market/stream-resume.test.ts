// A client of the market's stream that resumes costs the same, however many events others have caused. threat: stream-resume, lost-events
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import express from 'express';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';
import { LARGEST_ID, missedIds } from '#app/market/stream/feed.js';
import { Reader } from '#app/market/stream/reader.js';
import { listen } from '#app/http/server.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';

const EVENTS = 100_000;
const MOST = 1_001;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

describe(`what a client of the stream missed (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const [busy, quiet] = [address(), address()];
  let database: Database;

  before(async () => {
    database = await openTestDatabase();
    // A busy token, and a quiet one with an event in a thousand. One in ten is for the board.
    await database.queries.execute(sql`
      insert into market_events (mint, wallet, type, data)
      select case when number % 1000 = 0 then ${quiet} else ${busy} end,
             case when number % 1000 = 500 then ${quiet} end,
             case when number % 10 = 0 then 'update' when number % 25001 = 0 then 'dropped' else 'trade' end, '{}'
      from generate_series(1, ${EVENTS}) as number`);
    await database.queries.execute(sql`analyze market_events`);
  });
  after(() => database?.close());

  const reads = {
    'a quiet token': [`token:${quiet}`],
    'a quiet wallet': [`wallet:${quiet}`],
    'a busy token': [`token:${busy}`],
    'the board': ['board'],
    'a token without events': [`token:${address()}`],
    'ten topics': [
      'board',
      `token:${busy}`,
      `wallet:${quiet}`,
      ...Array.from({ length: 7 }, () => `token:${address()}`),
    ],
  };
  for (const [what, topics] of Object.entries(reads))
    it(`is read from indexes only, at most ${MOST} rows for each topic: ${what}`, async () => {
      const missed = missedIds(topics, { after: 1n, upTo: LARGEST_ID, most: MOST });
      const [row] = await rowsOf<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
        database.queries,
        sql`explain (analyze, format json) ${missed}`,
      );
      const scans = scansOf(row!['QUERY PLAN'][0]!.Plan);
      expect(scans.length).to.be.above(0);
      for (const scan of scans) {
        expect(scan['Index Name'], JSON.stringify(scan)).to.match(/^market_events_(mint|wallet|board|all)$/);
        expect(scan['Rows Removed by Filter'] ?? 0).to.equal(0);
        expect(scan['Actual Rows']).to.be.at.most(MOST);
      }
    });

  it('is what its topics have, oldest first', async () => {
    const ids = async (topics: readonly string[], after: bigint, most = MOST) =>
      (
        await rowsOf<{ id: string }>(
          database.queries,
          sql`select id::text as id from (${missedIds(topics, { after, upTo: BigInt(EVENTS), most })}) as found`,
        )
      ).map(({ id }) => Number(id));
    const [first] = await rowsOf<{ id: string }>(
      database.queries,
      sql`select min(id)::text as id from market_events`,
    );
    expect(first!.id).to.equal('1');
    // Its own events, those of everybody, and each once.
    expect(await ids([`token:${quiet}`, `wallet:${quiet}`], 24_000n, 4)).to.deep.equal([
      24_500, 25_000, 25_001, 25_500,
    ]);
    expect(await ids(['board', `token:${quiet}`], 99_980n)).to.deep.equal([99_990, 100_000]);
  });
});

describe('a client of the stream that waits for what it missed', () => {
  it('is disconnected when 1 MiB of newer events waits for it', async () => {
    const app = express();
    app.get('/', (_request, response) => {
      const reader = new Reader(response);
      for (let count = 0; count < 12; count += 1) reader.send(Buffer.alloc(100_000, 'x'));
      reader.begin('');
    });
    app.get('/less', (_request, response) => {
      const reader = new Reader(response);
      for (let count = 0; count < 10; count += 1) reader.send(Buffer.alloc(100_000, 'x'));
      reader.begin('');
      reader.end();
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    try {
      expect(await fetch(server.url).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
      expect((await (await fetch(`${server.url}/less`)).text()).length).to.equal(1_000_000);
    } finally {
      await server.close(100);
    }
  });
});

function address(): string {
  return Keypair.generate().publicKey.toBase58();
}

function scansOf(plan: Plan): Plan[] {
  const own = plan['Relation Name'] === 'market_events' ? [plan] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scansOf)];
}
