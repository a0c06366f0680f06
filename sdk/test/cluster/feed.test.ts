// The feed for bots, on the cluster and through a proxy that changes the node's answers, over each Solana library.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey, type Connection, type Finality } from '@solana/web3.js';
import { expect } from 'chai';
import { createToken, decodeRecords, fetchTransaction, recordKey, sell } from '@curvekit/sdk';
import {
  type AnyRecord,
  type FeedEvent,
  type FeedOptions,
  type HistoryOptions,
  type QueueOptions,
  type RecordKind,
  type TransactionQueue,
  type TransactionSource,
} from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';
import { makeBlocks } from '../../../tests/support/cluster/blocks.js';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { MINT_RENT, SOL } from '../../../tests/support/constants.js';
import { FEED_LIBRARIES, type FeedLibrary, type NodeUrls } from '../../../tests/support/feed/libraries.js';
import { keysOf, Reader } from '../../../tests/support/feed/reader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens, launch, TERMS, type Token } from '../../../tests/support/program/tokens.js';

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

/** One cluster, an RPC proxy whose answers a test can change, and feeds that are closed after each test. */
function useFeeds(load: () => Promise<FeedLibrary>) {
  const cluster = useCluster();
  let proxy: RpcProxy;
  let feeds: FeedLibrary;
  let node: NodeUrls;
  let wallet: Keypair;
  const open: Reader[] = [];

  before(async () => {
    wallet = await cluster().fundedWallet(1_000n * SOL);
    proxy = await startRpcProxy(cluster().rpcUrl);
    node = { rpcUrl: proxy.url, wsUrl: cluster().wsUrl };
    feeds = await load();
  });

  afterEach(async () => {
    proxy.rewrite(undefined);
    for (const { feed, done } of open.splice(0)) {
      feed.close();
      await done;
    }
  });

  after(async () => {
    // web3.js closes an idle websocket after half a second. If the server were gone before, it would reconnect for
    // ever.
    await sleep(1_000);
    await proxy.stop();
  });

  return {
    cluster,
    get proxy() {
      return proxy;
    },
    get feeds() {
      return feeds;
    },
    get node() {
      return node;
    },

    /** Opens a feed, on the node unless another source is given, and reads it to its end. */
    read: async <K extends RecordKind>(
      options: FeedOptions<K>,
      source: Parameters<FeedLibrary['openFeed']>[0] = node,
    ) => {
      const reader = new Reader(feeds.openFeed(source, options));
      open.push(reader);
      await reader.feed.ready;
      return reader;
    },

    buyOf: (token: Token) => buyTokens(cluster(), token, wallet, SOL / 100n),

    sellOf: ({ mint }: Token): Promise<SentTransaction> => {
      const params = { mint, payer: wallet.publicKey, tokenToSpend: 10n ** 9n, minSolToReceive: 0n };
      return cluster().send(sell(params), [wallet]);
    },

    /** A creation with its first buy: two records in one transaction. */
    launchWithBuy: (): Promise<SentTransaction> => {
      const mint = Keypair.generate();
      const firstBuy = { solToSpend: SOL / 100n, minTokenToReceive: 0n };
      const instructions = createToken({
        ...TERMS,
        mintRentLamports: MINT_RENT,
        mint: mint.publicKey,
        payer: wallet.publicKey,
        firstBuy,
      });
      return cluster().send(instructions, [wallet, mint]);
    },
  };
}

for (const [name, load] of FEED_LIBRARIES) {
  describe(`a feed of records over ${name}`, () => {
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

    it('a history has the records of all tokens or of one, oldest first, from any record, and ends', async () => {
      const token = await launch(cluster());
      const sent = [token.created, await buyOf(token), await sellOf(token)];
      const read = async (options: HistoryOptions): Promise<AnyRecord[]> => {
        const records: AnyRecord[] = [];
        for await (const record of scene.feeds.fetchHistory(scene.node, options)) records.push(record);
        return records;
      };
      const mine = await read({ mints: [token.mint] });
      expect(mine.map(recordKey)).to.deep.equal(keysOf(sent));
      const rest = await read({ mints: [token.mint], from: mine[1]! });
      expect(rest.map(recordKey)).to.deep.equal(keysOf(sent).slice(2));
      const all = await read({ kinds: ['trade'] });
      expect(all.map(recordKey).slice(-2)).to.deep.equal(keysOf(sent).slice(-2));
      expect(new Set(all.map(({ kind }) => kind))).to.deep.equal(new Set(['trade']));
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

    it('refuses invalid options by name', () => {
      const { feeds, node } = scene;
      const refused = (argument: string, work: () => unknown) =>
        expect(work)
          .to.throw(feeds.InvalidArgumentError)
          .with.property('argument')
          .that.satisfies((named: string) => named.startsWith(argument));
      for (const [argument, options] of [
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
      ] as const)
        for (const open of ['openFeed', 'fetchHistory'] as const)
          refused(argument, () => feeds[open](node, options as never));
      refused('from', () => feeds.fetchHistory(node, { from: 'now' as 'genesis' }));
      refused('commitment', () => feeds.fetchHistory(node, { commitment: 'processed' as 'confirmed' }));
      refused('most', () => new feeds.TransactionQueue({ most: 0 }));
    });
  });
}
