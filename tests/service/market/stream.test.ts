// The market's stream: what each reader gets, also after a cut, and readers that do not read or that take every place.
// threat: stream-places, unread-stream, lost-events
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { openDatabase, statement } from '#app/db/database.js';
import { appendEvents, appendReset, trimEvents } from '#app/market/stream/outbox.js';
import { DATABASE_KIND, postgresWithTables } from '#tests/database/database.js';
import { Proxy } from '#tests/network/proxy.js';
import { startStreamServer } from '#tests/service/stream-server.js';
import { eventually } from '#tests/service/service.js';
import { Follower } from '#tests/service/stream-follower.js';
import { tradeOf, updateOf, useStream } from '#tests/service/stream.js';
import { newAddress } from '#tests/new-address.js';

describe(`the market's stream (${DATABASE_KIND})`, () => {
  const { database, server, followers, follow, append, restart } = useStream();

  it('sends each client the events of its topics, in order, and no others', async () => {
    const [mint, other, wallet] = [newAddress(), newAddress(), newAddress()];
    const ofToken = await follow([`token:${mint}`]);
    const ofBoard = await follow(['board']);
    const ofWallet = await follow([`wallet:${wallet}`, `token:${other}`]);
    await append(
      { type: 'token', mint, wallet, data: { mint } },
      tradeOf(mint, 1, wallet),
      tradeOf(other, 2, wallet),
      updateOf(mint, 1),
      { type: 'graduated', mint, data: { mint } },
      { type: 'dropped', mint: newAddress(), data: {} },
    );
    await ofToken.untilTypes('token', 'trade', 'update', 'graduated', 'dropped');
    await ofBoard.untilTypes('token', 'update', 'graduated', 'dropped');
    expect(ofToken.progress, 'how far the index is, as the stream opens').to.deep.equal([
      { slot: 4_411, ageMs: 1_000 },
    ]);
    // An event that matches two topics of one client is sent once.
    await ofWallet.untilTypes('token', 'trade', 'trade', 'dropped');
    const ids = ofToken.events.map(({ id }) => BigInt(id));
    expect(ids).to.deep.equal([...ids].sort((a, b) => Number(a - b)));
    expect(ofToken.events[1]!.data).to.deep.equal({ mint, id: '1', trader: wallet });
  });

  it('goes past trades that a reorg has removed before they were read, also more than a page of them', async () => {
    const mint = newAddress();
    const follower = await follow([`token:${mint}`]);
    const gone = Array.from({ length: 2_500 }, (_, id) => ({ ...tradeOf(mint, id), data: id + 1 }));
    await append(...gone, tradeOf(mint, 9_999));
    await follower.untilTypes('trade');
    expect(follower.trades).to.deep.equal([9_999]);
  });

  it('neither loses nor repeats an event when a proxy cuts connections and the service restarts', async () => {
    const mint = newAddress();
    const proxy = await Proxy.to(server().url);
    const follower = await follow([`token:${mint}`], proxy.url);
    let sent = 0;
    const sending = (async () => {
      for (; sent < 300;) {
        const count = 1 + Math.floor(Math.random() * 3);
        await append(...Array.from({ length: count }, (_, index) => tradeOf(mint, sent + index + 1)));
        sent += count;
        await sleep(10);
      }
    })();
    for (let cut = 0; cut < 4; cut += 1) {
      await sleep(300);
      await proxy.cut();
      await sleep(100);
      await proxy.restore();
    }
    await restart();
    await sending;
    await eventually(() => follower.trades.length >= sent, 'all trades');
    expect(follower.trades).to.deep.equal(Array.from({ length: sent }, (_, index) => index + 1));
    // A slow client reconnects only after the next cut, so it sees several cuts as one.
    expect(follower.states.filter((state) => state === 'waiting').length).to.be.at.least(2);
    expect(follower.types).to.not.include('reset');
    await proxy.cut();
  });

  it('sends a reset to a client that missed too many events or events that are no longer kept', async () => {
    const mint = newAddress();
    const first = await follow([`token:${mint}`]);
    await append(tradeOf(mint, 1));
    await first.untilTypes('trade');
    const seen = first.lastEventId!;
    first.close();
    const resumed = () => {
      const follower = new Follower(server().url, [`token:${mint}`], seen);
      followers.push(follower);
      return follower;
    };
    await append(...Array.from({ length: 1_000 }, (_, index) => tradeOf(mint, index + 2)));
    const whole = resumed();
    await eventually(() => whole.trades.length === 1_000, 'what was missed');
    await append(tradeOf(mint, 1_002));
    await eventually(() => whole.trades.length === 1_001, 'the server to have read it');
    const tooFar = resumed();
    await tooFar.untilTypes('reset');
    await trimEvents(database(), 10);
    expect(await statement(database().queries)`select from market_events`).to.have.length(10);
    await resumed().untilTypes('reset');
    // An id from another database, or from before a restore.
    const ahead = new Follower(server().url, ['board'], '9223372036854775807');
    followers.push(ahead);
    await ahead.untilTypes('reset');
    // The stream continues after the reset.
    await append(tradeOf(mint, 1_003));
    await tooFar.untilTypes('reset', 'trade');
    await database().queries.execute(sql`update market_events set at = now() - interval '2 hours'`);
    await trimEvents(database());
    expect(await statement(database().queries)`select from market_events`).to.have.length(1);
  });

  it('disconnects a client that does not read, and no other', async () => {
    const mint = newAddress();
    const follower = await follow([`token:${mint}`]);
    const lazy = connect(Number(new URL(server().url).port), '127.0.0.1');
    lazy.pause();
    lazy.write(`GET /v1/market/stream?topic=token:${mint} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const closed = once(lazy, 'close');
    await sleep(200);
    const padding = 'x'.repeat(100_000);
    let sent = 0;
    const isClosed = closed.then(() => true);
    for (; sent < 200; sent += 1) {
      await append({ type: 'trade', mint, data: { mint, id: String(sent + 1), padding } });
      await eventually(() => follower.trades.length === sent + 1, 'the trade');
    }
    // The client's system buffers some megabytes; then nothing more arrives.
    lazy.resume();
    expect(await Promise.race([isClosed, sleep(5_000)])).to.equal(true);
    expect(lazy.bytesRead).to.be.lessThan(sent * padding.length * 0.75);
    expect(follower.trades).to.have.length(sent);
  });

  it('sends the board at most one update per token every 250 ms', async () => {
    const [one, two] = [newAddress(), newAddress()];
    const follower = await follow(['board']);
    for (let count = 1; count <= 20; count += 1) await append(updateOf(one, count), updateOf(two, count));
    const last = () =>
      follower.events.filter(({ type }) => type === 'update').at(-1)?.data as { trades: number };
    await eventually(() => last()?.trades === 20, 'the last update');
    expect(follower.events.length).to.be.lessThan(20);
    expect(follower.types).to.not.include('reset');
  });

  it('writes one reset for several backfills in a row', async () => {
    const mint = newAddress();
    await append(tradeOf(mint, 1));
    for (let count = 0; count < 3; count += 1) await database().transaction((tx) => appendReset(tx));
    const newest = await statement<{ type: string }>(database().queries)`
      select type from market_events order by id desc limit 2`;
    expect(newest.map(({ type }) => type)).to.deep.equal(['reset', 'trade']);
  });

  it('refuses unknown topics, too many topics, and malformed event ids', async () => {
    const url = `${server().url}/v1/market/stream`;
    const problem = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}?${query}`, { headers });
      return `${answer.status} ${await answer.text()}`;
    };
    expect(await problem('')).to.match(
      /^400 .*"topic".*must be board, token:MINT or wallet:ADDRESS, once to 10 times/,
    );
    expect(await problem('topic=everything')).to.match(/not 'everything'/);
    expect(await problem('topic=token:none')).to.match(/^400 /);
    expect(await problem(Array.from({ length: 11 }, () => 'topic=board').join('&'))).to.match(/^400 /);
    expect(await problem('topic=board', { 'Last-Event-ID': 'x' })).to.match(/^400 .*Last-Event-ID/);
    expect(await problem('topic=board&lastEventId=99999999999999999999')).to.match(/^400 /);
    expect((await fetch(`${url}?topic=board`, { method: 'HEAD' })).status).to.equal(200);
    const refused = new Follower(server().url, ['token:none']);
    await eventually(() => refused.errors.length > 0, 'the refusal');
    expect(refused.errors[0]).to.include({ status: 400, code: 'VALIDATION_ERROR' });
    expect(refused.states).to.deep.equal(['closed']);
  });

  it('allows six streams per address, and tells proxies not to buffer', async () => {
    const limited = await startStreamServer(database(), { STREAMS_PER_ADDRESS: '6' });
    const url = `${limited.url}/v1/market/stream?topic=board`;
    const open = () => {
      const closing = new AbortController();
      return fetch(url, { signal: closing.signal }).then((answer) => ({
        answer,
        close: () => closing.abort(),
      }));
    };
    const streams = [];
    for (let count = 0; count < 6; count += 1) streams.push(await open());
    const { headers } = streams[0]!.answer;
    expect(headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).to.equal('no-store, no-transform');
    expect(headers.get('x-accel-buffering')).to.equal('no');
    const over = await open();
    expect([over.answer.status, over.answer.headers.get('retry-after')]).to.deep.equal([429, '5']);
    streams[0]!.close();
    await eventually(async () => {
      const again = await open();
      streams.push(again);
      return again.answer.status === 200;
    }, 'a free place');
    for (const { close } of streams) close();
    await limited.stop();
  });

  if (DATABASE_KIND === 'postgres')
    it('resumes at another instance, and reaches all instances at once', async () => {
      const url = await postgresWithTables();
      const databases = [1, 2].map(() => openDatabase({ kind: 'postgres', url, poolSize: 5 }));
      const [one, two] = await Promise.all(databases);
      const servers = await Promise.all([one!, two!].map((each) => startStreamServer(each)));
      const mint = newAddress();
      const ofBoth = await Promise.all(servers.map((each) => follow([`token:${mint}`], each.url)));
      // Two concurrent writers: no client may see an id before every smaller id is committed.
      let number = 0;
      const writing = [one!, two!].map(async (each) => {
        for (let count = 0; count < 100; count += 1)
          await each.transaction(async (tx) => appendEvents(tx, [tradeOf(mint, (number += 1))]));
      });
      await Promise.all(writing);
      for (const follower of ofBoth) await eventually(() => follower.trades.length === 200, 'all trades');
      expect(ofBoth[0]!.trades).to.deep.equal(ofBoth[1]!.trades);
      expect([...ofBoth[0]!.trades].sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 200 }, (_, i) => i + 1),
      );
      const elsewhere = new Follower(servers[1]!.url, [`token:${mint}`], ofBoth[0]!.events[49]!.id);
      followers.push(elsewhere);
      await eventually(() => elsewhere.trades.length === 150, 'the rest');
      expect(elsewhere.trades).to.deep.equal(ofBoth[0]!.trades.slice(50));
      await Promise.all(servers.map((each) => each.stop()));
      await Promise.all([one!.close(), two!.close()]);
    });
});
