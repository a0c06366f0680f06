// subscribeRecords() on a cluster, over a connection that breaks, and from a node whose answers are late, wrong, or errors.
// threat: newer-version-index
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, Keypair, type LogsCallback, type LogsFilter } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  createToken,
  CurvekitError,
  expectedAccount,
  fetchTokenOwnerData,
  InvalidArgumentError,
  migrate,
  rebuildHistories,
  recordKey,
  sell,
  subscribeRecords,
  UnreadableTransactionError,
  type CurveRecord,
  type RecordSubscription,
  type SubscriptionOptions,
} from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { useKeyHeldCluster } from '../../../tests/support/cluster/cluster.js';
import { MINT_RENT, SOL } from '../../../tests/support/constants.js';
import { keysOf, Reader } from '../../../tests/support/feed/reader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { Proxy } from '../../../tests/support/network/proxy.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '../../../tests/support/node/rpc-proxy.js';
import {
  buyTokens,
  launch,
  TERMS,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '../../../tests/support/program/tokens.js';

const QUICK = { pollIntervalMs: 200 };
const AN_HOUR = { pollIntervalMs: 3_600_000 };

/** A connection whose log notifications come from the test. */
class QuietConnection extends Connection {
  readonly #callbacks: LogsCallback[] = [];

  constructor(url: string) {
    super(url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  }

  override onLogs(_filter: LogsFilter, callback: LogsCallback): number {
    return this.#callbacks.push(callback);
  }

  override removeOnLogsListener(): Promise<void> {
    return Promise.resolve();
  }

  tell(signature: string, slot: number): void {
    for (const callback of this.#callbacks) callback({ signature, err: null, logs: [] }, { slot });
  }
}

/** The records of a subscription, as a feed delivers them. */
async function* asFeed(subscription: RecordSubscription) {
  for await (const record of subscription) yield { type: 'records' as const, records: [record] };
}

/** The records that a subscription has delivered so far. */
class Received extends Reader<ReturnType<typeof asFeed>> {
  constructor(readonly subscription: RecordSubscription) {
    super(asFeed(subscription));
  }
}

describe('a subscription to records', () => {
  const cluster = useKeyHeldCluster();
  let wallet: Keypair;
  let proxy: RpcProxy;
  let websocket: Proxy;
  let connection: Connection;
  const open: Received[] = [];

  before(async () => {
    wallet = await cluster().fundedWallet(1_000n * SOL);
    proxy = await startRpcProxy(cluster().rpcUrl);
    websocket = await Proxy.to(cluster().wsUrl);
    const options = { wsEndpoint: websocket.url, disableRetryOnRateLimit: true };
    connection = new Connection(proxy.url, { commitment: 'confirmed', ...options });
  });
  afterEach(async () => {
    proxy.rewrite(undefined);
    for (const { subscription, done } of open.splice(0)) {
      await subscription.close();
      expect(await done).to.equal(undefined);
    }
  });
  after(async () => {
    // web3.js closes an idle websocket after half a second. Without this pause it would try to reconnect forever.
    await sleep(1_000);
    await Promise.all([proxy.stop(), websocket.cut()]);
  });

  async function subscribe(options: SubscriptionOptions = {}, node = connection): Promise<Received> {
    const received = new Received(subscribeRecords(node, { deployment: cluster().deployment, ...options }));
    open.push(received);
    await received.subscription.ready;
    return received;
  }

  /** Trades of one token, one after the other. */
  async function tradeOften(token: Token): Promise<SentTransaction[]> {
    const sent: SentTransaction[] = [];
    for (let index = 0; index < 3; index++) {
      sent.push(await buyTokens(cluster(), token, wallet, SOL));
      const params = {
        mint: token.mint,
        payer: wallet.publicKey,
        tokenToSpend: 10n ** 12n,
        minSolToReceive: 0n,
      };
      sent.push(await cluster().send(sell({ ...params, deployment: cluster().deployment }), [wallet]));
    }
    return sent;
  }

  it('given a token from launch to migration, then every record comes live, once and in order', async () => {
    const received = await subscribe();
    const token = await launch(cluster());
    const sent = [token.created, ...(await tradeOften(token))];
    sent.push(await buyTokens(cluster(), token, wallet, WHOLE_CURVE_LAMPORTS));
    sent.push(
      await cluster().send(migrate({ mint: token.mint, deployment: cluster().deployment }), [
        cluster().feeReceiver,
      ]),
    );
    await received.expectKeys(keysOf(sent));
    expect(received.records.map(({ kind }) => kind)).to.deep.equal([
      'create',
      ...Array.from({ length: 7 }, () => 'trade'),
      'migrate',
    ]);
    const history = rebuildHistories(received.records as CurveRecord[]).get(token.mint.toBase58())!;
    expect(expectedAccount(history)).to.deep.equal(
      await fetchTokenOwnerData(cluster().connection, token.mint),
    );
  });

  it('given a reconnected websocket, then records come from its notifications', async () => {
    const received = await subscribe(AN_HOUR);
    await websocket.cut();
    await websocket.restore();
    // web3.js reconnects within a second or two; a poll would take an hour.
    await sleep(3_000);
    const token = await launch(cluster());
    await received.expectKeys(keysOf([token.created]));
  });

  it('given a node that is down, then the errors are reported, and no record is lost when it is back', async () => {
    const errors: unknown[] = [];
    const received = await subscribe({ ...QUICK, onError: (error) => errors.push(error) });
    const token = await launch(cluster());
    await received.expectKeys(keysOf([token.created]));
    proxy.setDown(true);
    await websocket.cut();
    const during = await tradeOften(token);
    await sleep(500);
    expect(received.records).to.have.lengthOf(1);
    expect(errors).not.to.deep.equal([]);
    proxy.setDown(false);
    await websocket.restore();
    await received.expectKeys(keysOf([token.created, ...during]));
  });

  it('given an earlier record, when subscribed from it, then the later records come, also those of its transaction', async () => {
    const first = await subscribe();
    const mint = Keypair.generate();
    const firstBuy = { solToSpend: SOL, minTokenToReceive: 0n };
    const instructions = createToken({
      ...TERMS,
      mintRentLamports: MINT_RENT,
      mint: mint.publicKey,
      payer: wallet.publicKey,
      firstBuy,
      deployment: cluster().deployment,
    });
    const created = await cluster().send(instructions, [wallet, mint]);
    const later = await launch(cluster());
    const keys = keysOf([created, later.created]);
    expect(keys).to.have.lengthOf(3);
    await first.expectKeys(keys);
    for (const [index, from] of first.records.entries()) {
      const rest = await subscribe({ from });
      await rest.expectKeys(keys.slice(index + 1));
    }
  });

  it('refuses a `from` that is not the source of a record, and names the part', () => {
    const source = { signature: bs58.encode(new Uint8Array(64)), slot: 1, position: { outer: 0, inner: -1 } };
    for (const [argument, from] of [
      ['from.signature', { ...source, signature: bs58.encode(new Uint8Array(63)) }],
      ['from.signature', { ...source, signature: 'not base58: 0OIl' }],
      ['from.signature', 'genesis '],
      ['from.signature', null],
      ['from.slot', { ...source, slot: '1' }],
      ['from.position.outer', { ...source, position: undefined }],
      ['from.position.inner', { ...source, position: { outer: 0, inner: -2 } }],
    ] as const)
      expect(() => subscribeRecords(connection, { from: from as CurveRecord }))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
  });

  it('when closed, then the iteration ends; when iterated twice, then the second iteration is refused', async () => {
    const received = await subscribe(AN_HOUR);
    await received.subscription.close();
    expect(await received.done).to.equal(undefined);
    const again = received.subscription[Symbol.asyncIterator]();
    const error = await rejection(again.next(), CurvekitError);
    expect(error.message).to.include('iterated once');
  });

  it('when the loop is left, then the subscription is closed', async () => {
    const subscription = subscribeRecords(connection, { deployment: cluster().deployment });
    await subscription.ready;
    const token = await launch(cluster());
    for await (const record of subscription) {
      expect(recordKey(record)).to.equal(keysOf([token.created])[0]);
      break;
    }
    await subscription.close();
  });

  describe('from a node that', () => {
    /** Subscribes without a real websocket. `announce` sends its notifications. */
    async function subscribeQuietly(options: SubscriptionOptions) {
      const quiet = new QuietConnection(proxy.url);
      const received = await subscribe(options, quiet);
      return { received, announce: ({ signature, slot }: SentTransaction) => quiet.tell(signature, slot) };
    }

    /** Launches three tokens. The node lists the first only after the second has been received. */
    async function listLate(options: SubscriptionOptions, isAnnounced: boolean) {
      const { received, announce } = await subscribeQuietly(options);
      const list = (change: (listed: readonly { signature: string }[]) => unknown) =>
        proxy.rewrite(({ method }, result) =>
          method === 'getSignaturesForAddress' ? change(result as { signature: string }[]) : result,
        );
      list(() => []);
      const { created: late } = await launch(cluster());
      const { created: early } = await launch(cluster());
      list((listed) => listed.filter(({ signature }) => signature !== late.signature));
      announce(early);
      await received.expectKeys(keysOf([early]));
      proxy.rewrite(undefined);
      if (isAnnounced) announce(late);
      await received.expectKeys(keysOf([early, late]));
      const { created: next } = await launch(cluster());
      announce(next);
      await received.expectKeys(keysOf([early, late, next]));
    }

    it('lists a transaction after a later one: its record comes late, and each record comes once', () =>
      listLate(QUICK, false));

    it('announces a transaction after it listed a later one: its record comes with the announcement', () =>
      listLate(AN_HOUR, true));

    it('has transactions of newer versions: each is decoded if possible, otherwise reported and skipped', async () => {
      const errors: unknown[] = [];
      const { received } = await subscribeQuietly({ ...QUICK, onError: (error) => errors.push(error) });
      // Hide both transactions until the test knows both signatures.
      proxy.rewrite(({ method }, result) => (method === 'getTransaction' ? null : result));
      const { created: unreadable } = await launch(cluster());
      const { created: strange } = await launch(cluster());
      proxy.rewrite(({ method, params }, result) => {
        if (method !== 'getTransaction' || result === null) return result;
        const { maxSupportedTransactionVersion: most } = params[1] as Record<string, number>;
        if (params[0] === unreadable.signature || !(most! >= 3))
          return new RpcFailure(-32015, 'Transaction version (4) is not supported by the requesting client');
        if (params[0] === strange.signature)
          return { ...(result as object), version: 3, transaction: { v3: [] } };
        // web3.js itself refuses version 3.
        return { ...(result as object), version: 3 };
      });
      const { created: third } = await launch(cluster());
      await received.expectKeys(keysOf([third]));
      // The order of the errors is not defined, because several transactions are fetched at a time.
      const told = errors.map((error) => {
        expect(error).to.be.instanceOf(UnreadableTransactionError);
        const { signature, version } = error as UnreadableTransactionError;
        return { signature, version };
      });
      expect(told).to.have.deep.members([
        { signature: unreadable.signature, version: 4 },
        { signature: strange.signature, version: 3 },
      ]);
    });

    it('returns another transaction than requested: its records are ignored, and the right ones come later', async () => {
      const { received } = await subscribeQuietly(QUICK);
      const { created: first } = await launch(cluster());
      await received.expectKeys(keysOf([first]));
      let lies = 5;
      proxy.rewrite(({ method, params }, result, { ask }) => {
        if (method !== 'getTransaction' || params[0] === first.signature || lies-- <= 0) return result;
        return ask({ method, params: [first.signature, params[1]] });
      });
      const { created: second } = await launch(cluster());
      await received.expectKeys(keysOf([first, second]));
      expect(lies).to.be.lessThan(1);
    });

    it('no longer knows the last seen transaction (-32020): each record still comes once', async () => {
      const errors: { readonly code?: unknown }[] = [];
      const { received } = await subscribeQuietly({
        ...QUICK,
        onError: (error) => errors.push(error as (typeof errors)[number]),
      });
      const { created: first } = await launch(cluster());
      await received.expectKeys(keysOf([first]));
      proxy.rewrite(({ method, params }, result) => {
        const { until } = (params[1] ?? {}) as { until?: string };
        if (method !== 'getSignaturesForAddress' || until === undefined) return result;
        return new RpcFailure(-32020, `Transaction ${until} not found`);
      });
      const { created: second } = await launch(cluster());
      await received.expectKeys(keysOf([first, second]));
      proxy.rewrite(undefined);
      const { created: third } = await launch(cluster());
      await received.expectKeys(keysOf([first, second, third]));
      expect(new Set(errors.map(({ code }) => code))).to.deep.equal(new Set([-32020]));
    });

    it('has a long history: it is listed in pages, and each record comes once, in order', async () => {
      const sent: SentTransaction[] = [];
      for (let index = 0; index < 4; index++) sent.push((await launch(cluster())).created);
      // Failed transactions are not fetched. The readable ones are the first, two around the end of a part, and the last.
      const readable = new Map([23_999, 10_000, 9_999, 0].map((at, index) => [at, sent[index]!.signature]));
      const listed = Array.from({ length: 24_000 }, (_, at) => ({
        signature: readable.get(at) ?? `failed ${at}`,
        slot: 24_000 - at,
        err: readable.has(at) ? null : 'AccountInUse',
        memo: null,
        blockTime: null,
      }));
      let pages = 0;
      proxy.rewrite(({ method, params }, result) => {
        if (method !== 'getSignaturesForAddress') return result;
        pages += 1;
        const { before, until, limit } = params[1] as { before?: string; until?: string; limit: number };
        const indexOf = (signature?: string) => listed.findIndex((one) => one.signature === signature);
        const end = until === undefined ? listed.length : indexOf(until);
        return listed.slice(indexOf(before) + 1, end).slice(0, limit);
      });
      const { received } = await subscribeQuietly({ ...QUICK, from: 'genesis' });
      await received.expectKeys(keysOf(sent));
      // 24 pages to list everything once, then 20 more for the two parts of ten thousand that were not kept.
      expect(pages).to.be.within(24 + 20, 24 + 20 + 8);
    });

    for (const [method, code, problem] of [
      ['getTransaction', -32011, 'history'],
      ['getSignaturesForAddress', -32602, 'parameters'],
    ] as const) {
      it(`always refuses ${method} (${code}): the iteration ends with the error`, async () => {
        const subscription = subscribeRecords(new QuietConnection(proxy.url), {
          ...QUICK,
          deployment: cluster().deployment,
        });
        await subscription.ready;
        await launch(cluster());
        proxy.rewrite((call, result) => (call.method === method ? new RpcFailure(code, 'Refused') : result));
        const first = subscription[Symbol.asyncIterator]().next();
        const error = await rejection(first, CurvekitError);
        expect(error.message).to.include(problem).and.to.include('Refused');
      });
    }
  });
});
