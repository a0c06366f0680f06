// Reads feeds on a cluster, through a proxy that can change the answers of its node.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { createToken, decodeRecords, recordKey, sell } from '@curvekit/sdk';
import {
  openFeed,
  type AnyRecord,
  type Feed,
  type FeedEvent,
  type FeedOptions,
  type RecordKind,
} from '@curvekit/sdk/feed';
import type { SentTransaction } from '@curvekit/testing';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, TERMS, type Token } from '#tests/program/tokens.js';

export const keysOf = (sent: readonly SentTransaction[]): string[] =>
  sent.flatMap(({ transaction }) => decodeRecords(transaction)).map(recordKey);

/** Reads a feed in the background. */
export class Reader {
  readonly events: FeedEvent<AnyRecord>[] = [];
  readonly done: Promise<unknown>;

  constructor(readonly feed: Feed<AnyRecord>) {
    this.done = this.#read().catch((error: unknown) => error);
  }

  async #read(): Promise<void> {
    for await (const event of this.feed) this.events.push(event);
  }

  get records(): AnyRecord[] {
    return this.events.flatMap((event) => (event.type === 'records' ? event.records : []));
  }

  get keys(): string[] {
    return this.records.map(recordKey);
  }

  async until(isThere: () => boolean): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (!isThere() && Date.now() < deadline) await sleep(5);
  }

  /** Waits for these, and then a little for one too many. */
  async expectKeys(expected: readonly string[]): Promise<void> {
    await this.until(() => this.keys.length >= expected.length);
    await sleep(50);
    expect(this.keys).to.deep.equal(expected);
  }
}

/** Starts a cluster, and a proxy before its node, for the surrounding `describe`; closes after each test what it has read. */
export function useFeeds() {
  const cluster = useCluster();
  let proxy: RpcProxy;
  let connection: Connection;
  let wallet: Keypair;
  const open: Reader[] = [];

  before(async () => {
    wallet = await cluster().fundedWallet(1_000n * SOL);
    proxy = await startRpcProxy(cluster().rpcUrl);
    connection = new Connection(proxy.url, { commitment: 'confirmed', wsEndpoint: cluster().wsUrl });
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
    source: Parameters<typeof openFeed>[0] = connection,
  ) {
    const reader = new Reader(openFeed(source, options));
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

  return {
    cluster,
    proxy: () => proxy,
    connection: () => connection,
    read,
    buyOf,
    sellOf,
    launchWithBuy,
  };
}
