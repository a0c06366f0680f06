// Feeds at each commitment, from custom sources, how a feed ends, and which options it refuses.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey, type Connection, type Finality } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError, recordKey, fetchTransaction } from '@curvekit/sdk';
import {
  fetchHistory,
  openFeed,
  type AnyRecord,
  type Feed,
  type QueueOptions,
  type TransactionQueue,
  type TransactionSource,
} from '@curvekit/sdk/feed';
import { makeBlocks } from '../../../tests/support/cluster/blocks.js';
import { useFeeds } from '../../../tests/support/feed/feeds.js';
import { FEED_LIBRARIES } from '../../../tests/support/feed/libraries.js';
import { keysOf, Reader } from '../../../tests/support/feed/reader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure } from '../../../tests/support/node/rpc-proxy.js';
import { launch } from '../../../tests/support/program/tokens.js';

// An example source, similar to one for a gRPC stream: it pushes live transactions and has no history.

/** Pushes each transaction that the cluster's websocket announces. */
function pushedSource(
  connection: Connection,
  Queue: typeof TransactionQueue,
  options: QueueOptions = {},
): TransactionSource {
  return {
    async *transactions({ programId, commitment, signal, onReady, onError }) {
      const queue = new Queue(options);
      const push = async (signature: string) => {
        const transaction = await fetchTransaction(connection, signature, commitment as Finality);
        if (transaction !== null) queue.push(transaction);
      };
      let last = Promise.resolve();
      const listener = connection.onLogs(
        programId,
        ({ signature }) => {
          last = last.then(() => push(signature)).catch(onError);
        },
        commitment,
      );
      signal.addEventListener('abort', () => queue.close(), { once: true });
      queue.push('caughtUp');
      onReady();
      try {
        yield* queue;
      } finally {
        await connection.removeOnLogsListener(listener);
      }
    },
  };
}

for (const [name, load] of FEED_LIBRARIES) {
  describe(`a feed over ${name}`, function () {
    this.timeout(60_000);
    const scene = useFeeds(load);
    const { cluster, read, buyOf, sellOf } = scene;

    describe('at a commitment', () => {
      const listNothing = () =>
        scene.proxy.rewrite(({ method }, result) => (method === 'getSignaturesForAddress' ? [] : result));

      it('processed: each record comes once, before it is confirmed; a transaction that is never confirmed is undone', async () => {
        const token = await launch(cluster());
        const source = scene.feeds.nodeSource({ ...scene.node, onlyProcessed: true }, { pollIntervalMs: 50 });
        const reader = await read({ mints: [token.mint], commitment: 'processed' }, source);
        await reader.until(() => reader.events.length > 0);
        listNothing();
        const sent = [await buyOf(token), await buyOf(token)];
        await reader.expectKeys(keysOf(sent));
        // A reorg drops the second transaction.
        scene.proxy.rewrite(({ method }, result) =>
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

      it('processed, from a node without it: the error suggests the commitment confirmed', async () => {
        scene.proxy.rewrite(({ method, params }, result) => {
          const { commitment } = (params[1] ?? {}) as { commitment?: string };
          if (method !== 'getTransaction' || commitment !== 'processed') return result;
          return new RpcFailure(-32602, 'Method does not support commitment below `confirmed`');
        });
        const reader = new Reader(scene.feeds.openFeed(scene.node, { commitment: 'processed' }));
        const error = await reader.done;
        expect(error).to.be.instanceOf(scene.feeds.CurvekitError);
        expect((error as Error).message).to.include('take the commitment `confirmed`');
      });

      it('finalized: records come when they are finalized', async () => {
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

    describe('from a custom source', () => {
      it('delivers its records, filtered by kind', async () => {
        const reader = await read(
          { kinds: ['trade'] },
          pushedSource(cluster().connection, scene.feeds.TransactionQueue),
        );
        const token = await launch(cluster());
        const sent = [await buyOf(token), await sellOf(token)];
        await reader.expectKeys(keysOf(sent));
        expect(reader.events[0]).to.deep.equal({ type: 'caughtUp' });
      });

      it('a source that cannot be paused: a slow reader gets the queued records, and then FeedOverflowError', async () => {
        const calls: string[] = [];
        const source = pushedSource(cluster().connection, scene.feeds.TransactionQueue, {
          most: 4,
          pause: () => calls.push('pause'),
          resume: () => calls.push('resume'),
        });
        const feed = scene.feeds.openFeed(source);
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
        const error = await rejection(rest(), scene.feeds.FeedOverflowError);
        expect(error.most).to.equal(4);
        expect(keys).to.deep.equal(keysOf(sent).slice(0, 4));
        expect(calls).to.deep.equal(['pause', 'resume']);
      });
    });

    it('ends when the loop is left, when close() is called, and when the signal aborts', async () => {
      const signatures: AbortSignal[] = [];
      const feed = scene.feeds.openFeed({
        async *transactions({ signal, onReady }) {
          signatures.push(signal);
          onReady();
          yield 'caughtUp';
          await new Promise(() => undefined);
        },
      });
      for await (const event of feed) {
        expect(event.type).to.equal('caughtUp');
        break;
      }
      expect(signatures[0]!.aborted).to.equal(true);
      const again = feed[Symbol.asyncIterator]().next();
      expect((await rejection(Promise.resolve(again), scene.feeds.CurvekitError)).message).to.include(
        'iterated once',
      );

      const closed = await read({});
      closed.feed.close();
      expect(await closed.done).to.equal(undefined);

      const controller = new AbortController();
      const reason = new Error('enough');
      const stopped = await read({ signal: controller.signal, batch: 10 });
      controller.abort(reason);
      expect(await stopped.done).to.equal(reason);
    });

    const nonsense: [string, object][] = [
      ['kinds', { kinds: [] }],
      ['kinds', { kinds: 'trade' }],
      ['kinds[1]', { kinds: ['trade', 'buy'] }],
      ['mints', { mints: [] }],
      ['mints[0]', { mints: ['no address'] }],
      ['mints[0]', { mints: [PublicKey.default] }],
      ['from', { from: 'yesterday' }],
      ['commitment', { commitment: 'recent' }],
      ['batch', { batch: 0 }],
      ['batch', { batch: 10_001 }],
      ['batch', { batch: 'block' }],
    ];
    for (const [argument, options] of nonsense) {
      it(`refuses ${JSON.stringify(options)}`, () => {
        for (const open of ['openFeed', 'fetchHistory'] as const) {
          expect(() => scene.feeds[open](scene.node, options))
            .to.throw(scene.feeds.InvalidArgumentError)
            .with.property('argument')
            .that.matches(new RegExp(`^${argument.replace(/[[\]]/g, '\\$&')}`));
        }
      });
    }

    it('refuses invalid options of a history and of a queue', () => {
      const refused = (work: () => unknown) =>
        expect(work).to.throw(scene.feeds.InvalidArgumentError).with.property('argument');
      refused(() => scene.feeds.fetchHistory(scene.node, { from: 'now' as 'genesis' })).that.equals('from');
      refused(() =>
        scene.feeds.fetchHistory(scene.node, { commitment: 'processed' as 'confirmed' }),
      ).that.equals('commitment');
      refused(() => new scene.feeds.TransactionQueue({ most: 0 })).that.equals('most');
    });

    it('narrows the type of its records to the given kinds', () => {
      const mintOf = async (
        feed: Feed<Extract<AnyRecord, { kind: 'create' }>>,
      ): Promise<PublicKey | undefined> => {
        for await (const event of feed) if (event.type === 'records') return event.records[0]!.data.creator;
        return undefined;
      };
      const feed = scene.feeds.openFeed(scene.node, { kinds: ['create'] });
      feed.close();
      return mintOf(feed);
    });
  });
}

describe('a feed over web3.js', () => {
  for (const source of [undefined, null, 'http://127.0.0.1:8899', {}]) {
    it(`refuses ${JSON.stringify(source)} as its source`, () => {
      for (const read of [openFeed, fetchHistory]) {
        expect(() => read(source as never))
          .to.throw(InvalidArgumentError)
          .with.property('argument')
          .that.equals('source');
      }
    });
  }
});
