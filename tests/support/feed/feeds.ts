// The setup of a feed's tests: one cluster, an RPC proxy whose answers a test can change, and feeds that are closed
// after each test.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { createToken, sell } from '@curvekit/sdk';
import type { FeedOptions, RecordKind } from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';
import { useCluster } from '../cluster/cluster.js';
import { SOL } from '../constants.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { buyTokens, TERMS, type Token } from '../program/tokens.js';
import type { FeedLibrary, NodeUrls } from './libraries.js';
import { Reader } from './reader.js';
import { MINT_RENT } from '#tests/constants.js';

/** @param load loads the library that makes the feeds */
export function useFeeds(load: () => Promise<FeedLibrary>) {
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
