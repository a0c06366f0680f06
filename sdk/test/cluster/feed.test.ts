// The feed for bots, on the cluster and through a proxy that changes the node's answers.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { decodeRecords, recordKey } from '@curvekit/sdk';
import type { AnyRecord, FeedEvent } from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';
import { useFeeds } from '../../../tests/support/feed/feeds.js';
import { FEED_LIBRARIES } from '../../../tests/support/feed/libraries.js';
import { keysOf, type Reader } from '../../../tests/support/feed/reader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { launch, type Token } from '../../../tests/support/program/tokens.js';

for (const [name, load] of FEED_LIBRARIES) {
  describe(`a feed of records over ${name}`, function () {
    this.timeout(60_000);
    const scene = useFeeds(load);
    const { cluster, read, buyOf, sellOf, launchWithBuy } = scene;

    it('given kinds and mints, then only those records come, and for one mint only its transactions are read', async () => {
      const [token, other] = [await launch(cluster()), await launch(cluster())];
      const trades = await read({ kinds: ['trade'], mints: [token.mint, other.mint] });
      const creations = await read({ kinds: ['create'] });
      const fetches = () => scene.proxy.calls.get('getTransaction') ?? 0;
      const third = await launch(cluster());
      const sent = [await buyOf(token), await buyOf(other), await buyOf(third), await sellOf(token)];
      await trades.expectKeys(keysOf([sent[0]!, sent[1]!, sent[3]!]));
      await creations.expectKeys(keysOf([third.created]));
      trades.feed.close();
      creations.feed.close();

      const before = fetches();
      const one = await read({ mints: [token.mint], from: 'genesis' });
      const mine = [token.created, sent[0]!, sent[3]!];
      await one.expectKeys(keysOf(mine));
      expect(fetches() - before).to.equal(mine.length);
      const live = [await buyOf(other), await buyOf(token)];
      await one.expectKeys(keysOf([...mine, live[1]!]));
      expect(fetches() - before).to.equal(mine.length + 1);
    });

    it('given past records, when all are delivered, then one caughtUp event comes, and live records follow', async () => {
      const token = await launch(cluster());
      const past = [token.created, await buyOf(token)];
      const reader = await read({ mints: [token.mint], from: 'genesis' });
      await reader.until(() => reader.events.at(-1)?.type === 'caughtUp');
      const live = await buyOf(token);
      await reader.expectKeys(keysOf([...past, live]));
      expect(reader.events.map(({ type }) => type)).to.deep.equal([
        'records',
        'records',
        'caughtUp',
        'records',
      ]);
    });

    it('given a record, when resumed after it, then the rest of its transaction comes first', async () => {
      const created = await launchWithBuy();
      const [creation, firstBuy] = decodeRecords(created.transaction);
      const reader = await read({ mints: [creation!.data.mint], from: creation! });
      await reader.expectKeys([recordKey(firstBuy!)]);
    });

    describe('a history', () => {
      it('returns the records of all tokens or of one, oldest first, and ends', async () => {
        const token = await launch(cluster());
        const sent = [token.created, await buyOf(token), await sellOf(token)];
        const keys: string[] = [];
        for await (const record of scene.feeds.fetchHistory(scene.node, { mints: [token.mint] }))
          keys.push(recordKey(record));
        expect(keys).to.deep.equal(keysOf(sent));
        const all: AnyRecord[] = [];
        for await (const record of scene.feeds.fetchHistory(scene.node, { kinds: ['trade'] }))
          all.push(record);
        expect(all.map(recordKey).slice(-2)).to.deep.equal(keysOf(sent).slice(-2));
        expect(new Set(all.map(({ kind }) => kind))).to.deep.equal(new Set(['trade']));
      });

      it('resumes after a given record', async () => {
        const token = await launch(cluster());
        const sent = [token.created, await buyOf(token), await buyOf(token)];
        const [, second] = sent.flatMap(({ transaction }) => decodeRecords(transaction));
        const rest: string[] = [];
        for await (const record of scene.feeds.fetchHistory(scene.node, {
          mints: [token.mint],
          from: second!,
        }))
          rest.push(recordKey(record));
        expect(rest).to.deep.equal(keysOf(sent).slice(2));
      });

      it('throws the reason of its signal instead of ending as if complete', async () => {
        const controller = new AbortController();
        const reason = new Error('enough');
        const { signal } = controller;
        const history = scene.feeds.fetchHistory(scene.node, { signal })[Symbol.asyncIterator]();
        expect((await history.next()).done).to.equal(false);
        controller.abort(reason);
        expect(await rejection(Promise.resolve(history.next()), Error)).to.equal(reason);
      });
    });

    describe('in batches', () => {
      let token: Token;
      let sent: SentTransaction[];

      before(async () => {
        token = await launch(cluster());
        sent = [token.created];
        for (let index = 0; index < 5; index++) sent.push(await buyOf(token));
      });

      const sizes = (reader: Reader) =>
        reader.events.flatMap((event) => (event.type === 'records' ? event.records.length : []));

      it('batches of one transaction: the records of a transaction come together', async () => {
        const reader = await read({});
        const created = await launchWithBuy();
        await reader.expectKeys(keysOf([created]));
        expect(sizes(reader)).to.deep.equal([2]);
      });

      it('batches of up to a given size: no batch is larger, and available records come at once', async () => {
        const reader = await read({ mints: [token.mint], from: 'genesis', batch: 4 });
        await reader.expectKeys(keysOf(sent));
        expect(Math.max(...sizes(reader))).to.be.within(2, 4);
        sent.push(await buyOf(token));
        await reader.expectKeys(keysOf(sent));
        expect(sizes(reader).at(-1)).to.equal(1);
      });

      it('batches of a slot: the records of a slot come together', async () => {
        // The cluster puts each transaction in its own slot. The proxy reports two in one slot.
        const [first, second] = sent.slice(1, 3).map(({ slot }) => slot);
        scene.proxy.rewrite(({ method }, result) => {
          const answer = result as { slot: number } | null;
          return method === 'getTransaction' && answer?.slot === second ? { ...answer, slot: first } : result;
        });
        const reader = await read({ mints: [token.mint], from: 'genesis', batch: 'slot' });
        await reader.expectKeys(keysOf(sent));
        expect(sizes(reader).slice(0, 3)).to.deep.equal([1, 2, 1]);
      });
    });

    it('given a slow reader, then the feed reads ahead a limited number of transactions, and loses none', async () => {
      const token = await launch(cluster());
      const feed = scene.feeds.openFeed(scene.node, { mints: [token.mint], from: 'genesis' });
      const sent = [token.created];
      for (let index = 0; index < 30; index++) sent.push(await buyOf(token));
      const before = scene.proxy.calls.get('getTransaction') ?? 0;
      const events = feed[Symbol.asyncIterator]();
      const keys: string[] = [];
      while (keys.length < sent.length) {
        const { value } = (await events.next()) as IteratorYieldResult<FeedEvent>;
        if (value.type === 'records') keys.push(...value.records.map(recordKey));
        if (keys.length !== 5) continue;
        await sleep(200);
        // The feed fetches eight transactions at once.
        expect((scene.proxy.calls.get('getTransaction') ?? 0) - before).to.be.within(5, 5 + 8);
      }
      expect(keys).to.deep.equal(keysOf(sent));
      await events.return?.();
    });
  });
}
