// What a client of the market's stream gets that resumes (query-plans.test.ts shows what that costs), and how much waits for it. threat: stream-resume, lost-events
import { expect } from 'chai';
import express from 'express';
import { statement } from '#app/db/database.js';
import { missedIds } from '#app/market/stream/feed.js';
import { Reader } from '#app/market/stream/reader.js';
import { listen } from '#app/http/server.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { newAddress } from '#tests/new-address.js';

const EVENTS = 100_000;
const MOST = 1_001;

describe(`what a client of the stream missed (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const [busy, quiet] = [newAddress(), newAddress()];
  const database = useDatabase();

  before(async () => {
    // A busy token, and a quiet one with an event in a thousand. One in ten is for the board.
    await statement(database.queries)`insert into market_events (mint, wallet, type, data)
      select case when number % 1000 = 0 then ${quiet} else ${busy} end,
             case when number % 1000 = 500 then ${quiet} end,
             case when number % 10 = 0 then 'update' when number % 25001 = 0 then 'dropped' else 'trade' end, '{}'
      from generate_series(1, ${EVENTS}) as number`;
  });

  it('is what its topics have, oldest first', async () => {
    const ids = async (topics: readonly string[], after: bigint, most = MOST) =>
      (
        await statement<{ id: string }>(database.queries)`
          select id::text as id from (${missedIds(topics, { after, upTo: BigInt(EVENTS), most })}) as found`
      ).map(({ id }) => Number(id));
    const [first] = await statement<{ id: string }>(database.queries)`
      select min(id)::text as id from market_events`;
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
    atEnd(() => server.close(100));
    expect(await fetch(server.url).catch((error: unknown) => error)).to.be.instanceOf(TypeError);
    expect((await (await fetch(`${server.url}/less`)).text()).length).to.equal(1_000_000);
  });
});
