// The feed for bots, on the cluster and from a node whose answers are changed on their way.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { createToken, decodeRecords, InvalidArgumentError, recordKey, sell } from '@curvekit/sdk';
import {
  fetchHistory,
  openFeed,
  type AnyRecord,
  type Feed,
  type FeedEvent,
  type FeedOptions,
  type RecordKind,
} from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';
import { makeBlocks } from '#tests/cluster/blocks.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { FEED_LIBRARIES, type FeedLibrary, type NodeUrls } from '#tests/feed/libraries.js';
import { pushedSource } from '#tests/feed/pushed-source.js';
import { keysOf, Reader } from '#tests/feed/reader.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, launch, TERMS, type Token } from '#tests/program/tokens.js';

for (const [name, load] of FEED_LIBRARIES) {
  describe(`a feed of records over ${name}`, function () {
    this.timeout(60_000);
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
      // web3.js closes an idle websocket after half a second, and would reconnect for ever to one that is gone.
      await sleep(1_000);
      await proxy.stop();
    });

    async function read<K extends RecordKind>(
      options: FeedOptions<K>,
      source: Parameters<FeedLibrary['openFeed']>[0] = node,
    ) {
      const reader = new Reader(feeds.openFeed(source, options));
      open.push(reader);
      await reader.feed.ready;
      return reader;
    }

    const buyOf = (token: Token) => buyTokens(cluster(), token, wallet, SOL / 100n);

    async function sellOf({ mint }: Token): Promise<SentTransaction> {
      const params = { mint, payer: wallet.publicKey, tokenToSpend: 10n ** 9n, minSolToReceive: 0n };
      return cluster().send(sell(params), [wallet]);
    }

    /** A creation with its first buy: two records in one transaction. */
    async function launchWithBuy(): Promise<SentTransaction> {
      const mint = Keypair.generate();
      const firstBuy = { solToSpend: SOL / 100n, minTokenToReceive: 0n };
      const instructions = createToken({ ...TERMS, mint: mint.publicKey, payer: wallet.publicKey, firstBuy });
      return cluster().send(instructions, [wallet, mint]);
    }

    it('given kinds and mints, then only those records come, and for one mint only its transactions are read', async () => {
      const [token, other] = [await launch(cluster()), await launch(cluster())];
      const trades = await read({ kinds: ['trade'], mints: [token.mint, other.mint] });
      const creations = await read({ kinds: ['create'] });
      const fetches = () => proxy.calls.get('getTransaction') ?? 0;
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

    it('given a past, when it was delivered, then it says so once, and live records follow', async () => {
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
      it('ends, oldest first, of all tokens or of one', async () => {
        const token = await launch(cluster());
        const sent = [token.created, await buyOf(token), await sellOf(token)];
        const keys: string[] = [];
        for await (const record of feeds.fetchHistory(node, { mints: [token.mint] }))
          keys.push(recordKey(record));
        expect(keys).to.deep.equal(keysOf(sent));
        const all: AnyRecord[] = [];
        for await (const record of feeds.fetchHistory(node, { kinds: ['trade'] })) all.push(record);
        expect(all.map(recordKey).slice(-2)).to.deep.equal(keysOf(sent).slice(-2));
        expect(new Set(all.map(({ kind }) => kind))).to.deep.equal(new Set(['trade']));
      });

      it('goes on after a record', async () => {
        const token = await launch(cluster());
        const sent = [token.created, await buyOf(token), await buyOf(token)];
        const [, second] = sent.flatMap(({ transaction }) => decodeRecords(transaction));
        const rest: string[] = [];
        for await (const record of feeds.fetchHistory(node, { mints: [token.mint], from: second! }))
          rest.push(recordKey(record));
        expect(rest).to.deep.equal(keysOf(sent).slice(2));
      });

      it('does not look whole when its signal ends it', async () => {
        const controller = new AbortController();
        const reason = new Error('enough');
        const history = feeds.fetchHistory(node, { signal: controller.signal })[Symbol.asyncIterator]();
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

      it('of one transaction: its records come together', async () => {
        const reader = await read({});
        const created = await launchWithBuy();
        await reader.expectKeys(keysOf([created]));
        expect(sizes(reader)).to.deep.equal([2]);
      });

      it('of up to so many: no batch is larger, and what is there comes at once', async () => {
        const reader = await read({ mints: [token.mint], from: 'genesis', batch: 4 });
        await reader.expectKeys(keysOf(sent));
        expect(Math.max(...sizes(reader))).to.be.within(2, 4);
        sent.push(await buyOf(token));
        await reader.expectKeys(keysOf(sent));
        expect(sizes(reader).at(-1)).to.equal(1);
      });

      it('of a slot: its records come together', async () => {
        // The cluster puts each transaction in a slot of its own; the node tells of two in one.
        const [first, second] = sent.slice(1, 3).map(({ slot }) => slot);
        proxy.rewrite(({ method }, result) => {
          const answer = result as { slot: number } | null;
          return method === 'getTransaction' && answer?.slot === second ? { ...answer, slot: first } : result;
        });
        const reader = await read({ mints: [token.mint], from: 'genesis', batch: 'slot' });
        await reader.expectKeys(keysOf(sent));
        expect(sizes(reader).slice(0, 3)).to.deep.equal([1, 2, 1]);
      });
    });

    it('given a slow reader, then no more is read ahead than said, and nothing is lost', async () => {
      const token = await launch(cluster());
      const feed = feeds.openFeed(node, { mints: [token.mint], from: 'genesis' });
      const sent = [token.created];
      for (let index = 0; index < 30; index++) sent.push(await buyOf(token));
      const before = proxy.calls.get('getTransaction') ?? 0;
      const events = feed[Symbol.asyncIterator]();
      const keys: string[] = [];
      while (keys.length < sent.length) {
        const { value } = (await events.next()) as IteratorYieldResult<FeedEvent>;
        if (value.type === 'records') keys.push(...value.records.map(recordKey));
        if (keys.length !== 5) continue;
        await sleep(200);
        // Eight are fetched at once.
        expect((proxy.calls.get('getTransaction') ?? 0) - before).to.be.within(5, 5 + 8);
      }
      expect(keys).to.deep.equal(keysOf(sent));
      await events.return?.();
    });

    describe('at a commitment', () => {
      const listNothing = () =>
        proxy.rewrite(({ method }, result) => (method === 'getSignaturesForAddress' ? [] : result));

      it('processed: records come before the node lists them as confirmed, once; what is never confirmed is undone', async () => {
        const token = await launch(cluster());
        const source = feeds.nodeSource({ ...node, onlyProcessed: true }, { pollIntervalMs: 50 });
        const reader = await read({ mints: [token.mint], commitment: 'processed' }, source);
        await reader.until(() => reader.events.length > 0);
        listNothing();
        const sent = [await buyOf(token), await buyOf(token)];
        await reader.expectKeys(keysOf(sent));
        // A fork takes the second one away.
        proxy.rewrite(({ method }, result) =>
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
        proxy.rewrite(({ method, params }, result) => {
          const { commitment } = (params[1] ?? {}) as { commitment?: string };
          if (method !== 'getTransaction' || commitment !== 'processed') return result;
          return new RpcFailure(-32602, 'Method does not support commitment below `confirmed`');
        });
        const reader = new Reader(feeds.openFeed(node, { commitment: 'processed' }));
        const error = await reader.done;
        expect(error).to.be.instanceOf(feeds.CurvekitError);
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
        const reader = await read(
          { kinds: ['trade'] },
          pushedSource(cluster().connection, feeds.TransactionQueue),
        );
        const token = await launch(cluster());
        const sent = [await buyOf(token), await sellOf(token)];
        await reader.expectKeys(keysOf(sent));
        expect(reader.events[0]).to.deep.equal({ type: 'caughtUp' });
      });

      it('that cannot be slowed: a slow reader gets what was held, and then an error', async () => {
        const calls: string[] = [];
        const source = pushedSource(cluster().connection, feeds.TransactionQueue, {
          most: 4,
          pause: () => calls.push('pause'),
          resume: () => calls.push('resume'),
        });
        const feed = feeds.openFeed(source);
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
        const error = await rejection(rest(), feeds.FeedOverflowError);
        expect(error.most).to.equal(4);
        expect(keys).to.deep.equal(keysOf(sent).slice(0, 4));
        expect(calls).to.deep.equal(['pause', 'resume']);
      });
    });

    it('when the loop is left, when it is closed, and at a signal, then the feed ends', async () => {
      const signatures: AbortSignal[] = [];
      const feed = feeds.openFeed({
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
      expect((await rejection(Promise.resolve(again), feeds.CurvekitError)).message).to.include(
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
          expect(() => feeds[open](node, options))
            .to.throw(feeds.InvalidArgumentError)
            .with.property('argument')
            .that.matches(new RegExp(`^${argument.replace(/[[\]]/g, '\\$&')}`));
        }
      });
    }

    it('refuses what a history or a queue cannot be', () => {
      const refused = (work: () => unknown) =>
        expect(work).to.throw(feeds.InvalidArgumentError).with.property('argument');
      refused(() => feeds.fetchHistory(node, { from: 'now' as 'genesis' })).that.equals('from');
      refused(() => feeds.fetchHistory(node, { commitment: 'processed' as 'confirmed' })).that.equals(
        'commitment',
      );
      refused(() => new feeds.TransactionQueue({ most: 0 })).that.equals('most');
    });

    it('tells the types of its records by the kinds that it was asked for', () => {
      const mintOf = async (
        feed: Feed<Extract<AnyRecord, { kind: 'create' }>>,
      ): Promise<PublicKey | undefined> => {
        for await (const event of feed) if (event.type === 'records') return event.records[0]!.data.creator;
        return undefined;
      };
      const feed = feeds.openFeed(node, { kinds: ['create'] });
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
