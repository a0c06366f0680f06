// What the market's stream leaves out or holds back, and how many streams one service has.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { rowsOf } from '#app/db/database.js';
import { appendEvents, appendReset } from '#app/market/stream/outbox.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { startStreamServer } from '#tests/service/stream-server.js';
import { eventually } from '#tests/service/service.js';
import { tradeOf, updateOf, useStream } from '#tests/service/stream.js';
import { newAddress } from '#tests/new-address.js';

describe(`the market's stream (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { database, follow, append } = useStream();

  it('sends no event of a transaction that was rolled back', async () => {
    const mint = newAddress();
    const follower = await follow([`token:${mint}`]);
    const failed = database().transaction(async (tx) => {
      await appendEvents(tx, [tradeOf(mint, 1)]);
      throw new Error('rolled back');
    });
    await failed.catch(() => undefined);
    await append(tradeOf(mint, 2));
    await eventually(() => Promise.resolve(follower.trades.length > 0), 'the trade');
    expect(follower.trades).to.deep.equal([2]);
  });

  it('sends the board at most one update per token every 250 ms', async () => {
    const [one, two] = [newAddress(), newAddress()];
    const follower = await follow(['board']);
    for (let count = 1; count <= 20; count += 1) await append(updateOf(one, count), updateOf(two, count));
    const last = () =>
      follower.events.filter(({ type }) => type === 'update').at(-1)?.data as { trades: number };
    await eventually(() => Promise.resolve(last()?.trades === 20), 'the last update');
    expect(follower.events.length).to.be.lessThan(20);
    expect(follower.types).to.not.include('reset');
  });

  it('writes one reset for several backfills in a row', async () => {
    const mint = newAddress();
    await append(tradeOf(mint, 1));
    for (let count = 0; count < 3; count += 1) await database().transaction((tx) => appendReset(tx));
    const newest = await rowsOf<{ type: string }>(
      database().queries,
      sql`select type from market_events order by id desc limit 2`,
    );
    expect(newest.map(({ type }) => type)).to.deep.equal(['reset', 'trade']);
  });

  it('allows as many streams in all as STREAMS says', async () => {
    const limited = await startStreamServer(database(), { STREAMS: '2' });
    const closing = new AbortController();
    const open = () => fetch(`${limited.url}/v1/market/stream?topic=board`, { signal: closing.signal });
    const answers = [await open(), await open(), await open()];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 503]);
    expect(await answers[2]!.text()).to.include('The service has 2 requests of this kind open');
    closing.abort();
    await limited.stop();
  });
});
