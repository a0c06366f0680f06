// What a feed makes of histories, commitments and sources of one's own.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { CurvekitError, decodeRecords, InvalidArgumentError, recordKey } from '@curvekit/sdk';
import {
  FeedOverflowError,
  fetchHistory,
  nodeSource,
  openFeed,
  TransactionQueue,
  type AnyRecord,
} from '@curvekit/sdk/feed';
import { makeBlocks } from '#tests/cluster/blocks.js';
import { pushedSource } from '#tests/feed/pushed-source.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure } from '#tests/node/rpc-proxy.js';
import { launch } from '#tests/program/tokens.js';
import { keysOf, Reader, useFeeds } from '#tests/feed/reader.js';

/** Its websocket tells of what is processed only, as for a fork that loses. */
class UnconfirmedConnection extends Connection {
  constructor(url: string, wsEndpoint: string) {
    super(url, { commitment: 'confirmed', wsEndpoint });
  }

  override onLogs(...[filter, callback, commitment]: Parameters<Connection['onLogs']>): number {
    return commitment === 'processed' ? super.onLogs(filter, callback, commitment) : -1;
  }

  override async removeOnLogsListener(id: number): Promise<void> {
    if (id !== -1) await super.removeOnLogsListener(id);
  }
}

describe('a feed and its sources', function () {
  this.timeout(60_000);
  const { cluster, proxy, connection, read, buyOf, sellOf } = useFeeds();

  describe('a history', () => {
    it('ends, oldest first, of all tokens or of one', async () => {
      const token = await launch(cluster());
      const sent = [token.created, await buyOf(token), await sellOf(token)];
      const keys: string[] = [];
      for await (const record of fetchHistory(connection(), { mints: [token.mint] }))
        keys.push(recordKey(record));
      expect(keys).to.deep.equal(keysOf(sent));
      const all: AnyRecord[] = [];
      for await (const record of fetchHistory(connection(), { kinds: ['trade'] })) all.push(record);
      expect(all.map(recordKey).slice(-2)).to.deep.equal(keysOf(sent).slice(-2));
      expect(new Set(all.map(({ kind }) => kind))).to.deep.equal(new Set(['trade']));
    });

    it('goes on after a record', async () => {
      const token = await launch(cluster());
      const sent = [token.created, await buyOf(token), await buyOf(token)];
      const [, second] = sent.flatMap(({ transaction }) => decodeRecords(transaction));
      const rest: string[] = [];
      for await (const record of fetchHistory(connection(), { mints: [token.mint], from: second! }))
        rest.push(recordKey(record));
      expect(rest).to.deep.equal(keysOf(sent).slice(2));
    });

    it('does not look whole when its signal ends it', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const history = fetchHistory(connection(), { signal: controller.signal })[Symbol.asyncIterator]();
      expect((await history.next()).done).to.equal(false);
      controller.abort(reason);
      expect(await rejection(Promise.resolve(history.next()), Error)).to.equal(reason);
    });
  });

  describe('at a commitment', () => {
    const listNothing = () =>
      proxy().rewrite(({ method }, result) => (method === 'getSignaturesForAddress' ? [] : result));

    it('processed: records come before the node lists them as confirmed, once; what is never confirmed is undone', async () => {
      const token = await launch(cluster());
      const node = nodeSource(new UnconfirmedConnection(proxy().url, cluster().wsUrl), {
        pollIntervalMs: 50,
      });
      const reader = await read({ mints: [token.mint], commitment: 'processed' }, node);
      await reader.until(() => reader.events.length > 0);
      listNothing();
      const sent = [await buyOf(token), await buyOf(token)];
      await reader.expectKeys(keysOf(sent));
      // A fork takes the second one away.
      proxy().rewrite(({ method }, result) =>
        method === 'getSignaturesForAddress'
          ? (result as { signature: string }[]).filter(({ signature }) => signature !== sent[1]!.signature)
          : result,
      );
      await makeBlocks(cluster(), 70);
      sent.push(await buyOf(token));
      await reader.until(() => reader.events.at(-1)?.type === 'undone');
      await reader.expectKeys(keysOf(sent));
      const { signature, slot } = sent[1]!;
      expect(reader.events.filter(({ type }) => type === 'undone')).to.deep.equal([
        { type: 'undone', signature, slot },
      ]);
    });

    it('processed, of a node that has none: it says what to do', async () => {
      proxy().rewrite(({ method, params }, result) => {
        const { commitment } = (params[1] ?? {}) as { commitment?: string };
        if (method !== 'getTransaction' || commitment !== 'processed') return result;
        return new RpcFailure(-32602, 'Method does not support commitment below `confirmed`');
      });
      const reader = new Reader(openFeed(connection(), { commitment: 'processed' }));
      const error = await reader.done;
      expect(error).to.be.instanceOf(CurvekitError);
      expect((error as Error).message).to.include('take the commitment `confirmed`');
    });

    it('finalized: records come when they are final', async () => {
      const token = await launch(cluster());
      await makeBlocks(cluster(), 40);
      const reader = await read({ mints: [token.mint], commitment: 'finalized', from: 'genesis' });
      await reader.expectKeys(keysOf([token.created]));
      const bought = await buyOf(token);
      await sleep(200);
      expect(reader.keys).to.deep.equal(keysOf([token.created]));
      await makeBlocks(cluster(), 40);
      await reader.expectKeys(keysOf([token.created, bought]));
    });
  });

  describe('from another source, made in one file', () => {
    it('its records come, filtered and in batches', async () => {
      const reader = await read({ kinds: ['trade'] }, pushedSource(cluster().connection));
      const token = await launch(cluster());
      const sent = [await buyOf(token), await sellOf(token)];
      await reader.expectKeys(keysOf(sent));
      expect(reader.events[0]).to.deep.equal({ type: 'caughtUp' });
    });

    it('that cannot be slowed: a slow reader gets what was held, and then an error', async () => {
      const calls: string[] = [];
      const source = pushedSource(cluster().connection, {
        most: 4,
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
      });
      const feed = openFeed(source);
      await feed.ready;
      const events = feed[Symbol.asyncIterator]();
      await events.next();
      const token = await launch(cluster());
      const sent = [token.created];
      for (let index = 0; index < 6; index++) sent.push(await buyOf(token));
      await sleep(200);
      const keys: string[] = [];
      const rest = async () => {
        for (let event = await events.next(); event.done !== true; event = await events.next())
          if (event.value.type === 'records') keys.push(...event.value.records.map(recordKey));
      };
      const error = await rejection(rest(), FeedOverflowError);
      expect(error.most).to.equal(4);
      expect(keys).to.deep.equal(keysOf(sent).slice(0, 4));
      expect(calls).to.deep.equal(['pause', 'resume']);
    });
  });

  const key = Keypair.generate().publicKey;
  const nonsense: [string, object][] = [
    ['kinds', { kinds: [] }],
    ['kinds', { kinds: 'trade' }],
    ['kinds[1]', { kinds: ['trade', 'buy'] }],
    ['mints', { mints: [] }],
    ['mints[0]', { mints: [key.toBase58()] }],
    ['from', { from: 'yesterday' }],
    ['commitment', { commitment: 'recent' }],
    ['batch', { batch: 0 }],
    ['batch', { batch: 10_001 }],
    ['batch', { batch: 'block' }],
  ];
  for (const [argument, options] of nonsense) {
    it(`refuses ${JSON.stringify(options)}`, () => {
      for (const openOne of [openFeed, fetchHistory] as ((
        source: Connection,
        options: object,
      ) => unknown)[]) {
        expect(() => openOne(connection(), options))
          .to.throw(InvalidArgumentError)
          .with.property('argument')
          .that.matches(new RegExp(`^${argument.replace(/[[\]]/g, '\\$&')}`));
      }
    });
  }

  it('refuses what a history or a queue cannot be', () => {
    const refused = (work: () => unknown) =>
      expect(work).to.throw(InvalidArgumentError).with.property('argument');
    refused(() => fetchHistory(connection(), { from: 'now' as 'genesis' })).that.equals('from');
    refused(() => fetchHistory(connection(), { commitment: 'processed' as 'confirmed' })).that.equals(
      'commitment',
    );
    refused(() => new TransactionQueue({ most: 0 })).that.equals('most');
  });
});
